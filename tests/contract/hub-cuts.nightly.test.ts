import { connect } from '@parley/agent/serve';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type FrameFate, FrameProxy, type PassingFrame } from '../fakes/frame-proxy';
import { randomOf } from '../fakes/malformed';
import { message10, post, readEvents, type WireEvent } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { listHubAgent } from './hub-fixture';

let parley: Parley;

beforeAll(async () => {
  parley = await startParley();
});

afterAll(async () => {
  await parley?.stop();
});

interface Update {
  artifactUpdate?: { artifact: { artifactId: string; parts: { text: string }[] } };
  statusUpdate?: { status: { state: string; message?: { parts: { text: string }[] } } };
}

/** The task's log, without ids and times. */
function logOf(events: WireEvent[]): string[] {
  return events.flatMap(({ data }) => {
    const { artifactUpdate, statusUpdate } = (data as { result: Update }).result;
    if (artifactUpdate) return artifactUpdate.artifact.parts.map(({ text }) => `text ${text}`);
    if (!statusUpdate) return [];
    const { state, message } = statusUpdate.status;
    return [`${state} ${message?.parts.map(({ text }) => text).join('') ?? ''}`.trim()];
  });
}

interface Outcome {
  log: string[];
  starts: number;
  frames: PassingFrame[];
}

/** One task of an agent that the SDK serves through the proxy. */
async function answerThrough(onFrame: FrameProxy['onFrame']): Promise<Outcome> {
  const agent = await listHubAgent(parley);
  const proxy = await FrameProxy.start(parley.url);
  proxy.onFrame = onFrame;
  let starts = 0;
  const connection = await connect({
    url: proxy.url,
    agent: agent.slug,
    token: agent.token,
    async *handle(turn) {
      starts += 1;
      yield turn.status('thinking');
      yield 'one;';
      yield 'two;';
      yield 'three;';
    },
  });
  // The caller of an agent that was never online is refused.
  await waitFor(() => connection.state === 'online', { what: 'the worker to be online' });
  const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('count') };
  const log = logOf(await readEvents(await post(agent.caller, request)));
  await connection.drain({ timeoutMs: 0 });
  await proxy.stop();
  return { log, starts, frames: proxy.frames };
}

/** Breaks the connection once, at the n-th frame of one side. */
function once(from: PassingFrame['from'], n: number, fate: FrameFate): FrameProxy['onFrame'] {
  let count = 0;
  return (frame) => {
    if (frame.from !== from) return 'pass';
    count += 1;
    return count === n ? fate : 'pass';
  };
}

describe('a worker’s connection', () => {
  let undisturbed: Outcome;

  beforeAll(async () => {
    undisturbed = await answerThrough(() => 'pass');
  });

  test('logs every event of the handler if it is not interrupted', () => {
    const { log, starts, frames } = undisturbed;
    const said = ['TASK_STATE_WORKING', 'TASK_STATE_WORKING thinking', 'text one;', 'text two;', 'text three;'];
    expect([log, starts]).toEqual([[...said, 'TASK_STATE_COMPLETED'], 1]);
    // The proxy may stop before it forwards the state of a draining worker.
    const isSaid = ({ from, method }: PassingFrame): boolean => from === 'worker' && method !== 'worker.state';
    const sent = frames.filter(isSaid).map(({ method }) => method);
    expect(sent).toEqual(['hub.hello', 'response', ...Array(6).fill('run.event')]);
  });

  // The worker's: hello, acceptance, six events. The hub's: welcome, offer, start, acknowledgments.
  describe.each([
    ['worker', 'lose', 8],
    ['worker', 'cut', 8],
    ['hub', 'lose', 4],
    ['hub', 'cut', 4],
  ] as const)('interrupted at a frame of the %s (%s)', (from, fate, boundaries) => {
    test('leaves a complete log, and starts the handler once', { timeout: 60_000 }, async () => {
      const outcomes = await Promise.all(
        Array.from({ length: boundaries }, (_, at) => answerThrough(once(from, at + 1, fate))),
      );
      for (const [at, { log, starts, frames }] of outcomes.entries()) {
        const where = `frame ${at + 1} of the ${from}`;
        expect(log, where).toEqual(undisturbed.log);
        expect(starts, where).toBe(1);
        const hellos = frames.filter(({ method }) => method === 'hub.hello').length;
        // After its last event the worker may not reconnect.
        if (at + 1 < boundaries) expect(hellos, where).toBe(2);
      }
    });
  });
});

describe('connections to two nodes that fail at random', () => {
  const [rounds, atOnce] = [5, 8];
  let two: Parley;
  beforeAll(async () => {
    two = await startParley({ env: { APP_URL: parley.url } });
  });
  afterAll(async () => {
    await two?.stop();
  });

  test('lose no task and start no handler twice', { timeout: 90_000 }, async () => {
    const random = randomOf(5);
    const proxies = [await FrameProxy.start(parley.url), await FrameProxy.start(two.url)];
    for (const proxy of proxies) {
      proxy.onFrame = () => {
        const number = random();
        if (number > 0.03) return 'pass';
        return number > 0.015 ? 'lose' : 'cut';
      };
    }
    const agent = await listHubAgent(parley);
    const starts = new Map<string, number>();
    const pieces = Array.from({ length: 12 }, (_, at) => `text ${at};`);
    let turn = 0;
    const workers = await Promise.all(
      Array.from({ length: 4 }, () =>
        connect({
          url: parley.url,
          agent: agent.slug,
          token: agent.token,
          async *handle({ runId }) {
            starts.set(runId, (starts.get(runId) ?? 0) + 1);
            for (const piece of pieces) {
              yield piece.replace('text ', '');
              await new Promise((resolve) => setTimeout(resolve, random() * 10));
            }
          },
          // Each attempt is to the other node.
          WebSocket: class extends WebSocket {
            constructor(_url: string, protocols: string[]) {
              turn += 1;
              super(`${proxies[turn % 2]?.url.replace('http', 'ws')}/ws/agents`, protocols);
            }
          } as never,
        }),
      ),
    );
    await waitFor(() => workers.some(({ state }) => state === 'online'), { what: 'a worker to be online' });
    const ask = async (at: number): Promise<string[]> => {
      const url = at % 2 ? agent.caller.url : agent.caller.url.replace(parley.url, two.url);
      const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10(`${at}`) };
      return logOf(await readEvents(await post({ ...agent.caller, url }, request)));
    };
    for (let round = 0; round < rounds; round++) {
      const logs = await Promise.all(Array.from({ length: atOnce }, (_, at) => ask(at)));
      for (const log of logs) expect(log).toEqual(['TASK_STATE_WORKING', ...pieces, 'TASK_STATE_COMPLETED']);
    }
    expect([...starts.values()]).toEqual(Array(rounds * atOnce).fill(1));
    await Promise.all(workers.map((worker) => worker.drain({ timeoutMs: 0 })));
    for (const proxy of proxies) await proxy.stop();
  });
});
