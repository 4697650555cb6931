import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Connection, type ConnectOptions, connectWith } from '@/packages/sdk/src/serve/connect';
import type { SocketConstructor } from '@/packages/sdk/src/serve/open-socket';
import type { WorkerState } from '@/packages/sdk/src/serve/worker';
import { FakeHub, offer } from '../../fakes/fake-hub';
import { ManualClock } from '../../fakes/manual-clock';
import { waitFor } from '../../support/wait-for';

let hub: FakeHub;
let clock: ManualClock;
let connections: Connection[];

beforeEach(async () => {
  hub = await FakeHub.start();
  clock = new ManualClock(0.5);
  connections = [];
});
afterEach(async () => {
  for (const connection of connections) void connection.drain({ timeoutMs: 0 });
  clock.advance(60_000);
  await hub.stop();
});

async function start(options: Partial<ConnectOptions> = {}): Promise<Connection & { states: WorkerState[] }> {
  const states: WorkerState[] = [];
  const connection = await connectWith(
    {
      url: hub.url,
      agent: 'greeter',
      token: 'parley_a',
      handle: async () => 'Hello',
      onState: (state) => states.push(state),
      onTurn: () => undefined,
      WebSocket: WebSocket as object as SocketConstructor,
      ...options,
    } as ConnectOptions,
    clock,
  );
  connections.push(connection);
  return Object.assign(connection, { states });
}

/** Waits until the worker sleeps before its next attempt, and returns the delay. */
async function nextDelay(): Promise<number> {
  return waitFor(() => clock.delays[0], { what: 'a delay' });
}

describe('the hello frame', () => {
  it('is sent first, on the hub’s subprotocol', async () => {
    await start({ capacity: 3, version: '1.2', card: { name: 'Greeter' } });
    const connection = await hub.connection();
    expect(hub.protocols).toEqual(['parley.hub.v1']);
    expect(connection.frames[0]?.method).toBe('hub.hello');
    expect(connection.calls('hub.hello')).toEqual([
      {
        token: 'parley_a',
        agent: 'greeter',
        workerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        capacity: 3,
        version: '1.2',
        card: { name: 'Greeter' },
        redelivery: 'never',
        runs: [],
      },
    ]);
  });

  it('has the same worker id after a reconnection', async () => {
    await start();
    (await hub.connection()).close(1012);
    clock.advance(await nextDelay());
    await waitFor(() => hub.connections.length === 2 || clock.advance(500), { what: 'a reconnect' });
    const ids = [await hub.connection(1), await hub.connection(2)].map((c) => c.calls('hub.hello')[0]?.workerId);
    expect(ids[0]).toBe(ids[1]);
  });
});

describe('a worker that is disconnected', () => {
  it('reconnects within half a second', async () => {
    const worker = await start();
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    (await hub.connection()).cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    expect(await nextDelay()).toBe(250);
    clock.advance(250);
    await hub.connection(2);
  });

  it('reconnects any number of times, without a leak warning from Node', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const worker = await start();
    for (let number = 1; number <= 15; number++) {
      (await hub.connection(number)).cut();
      await waitFor(() => worker.state === 'connecting', { what: 'the end' });
      clock.advance(await nextDelay());
      await hub.connection(number + 1);
      await waitFor(() => worker.state === 'online', { what: 'the hello' });
    }
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('doubles its delays until a hello succeeds, and does not reset them if a connection merely opens', async () => {
    for (let attempt = 0; attempt < 4; attempt++) hub.helloAnswers.push({ close: 1013 });
    const worker = await start();
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      await hub.connection(attempt);
      await waitFor(() => hub.connections[attempt - 1]?.closeCode, { what: 'the close' });
      await waitFor(() => worker.states.length >= attempt && clock.delays[0], { what: 'the delay' });
      delays.push(clock.delays[0] ?? -1);
      clock.advance(clock.delays[0] ?? 0);
    }
    expect(delays).toEqual([250, 500, 1_000, 2_000]);
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    (await hub.connection(5)).cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    expect(await nextDelay()).toBe(250);
  });

  it('stops after 4403, with the reason', async () => {
    const worker = await start();
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    (await hub.connection()).close(4403, 'The agent is suspended.');
    await expect(worker.closed).rejects.toMatchObject({ code: 'not_your_agent', message: 'The agent is suspended.' });
    expect(worker.state).toBe('stopped');
    expect(hub.connections.length).toBe(1);
  });

  it('stops if its hello is rejected permanently', async () => {
    const data = { reason: 'suspended', retryable: false };
    hub.helloAnswers.push({ error: { code: -32050, message: 'It is suspended.', data }, close: 4403 });
    const worker = await start();
    await expect(worker.closed).rejects.toMatchObject({ code: 'suspended', message: 'It is suspended.' });
  });

  it('waits at least a minute after 4429', async () => {
    const worker = await start();
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    (await hub.connection()).close(4429);
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    expect(await nextDelay()).toBe(67_500);
    clock.advance(67_500);
    await hub.connection(2);
  });

  it('requests a new token after 4401, and stops if its token is fixed', async () => {
    let number = 0;
    const worker = await start({
      token: () => {
        number += 1;
        return `parley_${number}`;
      },
    } as Partial<ConnectOptions>);
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    (await hub.connection()).close(4401);
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    clock.advance(await nextDelay());
    expect((await hub.connection(2)).calls('hub.hello')[0]?.token).toBe('parley_2');

    const other = await start({ token: 'parley_only' });
    await waitFor(() => other.state === 'online', { what: 'the hello' });
    (await hub.connection(3)).close(4401);
    await expect(other.closed).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it('ends a connection that receives no more data', async () => {
    hub.onRequest = () => null;
    const worker = await start();
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    clock.advance(20_000);
    await waitFor(() => hub.connections[0]?.calls('hub.ping').length, { what: 'a ping' });
    clock.advance(40_000);
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
  });
});

describe('a worker’s token', () => {
  it('is renewed before it expires', async () => {
    let number = 0;
    await start({
      token: () => {
        number += 1;
        return { token: `t${number}`, expiresAt: clock.now() / 1_000 + 900 };
      },
    } as Partial<ConnectOptions>);
    const connection = await hub.connection();
    hub.onRequest = ({ method }) => (method === 'hub.ping' ? { result: {} } : { result: { expiresAt: '' } });
    await waitFor(
      () => {
        clock.advance(10_000);
        return connection.calls('hub.auth').length > 0;
      },
      { what: 'hub.auth' },
    );
    expect(connection.calls('hub.auth')[0]).toEqual({ token: 't2' });
    expect(hub.connections.length).toBe(1);
  });
});

describe('a hub that drains', () => {
  it('has its connection replaced before the connection closes', async () => {
    const worker = await start();
    const first = await hub.connection();
    await waitFor(() => worker.state === 'online', { what: 'the hello' });
    first.notify('hub.draining', { reconnectWithinMs: 4_000 });
    await waitFor(() => clock.delays.some((delay) => delay < 4_000), { what: 'the delay' });
    expect(first.closeCode).toBeNull();
    clock.advance(4_000);
    await hub.connection(2);
    await waitFor(() => first.closeCode === 1000, { what: 'the end of the first connection' });
    expect(worker.state).toBe('online');
  });
});

describe('a run', () => {
  it('continues on the next connection and resends events that the hub has not received', async () => {
    let proceed: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const worker = await start({
      async *handle() {
        yield 'one';
        yield 'two';
        await gate;
        yield 'three';
      },
    });
    const first = await hub.connection();
    const params = offer('Hi');
    const { runId, epoch } = params;
    expect(await first.request('run.offer', params)).toEqual({ accept: true });
    expect(first.items()).toEqual([]);
    first.notify('run.start', { runId, epoch });
    await waitFor(() => first.items().length === 3, { what: 'events' });
    first.notify('run.ack', { runId, n: 2 });
    first.cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    proceed();
    hub.runs = [{ runId, epoch, seen: 2 }];
    clock.advance(await nextDelay());
    const second = await hub.connection(2);
    expect(second.calls('hub.hello')[0]).toMatchObject({ runs: [{ runId, epoch }] });
    await waitFor(() => second.items().length === 3, { what: 'the other events' });
    expect(second.calls('run.event').map(({ n }) => n)).toEqual([3, 4, 5]);
    expect(second.items()[0]).toMatchObject({ artifactUpdate: { artifact: { parts: [{ text: 'two' }] } } });
    expect(second.items()[2]).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  it('is dropped if it no longer exists: its signal aborts and no more events are sent', async () => {
    const outcomes: string[] = [];
    const worker = await start({
      async *handle({ signal }) {
        yield 'one';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        yield 'two';
      },
      onTurn: ({ outcome }) => outcomes.push(outcome),
    });
    const first = await hub.connection();
    const params = offer('Hi');
    const { runId, epoch } = params;
    await first.request('run.offer', params);
    first.notify('run.start', { runId, epoch });
    await waitFor(() => first.items().length === 2, { what: 'events' });
    first.cut();
    await waitFor(() => worker.state === 'connecting', { what: 'the end' });
    hub.runs = [{ runId, gone: true }];
    clock.advance(await nextDelay());
    const second = await hub.connection(2);
    await waitFor(() => outcomes.length === 1, { what: 'the end of the turn' });
    expect(outcomes).toEqual(['dropped']);
    expect(second.items()).toEqual([]);
  });

  it('does not start on an offer alone, and is released if the worker does not have it', async () => {
    let starts = 0;
    await start({
      handle: async () => {
        starts += 1;
      },
    });
    const connection = await hub.connection();
    const params = offer('Hi');
    await connection.request('run.offer', params);
    connection.notify('run.start', { runId: params.runId, epoch: 7 });
    await waitFor(() => connection.calls('run.release').length === 1, { what: 'the release' });
    expect(connection.calls('run.release')[0]).toMatchObject({ runId: params.runId, epoch: 7 });
    expect(starts).toBe(0);
  });

  it('runs once, however often it is started', async () => {
    let starts = 0;
    await start({
      handle: async () => {
        starts += 1;
      },
    });
    const connection = await hub.connection();
    const { runId, epoch, ...rest } = offer('Hi');
    await connection.request('run.offer', { runId, epoch, ...rest });
    for (let time = 0; time < 3; time++) connection.notify('run.start', { runId, epoch });
    await waitFor(() => connection.items().length === 2, { what: 'the end' });
    expect(starts).toBe(1);
  });
});
