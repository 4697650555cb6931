import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Frame, ScriptedRun, ScriptedWorker } from '../fakes/scripted-worker';
import { SocietyClient } from '../fakes/society-client';
import { message10, rpc, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';
import { createApp } from './tokens-fixture';

let parley: Parley;
let victim: HubAgent;
let stranger: HubAgent;
/** The worker that has the run that the others name. */
let owner: ScriptedWorker;
let run: ScriptedRun;
let ended: ScriptedRun;
let answer: Promise<unknown>;
const workers: ScriptedWorker[] = [];

beforeAll(async () => {
  parley = await startParley({ env: { HUB_GRACE_SECONDS: '30' } });
  victim = await listHubAgent(parley, { visibility: 'public' });
  stranger = await listHubAgent(parley, { visibility: 'public' });
  owner = await workerOf(victim, { capacity: 2 });
  ended = await begin();
  ended.status('COMPLETED', 'over');
  await waitFor(() => owner.frames('run.ack').length > 0, { what: 'the end of the first run' });
  run = await begin();
});

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await parley?.stop();
});

async function workerOf(agent: HubAgent, options: object = {}): Promise<ScriptedWorker> {
  const worker = await agent.worker(options);
  workers.push(worker);
  return worker;
}

/** A run that the owner has begun. */
async function begin(): Promise<ScriptedRun> {
  const before = owner.started.length;
  answer = rpc(victim.caller, 'SendMessage', message10('hello')).then(({ body }) => body);
  await waitFor(() => owner.started.length > before, { what: 'the run' });
  return owner.run(owner.started.at(-1) ?? '');
}

const forgedStatus = { statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } };

/** The owner of the run that a worker names, and whether the worker serves the same agent. */
const runsOfOthers: [name: string, agent: () => HubAgent, ref: () => { runId: string; epoch: number }][] = [
  ['of another agent', () => stranger, () => ({ runId: run.runId, epoch: run.offer.epoch })],
  ['of another worker', () => victim, () => ({ runId: run.runId, epoch: run.offer.epoch })],
  ['that has ended', () => victim, () => ({ runId: ended.runId, epoch: ended.offer.epoch })],
  ['that never existed', () => victim, () => ({ runId: `${crypto.randomUUID()}:1`, epoch: 1 })],
];

/** Every request of a worker that names a run. */
const runFrames: [method: string, params: (ref: { runId: string; epoch: number }) => object][] = [
  ['run.release', (ref) => ref],
  ['run.event', (ref) => ({ ...ref, n: 1, item: forgedStatus })],
  [
    'agent.send',
    ({ runId }) => ({
      runId,
      agent: stranger.slug,
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'forged' }] },
    }),
  ],
];

describe('WS-2 a worker that names another worker’s run', () => {
  const cases = runsOfOthers.flatMap(([name, agent, ref]) =>
    runFrames.map(([method, params]) => ({ name, method, agent, params: () => params(ref()) })),
  );
  test.each(cases)(
    'receives unknown_run for $name in $method, without any effect',
    async ({ method, agent, params }) => {
      const worker = await workerOf(agent());
      const { error, result } = await worker.request(method, params());
      expect([result, error?.code, error?.data]).toEqual([
        undefined,
        -32050,
        { reason: 'unknown_run', retryable: false },
      ]);
      expect(error?.message).toContain('another worker');
      expect([worker.closed, owner.closed]).toEqual([null, null]);
      await worker.close();
    },
  );

  test.each(runsOfOthers)('receives gone for %s in hub.hello', async (_name, agent, ref) => {
    const { runId, epoch } = ref();
    const worker = await workerOf(agent(), { runs: [{ runId, epoch, sent: 0 }] });
    expect(worker.hello?.result?.runs).toEqual([{ runId, gone: true }]);
    await worker.close();
  });

  test.each(runFrames.slice(0, 2))(
    'receives run.gone for the notification %s and stays connected',
    async (method, params) => {
      const worker = await workerOf(stranger);
      const ref = { runId: run.runId, epoch: run.offer.epoch };
      worker.notify(method, params(ref));
      await waitFor(() => worker.frames('run.gone').length > 0, { what: 'the refusal' });
      expect(worker.frames('run.gone')[0]?.params).toEqual({ ...ref, reason: 'unknown_run' });
      expect((await worker.request('hub.ping', {})).result).toEqual({});
      await worker.close();
    },
  );

  test.each(runFrames.slice(0, 2))('receives stale_epoch for its run in another epoch: %s', async (method, params) => {
    const { error } = await owner.request(method, params({ runId: run.runId, epoch: run.offer.epoch + 1 }));
    expect(error?.data).toEqual({ reason: 'stale_epoch', retryable: false });
    expect(error?.message).toContain(`expected ${run.offer.epoch}`);
  });
});

describe('WS-2 a worker that names a task of another caller or agent', () => {
  /** Every request of a worker that names a task or context of a conversation with another agent. */
  const taskFrames: [what: string, request: (worker: ScriptedWorker) => Promise<Frame>][] = [
    ['agent.cancel', (worker) => worker.request('agent.cancel', { taskId: run.offer.task.id })],
    [
      'agent.send',
      (worker) =>
        worker.request('agent.send', {
          agent: victim.slug,
          taskId: run.offer.task.id,
          message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'forged' }] },
        }),
    ],
  ];
  test.each(taskFrames)('receives task_not_found for another caller’s task in %s', async (_what, request) => {
    const app = await createApp(parley.url, stranger.owner);
    const body = { appId: app.id };
    const set = await send(`${parley.url}/api/agents/${stranger.slug}`, {
      method: 'PATCH',
      body,
      bearer: stranger.owner.accessToken,
    });
    expect(set.status).toBe(200);
    const worker = await workerOf(stranger);
    const { error, result } = await request(worker);
    expect([result, error?.data?.reason]).toEqual([undefined, 'task_not_found']);
    await worker.close();
  });

  test.each([
    ['task.status', { status: { state: 'completed' } }],
    ['task.complete', { status: { state: 'completed' }, final: true }],
    ['task.artifact', { artifact: { index: 0, parts: [{ type: 'text', text: 'forged' }] } }],
  ])('receives unknown_task for another agent’s task in %s in the older protocol', async (method, params) => {
    const token = await send(`${parley.url}/auth/agent-token`, { body: { api_key: stranger.token } });
    const { token: workerToken } = (await token.json()) as { token: string };
    const name = `foreign-${Math.random().toString(36).slice(2, 10)}`;
    const client = await SocietyClient.register(parley.url, { name, token: workerToken });
    const { result } = await client.request(method, { task_id: run.offer.task.id, ...params });
    expect(result).toEqual({ accepted: false, reason: 'unknown_task' });
    await client.close();
  });
});

test('WS-2 a response to a request that the hub sent to another worker changes no data', async () => {
  const worker = await workerOf(stranger);
  for (let id = 1; id <= 20; id++) worker.send({ jsonrpc: '2.0', id: `hub-${id}`, result: { accept: true } });
  expect((await worker.request('hub.ping', {})).result).toEqual({});
  expect([worker.offers, worker.started]).toEqual([[], []]);
  await worker.close();
});

test('WS-2 a run ends with its own worker’s answer after all attempts by another worker', async () => {
  run.status('COMPLETED', 'genuine');
  const text = JSON.stringify(await answer);
  expect(text).toContain('genuine');
  expect(text).not.toContain('forged');
});
