import { connect } from '@parley/agent/serve';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FrameFate, FrameProxy, type PassingFrame } from '../fakes/frame-proxy';
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

/** What the task's log says, without ids and times. */
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

describe('a connection that breaks', () => {
  let undisturbed: Outcome;

  beforeAll(async () => {
    undisturbed = await answerThrough(() => 'pass');
  });

  test('not at all: the log has every event of the handler', () => {
    const { log, starts, frames } = undisturbed;
    const said = ['TASK_STATE_WORKING', 'TASK_STATE_WORKING thinking', 'text one;', 'text two;', 'text three;'];
    expect([log, starts]).toEqual([[...said, 'TASK_STATE_COMPLETED'], 1]);
    const sent = frames.filter(({ from }) => from === 'worker').map(({ method }) => method);
    expect(sent).toEqual(['hub.hello', 'response', ...Array(6).fill('run.event')]);
  });

  // The worker's: hello, acceptance, six events. The hub's: welcome, offer, start, acknowledgments.
  describe.each([
    ['worker', 'lose', 8],
    ['worker', 'cut', 8],
    ['hub', 'lose', 4],
    ['hub', 'cut', 4],
  ] as const)('at a frame of the %s (%s)', (from, fate, boundaries) => {
    test('leaves an undisturbed log, and starts the handler once (check 5)', { timeout: 60_000 }, async () => {
      const outcomes = await Promise.all(
        Array.from({ length: boundaries }, (_, at) => answerThrough(once(from, at + 1, fate))),
      );
      for (const [at, { log, starts, frames }] of outcomes.entries()) {
        const where = `frame ${at + 1} of the ${from}`;
        expect(log, where).toEqual(undisturbed.log);
        expect(starts, where).toBe(1);
        const hellos = frames.filter(({ method }) => method === 'hub.hello').length;
        // After its last event the worker may have nothing left to come back for.
        if (at + 1 < boundaries) expect(hellos, where).toBe(2);
      }
    });
  });
});
