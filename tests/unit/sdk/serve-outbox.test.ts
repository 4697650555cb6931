import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Outbox } from '@/packages/sdk/src/serve/outbox';
import type { StreamEvent } from '@/packages/sdk/src/wire';

const ref = { runId: 'r:1', epoch: 3 };
const window = { windowEvents: 4, windowBytes: 2_000, maxFrameBytes: 1_000 };

function item(text: string): StreamEvent {
  return { artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } } };
}

function connect(outbox: Outbox, seen = 0): { n: number; epoch: number }[] {
  const sent: { n: number; epoch: number }[] = [];
  outbox.attach((text) => sent.push(JSON.parse(text).params), { seen, window });
  return sent;
}

function isReady(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), setImmediate(false)]);
}

describe('a run’s outbox', () => {
  it('numbers events from 1 without gaps, and names the run and its epoch', () => {
    const outbox = new Outbox(ref, window);
    const sent = connect(outbox);
    for (const text of ['a', 'b', 'c']) outbox.push(item(text));
    expect(sent.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(sent[0]).toMatchObject({ ...ref, item: item('a') });
    expect(outbox.sent).toBe(3);
  });

  it('stores events while there is no connection, and sends them once there is one', () => {
    const outbox = new Outbox(ref, window);
    outbox.push(item('a'));
    outbox.push(item('b'));
    expect(connect(outbox).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('resends only events that the hub has not acknowledged', () => {
    const outbox = new Outbox(ref, window);
    connect(outbox);
    for (const text of ['a', 'b', 'c']) outbox.push(item(text));
    outbox.acknowledge(1);
    outbox.detach();
    outbox.push(item('d'));
    expect(connect(outbox, 2).map(({ n }) => n)).toEqual([3, 4]);
  });

  it('has room until unacknowledged events fill the window', async () => {
    const outbox = new Outbox(ref, window);
    for (let n = 1; n <= 3; n++) outbox.push(item('x'));
    expect(await isReady(outbox.whenRoom())).toBe(true);
    outbox.push(item('x'));
    const room = outbox.whenRoom();
    expect(await isReady(room)).toBe(false);
    outbox.acknowledge(1);
    await room;
  });

  it('has room until unacknowledged bytes fill the window', async () => {
    const outbox = new Outbox(ref, window);
    for (let n = 1; n <= 3; n++) outbox.push(item('x'.repeat(700)));
    const room = outbox.whenRoom();
    expect(await isReady(room)).toBe(false);
    outbox.acknowledge(2);
    await room;
  });

  it('rejects an event that does not fit into a frame, without using a number', () => {
    const outbox = new Outbox(ref, window);
    expect(() => outbox.push(item('é'.repeat(600)))).toThrow(/bytes/);
    outbox.push(item('a'));
    expect(outbox.sent).toBe(1);
  });

  it('stores at most 4 MiB', () => {
    const outbox = new Outbox(ref, { ...window, maxFrameBytes: 1_048_576 });
    for (let n = 1; n <= 4; n++) outbox.push(item('x'.repeat(1_000_000)));
    expect(() => outbox.push(item('x'.repeat(1_000_000)))).toThrow(/bytes/);
  });

  it('is empty once everything is acknowledged', async () => {
    const outbox = new Outbox(ref, window);
    outbox.push(item('a'));
    const empty = outbox.whenEmpty();
    expect(await isReady(empty)).toBe(false);
    outbox.acknowledge(1);
    await empty;
    expect(outbox.isEmpty).toBe(true);
  });

  it('delivers every event in order, however often it is interrupted', () => {
    const step = fc.oneof(
      fc.constant('push' as const),
      fc.constant('cut' as const),
      fc.constant('connect' as const),
      fc.constant('persist' as const),
    );
    const check = (steps: string[]): void => {
      const outbox = new Outbox(ref, window);
      const received: number[] = [];
      let seen = 0;
      const receive = (text: string): void => {
        const { n } = JSON.parse(text).params;
        if (n <= received.length) return;
        expect(n).toBe(received.length + 1);
        received.push(n);
      };
      const reconnect = (): void => {
        // Events that were not persisted are lost with the hub's node.
        received.length = seen;
        outbox.attach(receive, { seen, window });
      };
      for (const name of steps) {
        if (name === 'push') outbox.push(item('x'));
        if (name === 'cut') outbox.detach();
        if (name === 'connect') reconnect();
        if (name === 'persist') {
          seen = received.length;
          outbox.acknowledge(seen);
        }
      }
      reconnect();
      expect(received.length).toBe(outbox.sent);
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), check));
  });
});
