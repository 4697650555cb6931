import { connect, type Connection as Served } from '@parley/agent/serve';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { FrameProxy, type PassingFrame } from '../fakes/frame-proxy';
import { ServingProcess } from '../fakes/serving-process';
import { type Connection, message10, post, readEvents, rpc, type WireEvent } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

interface TaskView {
  id: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
}

/** The check says 3 s, which bench/drills/hub-kills.mjs measures; the rest is for a machine that is busy elsewhere. */
const maxGapMs = 6_000;

let one: Parley;
let two: Parley;

beforeAll(async () => {
  const env = { HUB_GRACE_SECONDS: '2' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
});

function textOf({ artifacts = [] }: TaskView): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');
}

describe('nodes that are killed during a stream', () => {
  let three: Parley;
  let served: Served;
  let agent: HubAgent;
  let starts = 0;
  /** The node that the worker connects to. */
  let origin: string;

  const pieces = Array.from({ length: 1_000 }, (_, at) => `${at};`);

  beforeAll(async () => {
    three = await startParley({ env: { APP_URL: one.url } });
    agent = await listHubAgent(one);
    origin = one.url;
    served = await connect({
      url: one.url,
      agent: agent.slug,
      token: agent.token,
      async *handle() {
        starts += 1;
        for (const piece of pieces) {
          yield piece;
          await new Promise((resolve) => setTimeout(resolve, 4));
        }
      },
      // As behind a load balancer.
      WebSocket: class extends WebSocket {
        constructor(url: string, protocols: string[]) {
          super(url.replace(one.url.replace('http', 'ws'), origin.replace('http', 'ws')), protocols);
        }
      } as never,
    });
    await waitFor(() => served.state === 'online', { what: 'the worker to be online' });
  });

  afterAll(async () => {
    await served?.drain({ timeoutMs: 0 });
    await three?.stop();
    await one.restart();
  });

  /** Pieces as they arrive at a reader, and the longest time between two. */
  async function read(connection: Connection, seen: string[]): Promise<number> {
    const request = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('count') };
    let longest = 0;
    let last = 0;
    await readEvents(await post(connection, request), (events) => {
      const now = performance.now();
      if (last > 0) longest = Math.max(longest, now - last);
      last = now;
      seen.splice(0, seen.length, ...piecesOf(events));
      return false;
    });
    return longest;
  }

  function piecesOf(events: WireEvent[]): string[] {
    return events.flatMap(({ data }) => {
      const { result } = data as { result: { artifactUpdate?: { artifact: { parts: { text: string }[] } } } };
      return result.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? [];
    });
  }

  test('neither lose nor repeat an event, even if the worker moves to another node twice', {
    timeout: 90_000,
  }, async () => {
    const seen: string[] = [];
    const reading = read({ ...agent.caller, url: agent.caller.url.replace(one.url, two.url) }, seen);
    for (const [node, next] of [
      [one, three],
      [three, two],
    ] as const) {
      const before = seen.length;
      await waitFor(() => seen.length >= before + 200, { what: 'more pieces' });
      origin = next.url;
      await node.kill('SIGKILL');
    }
    const gap = await reading;
    expect(seen.join('')).toBe(pieces.join(''));
    expect(starts).toBe(1);
    expect(gap).toBeLessThan(maxGapMs);
  });
});

describe('a worker that is killed or frozen', () => {
  async function start(agent: HubAgent, redelivery: 'never' | 'safe', url = one.url): Promise<ServingProcess> {
    const worker = await ServingProcess.start({ url, agent: agent.slug, token: agent.token, redelivery });
    workers.push(worker);
    return worker;
  }

  const workers: ServingProcess[] = [];
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.kill()));
  });

  async function send({ caller }: HubAgent): Promise<TaskView> {
    const { body } = await rpc(caller, 'SendMessage', message10('hello'));
    if (body.error) throw new Error(JSON.stringify(body.error));
    return (body.result as { task: TaskView }).task;
  }

  async function runsIn(state: string, { slug }: HubAgent): Promise<boolean> {
    const statement = `SELECT h.task_id FROM hub_run h JOIN agent a ON a.id = h.agent_id WHERE a.slug = $1 AND h.state = $2`;
    return (await query('test-hub-runs', statement, [slug, state])).length > 0;
  }

  test('before it accepts a run loses it to another worker, which executes it exactly once', async () => {
    const agent = await listHubAgent(one);
    const first = await start(agent, 'never');
    first.freeze();
    const sending = send(agent);
    await waitFor(() => runsIn('offered', agent), { what: 'the offer' });
    const second = await start(agent, 'never');
    await first.kill();
    second.proceed();
    const task = await sending;
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_COMPLETED', 'begun;done;']);
    expect([first.attempts, second.attempts]).toEqual([[], [1]]);
  });

  test('after it begins a run fails the run with worker_lost, and the run does not restart', async () => {
    const agent = await listHubAgent(one);
    const first = await start(agent, 'never');
    const sending = send(agent);
    await waitFor(() => first.attempts.length > 0, { what: 'the run' });
    await waitFor(() => runsIn('accepted', agent), { what: 'the acceptance' });
    const second = await start(agent, 'never');
    await first.kill();
    const task = await sending;
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(task.status.message?.parts[0]?.text).toContain('did not reconnect');
    expect(textOf(task)).toBe('begun;');
    expect([first.attempts, second.attempts]).toEqual([[1], []]);
  });

  test('after it begins a run that is safe to repeat has the run restarted exactly once', async () => {
    const agent = await listHubAgent(one);
    const first = await start(agent, 'safe');
    const sending = send(agent);
    await waitFor(() => first.attempts.length > 0, { what: 'the run' });
    const second = await start(agent, 'safe');
    await first.kill();
    second.proceed();
    const task = await sending;
    // The second answer replaces the first.
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_COMPLETED', 'begun;done;']);
    expect([first.attempts, second.attempts]).toEqual([[1], [2]]);
  });

  test('adds no events if it was frozen for longer than the grace period', async () => {
    const agent = await listHubAgent(one);
    const proxy = await FrameProxy.start(one.url);
    const frozen = await start(agent, 'safe', proxy.url);
    const sending = send(agent);
    await waitFor(() => frozen.attempts.length > 0, { what: 'the run' });
    frozen.freeze();
    const other = await start(agent, 'safe');
    // Its connection breaks meanwhile.
    proxy.cut();
    await waitFor(() => other.attempts.length > 0, { what: 'the second start' });
    frozen.wake();
    frozen.proceed();
    await waitFor(() => frozen.outcomes.length > 0, { what: 'the late handler to end' });
    const welcomes = (): PassingFrame[] =>
      proxy.frames.filter(({ from, method }) => from === 'hub' && method === 'response');
    await waitFor(() => welcomes().length === 2, { what: 'the answer to its second hello' });
    expect(welcomes()[1]?.text).toContain('"gone":true');
    other.proceed();
    const task = await sending;
    expect([task.status.state, textOf(task)]).toEqual(['TASK_STATE_COMPLETED', 'begun;done;']);
    expect([frozen.attempts, other.attempts]).toEqual([[1], [2]]);
    expect(proxy.frames.filter(({ method }) => method === 'run.event')).toHaveLength(2);
    await proxy.stop();
  });

  test('receives stale_epoch for events of an earlier offer after the run is offered to it again', async () => {
    const agent = await listHubAgent(one);
    const first = await agent.worker({ redelivery: 'safe' });
    const sending = send(agent);
    await waitFor(() => first.started.length > 0, { what: 'the run' });
    const [runId = ''] = first.started;
    const early = first.run(runId);
    await first.close();
    await waitFor(() => runsIn('waiting', agent), { what: 'the grace period to end' });
    const again = await agent.worker({ redelivery: 'safe', workerId: first.workerId });
    await waitFor(() => again.started.length > 0, { what: 'the second start' });
    early.worker = again;
    early.status('FAILED', 'late');
    await waitFor(() => again.frames('run.gone').length > 0, { what: 'the refusal' });
    expect(again.frames('run.gone')[0]?.params).toEqual({ runId, epoch: 1, reason: 'stale_epoch' });
    expect(again.offers.map(({ epoch, attempt }) => [epoch, attempt])).toEqual([[2, 2]]);
    again.run(runId).status('COMPLETED', 'in time');
    const task = await sending;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(JSON.stringify(task)).not.toContain('late');
    await again.close();
  });
});
