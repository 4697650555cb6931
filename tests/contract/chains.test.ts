import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { createPerson, type Person, rpc, tokenFor } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import {
  allow,
  approvalOf,
  askChain,
  type ChainsFixture,
  chainOf,
  connectTo,
  createChainsFixture,
  decide,
  exchangeFor,
  type Hired,
  hire as hireOnce,
  holdAnswers,
  type OwnedAgent,
  type RootTask,
  setHiring,
  startRoot,
} from './chains-fixture';

let fixture: ChainsFixture;
let boss: OwnedAgent;
let worker: OwnedAgent;
let helper: OwnedAgent;
let ada: Person;
let url: string;

beforeAll(async () => {
  fixture = await createChainsFixture();
  ({ url } = fixture);
  [boss, worker, helper] = [
    await fixture.createAgent('Boss'),
    await fixture.createAgent('Worker'),
    await fixture.createAgent('Helper'),
  ];
});

afterAll(() => fixture?.close());

beforeEach(async () => {
  ada = await createPerson(url, 'Ada');
  worker.agent.answer(completed);
  helper.agent.answer(completed);
});

const completed: Parameters<OwnedAgent['agent']['answer']>[0] = ({ received, json }) => {
  const id = newUuid();
  json({
    jsonrpc: '2.0',
    id: received.id,
    result: { kind: 'task', id, contextId: 'c', status: { state: 'completed' } },
  });
};

function hire(
  root: Pick<RootTask, 'token'>,
  text: string,
  more: { to?: OwnedAgent; signal?: AbortSignal; message?: object } = {},
): Promise<Hired> {
  const { to = worker, signal, message } = more;
  return hireOnce(url, [boss, to], { root, text, more: message, signal });
}

async function stateOf(root: RootTask): Promise<string> {
  const connection = connectTo(url, boss, await tokenFor(url, ada, boss.slug));
  const { body } = await rpc(connection, 'tasks/get', { id: root.id });
  return (body.result as { status: { state: string } }).status.state;
}

async function reaches(root: RootTask, state: string): Promise<void> {
  await waitFor(async () => (await stateOf(root)) === state, { what: `the state ${state}` });
}

describe('a chain', () => {
  test('shows the user which agent called which, each task’s state, and the number of calls', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const first = await hire(root, 'Count the sheep.');
    expect(first.body.error).toBeUndefined();
    await hire(root, 'Count the goats.', { to: helper });
    await waitFor(async () => (await chainOf(url, ada, root)).tasks.every(({ state }) => state === 'completed'), {
      what: 'both answers',
    });
    expect(await chainOf(url, ada, root)).toMatchObject({
      rootTaskId: root.id,
      state: 'running',
      calls: 2,
      maxCalls: 25,
      maxOpen: 4,
      cost: [],
      approvals: [],
      tasks: [
        {
          taskId: first.body.result?.id,
          parentTaskId: root.id,
          depth: 1,
          from: { slug: boss.slug, name: 'Boss' },
          agent: { slug: worker.slug, name: 'Worker' },
          text: 'Count the sheep.',
          interrupt: null,
        },
        { parentTaskId: root.id, agent: { slug: helper.slug }, text: 'Count the goats.' },
      ],
    });
    root.finish();
    await reaches(root, 'completed');
    expect(await chainOf(url, ada, root)).toMatchObject({ state: 'over' });
  });

  test('includes the agents that hired agents hire in turn', async () => {
    for (const agent of [boss, worker]) await setHiring(url, ada, { agent: agent, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const finish = holdAnswers(worker);
    worker.agent.received.length = 0;
    const child = await hire(root, 'Ask somebody.');
    await waitFor(() => worker.agent.messages[0], { what: 'the call of the worker' });
    const { authorization } = worker.agent.messages[0]?.headers ?? {};
    const token = String(authorization).replace('Bearer ', '');
    await hireOnce(url, [worker, helper], { root: { token }, text: 'Do you know?' });
    const { calls, tasks } = await chainOf(url, ada, root);
    expect([calls, tasks.map(({ depth, parentTaskId }) => [depth, parentTaskId])]).toEqual([
      2,
      [
        [1, root.id],
        [2, child.body.result?.id],
      ],
    ]);
    finish();
    root.finish();
  });

  test('belongs to the task that the agent names, but only if the agent is working on it', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const first = await startRoot(url, ada, boss);
    const second = await startRoot(url, ada, boss);
    expect(boss.agent.received.at(-1)?.headers['parley-task']).toBe(second.id);
    const named = (id: unknown): { message: object } => ({ message: { metadata: { 'parley.parentTask': id } } });
    await hire(first, 'For the first.', named(first.id));
    await hire(first, 'For whichever is latest.');
    expect((await chainOf(url, ada, first)).calls).toBe(1);
    expect((await chainOf(url, ada, second)).calls).toBe(1);
    const eve = await createPerson(url, 'Eve');
    const foreign = await startRoot(url, eve, boss);
    for (const id of [foreign.id, newUuid(), 'x', 7, null]) {
      const { body } = await hire(first, `For ${id}.`, named(id));
      expect(body.error?.message).toContain('parley.parentTask');
    }
    expect((await chainOf(url, ada, first)).calls).toBe(1);
    expect((await askChain(url, eve, { rootTaskId: foreign.id })).status).toBe(404);
  });

  test('rejects every request from another user, and every anonymous request', async () => {
    const root = await startRoot(url, ada, boss);
    const asking = hire(root, 'May I?');
    const { id, contentHash } = await approvalOf(url, ada, root);
    const eve = await createPerson(url, 'Eve');
    const requests = [
      { path: '' },
      { path: '/stop', method: 'POST' },
      { path: `/approvals/${id}`, body: { decision: 'allow', contentHash } },
      { path: `/tasks/${newUuid()}/messages`, body: { messageId: newUuid(), text: 'hello' } },
    ];
    for (const request of requests) {
      expect((await askChain(url, eve, { rootTaskId: root.id, ...request })).status).toBe(404);
      expect((await askChain(url, ada, { rootTaskId: newUuid(), ...request })).status).toBe(404);
      expect((await askChain(url, ada, { rootTaskId: 'x', ...request })).status).toBe(404);
      expect((await askChain(url, { ...eve, cookie: '' }, { rootTaskId: root.id, ...request })).status).toBe(401);
    }
    expect(await stateOf(root)).toBe('auth-required');
    await decide(url, ada, { root, id, body: { decision: 'deny' } });
    await asking;
    root.finish();
  });
});

describe('an agent that needs approval for hires', () => {
  test('pauses the root task until the user allows the call once, and the chain continues', async () => {
    const root = await startRoot(url, ada, boss);
    const asking = hire(root, 'Count the cows.');
    const approval = await approvalOf(url, ada, root);
    expect(approval).toMatchObject({
      reasons: ['hire'],
      from: { slug: boss.slug, name: 'Boss' },
      to: { slug: worker.slug, name: 'Worker' },
      parts: [{ kind: 'text', text: 'Count the cows.', name: null, mediaType: null, bytes: 15 }],
    });
    await reaches(root, 'auth-required');
    const connection = connectTo(url, boss, await tokenFor(url, ada, boss.slug));
    const { body } = await rpc(connection, 'tasks/get', { id: root.id });
    expect(JSON.stringify(body.result)).toContain('Boss wants to call Worker for you');
    expect(await chainOf(url, ada, root)).toMatchObject({ state: 'waiting', calls: 0, tasks: [] });
    const allowed = await decide(url, ada, { root, id: approval.id, body: allow(approval) });
    expect([allowed.status, await allowed.json()]).toMatchObject([200, { approvals: [] }]);
    expect((await asking).body.result?.id).toEqual(expect.any(String));
    await reaches(root, 'working');
    root.finish();
    await reaches(root, 'completed');
    const next = await startRoot(url, ada, boss);
    const again = hire(next, 'Count the cows.');
    const asked = await approvalOf(url, ada, next);
    await decide(url, ada, { root: next, id: asked.id, body: { ...allow(asked), always: true } });
    expect((await again).body.error).toBeUndefined();
    next.finish();
    await reaches(next, 'completed');
    const third = await startRoot(url, ada, boss);
    expect((await hire(third, 'Count the cows.')).body.error).toBeUndefined();
    third.finish();
  });

  test('receives the refusal of the user, even if it retries, and the root task continues', async () => {
    const root = await startRoot(url, ada, boss);
    const asking = hire(root, 'Sell the farm.');
    const approval = await approvalOf(url, ada, root);
    const { id } = approval;
    expect((await decide(url, ada, { root, id, body: { decision: 'perhaps' } })).status).toBe(400);
    expect((await decide(url, ada, { root, id, body: { decision: 'deny' } })).status).toBe(200);
    expect((await decide(url, ada, { root, id, body: { decision: 'deny' } })).status).toBe(200);
    expect((await decide(url, ada, { root, id, body: allow(approval) })).status).toBe(409);
    expect((await asking).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    await reaches(root, 'working');
    expect((await hire(root, 'Sell the farm.')).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    expect((await chainOf(url, ada, root)).calls).toBe(0);
    root.finish();
    await reaches(root, 'completed');
  });

  test('can disconnect and resend the same message, and the user is asked only once', async () => {
    const root = await startRoot(url, ada, boss);
    const controller = new AbortController();
    const message = { messageId: newUuid() };
    const lost = hire(root, 'Still there?', { signal: controller.signal, message }).catch(() => null);
    const approval = await approvalOf(url, ada, root);
    controller.abort();
    await lost;
    const again = hire(root, 'Still there?', { message });
    expect((await chainOf(url, ada, root)).approvals).toHaveLength(1);
    await decide(url, ada, { root, id: approval.id, body: allow(approval) });
    const { body } = await again;
    expect(body.error).toBeUndefined();
    const repeated = await hire(root, 'Still there?', { message });
    expect(repeated.body.result?.id).toBe(body.result?.id);
    expect((await chainOf(url, ada, root)).calls).toBe(1);
    root.finish();
  });

  test('has its hire rejected without a question if the user has turned off hires', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'never' });
    const root = await startRoot(url, ada, boss);
    expect(await exchangeFor(url, [boss, worker], root.token)).toMatchObject({ error: 'invalid_request' });
    root.finish();
  });
});

describe('a chain’s limits', () => {
  test('hold the 26th call until it is approved, which allows 25 more', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    await hire(root, 'number 1');
    await query('test-chain-calls', 'UPDATE chain SET calls = 24 WHERE root_task_id = $1', [root.id]);
    expect((await hire(root, 'number 25')).body.error).toBeUndefined();
    const last = hire(root, 'number 26');
    const approval = await approvalOf(url, ada, root);
    expect(approval.reasons).toEqual(['calls']);
    await reaches(root, 'auth-required');
    await decide(url, ada, { root, id: approval.id, body: allow(approval) });
    expect((await last).body.error).toBeUndefined();
    expect(await chainOf(url, ada, root)).toMatchObject({ calls: 26, maxCalls: 50 });
    root.finish();
  });

  test('never allow more than four open tasks, and the fifth concurrent call waits for approval', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const finish = holdAnswers(worker);
    const sent = Array.from({ length: 5 }, (_, index) => hire(root, `open ${index}`));
    const approval = await approvalOf(url, ada, root);
    expect(approval.reasons).toEqual(['open']);
    // The call that waits is counted before the tasks of the others are created.
    await expect.poll(async () => (await chainOf(url, ada, root)).tasks.length).toBe(4);
    await decide(url, ada, { root, id: approval.id, body: allow(approval) });
    const answers = await Promise.all(sent);
    expect(answers.map(({ body }) => body.error)).toEqual(Array(5).fill(undefined));
    expect(await chainOf(url, ada, root)).toMatchObject({ calls: 5, maxOpen: 8 });
    finish();
    root.finish();
  });

  test('hold a call while four tasks are open, and start it when one of them ends', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const finish = holdAnswers(worker);
    for (const text of ['one', 'two', 'three', 'four']) await hire(root, text);
    const fifth = hire(root, 'five');
    await approvalOf(url, ada, root);
    finish();
    expect((await fifth).body.error).toBeUndefined();
    await reaches(root, 'working');
    expect(await chainOf(url, ada, root)).toMatchObject({ approvals: [], calls: 5, maxOpen: 4 });
    root.finish();
  });

  test('require approval in a chain that is older than an hour', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    await hire(root, 'early');
    await query('test-chain-ends', 'UPDATE chain SET ends_at = now() WHERE root_task_id = $1', [root.id]);
    const late = hire(root, 'late');
    const approval = await approvalOf(url, ada, root);
    expect(approval.reasons).toEqual(['time']);
    await decide(url, ada, { root, id: approval.id, body: allow(approval) });
    expect((await late).body.error).toBeUndefined();
    root.finish();
  });

  test('reject a repeated request to the same agent, unless the first request failed', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    expect((await hire(root, 'once')).body.error).toBeUndefined();
    expect((await hire(root, 'once')).body.error?.data).toMatchObject({ reason: 'chain_repeat' });
    expect((await hire(root, 'once', { to: helper })).body.error).toBeUndefined();
    worker.agent.answer(({ received, json }) =>
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(newUuid(), 'failed') }),
    );
    const failed = await hire(root, 'twice');
    await waitFor(
      async () =>
        (await chainOf(url, ada, root)).tasks.find(({ taskId }) => taskId === failed.body.result?.id)?.state ===
        'failed',
      { what: 'the failure' },
    );
    worker.agent.answer(completed);
    expect((await hire(root, 'twice')).body.error).toBeUndefined();
    expect((await chainOf(url, ada, root)).calls).toBe(4);
    root.finish();
  });

  test('do not allow an agent that is already working in a chain to be called again in it', async () => {
    for (const agent of [boss, worker]) await setHiring(url, ada, { agent: agent, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const finish = holdAnswers(worker);
    worker.agent.received.length = 0;
    await hire(root, 'Call me back.');
    await waitFor(() => worker.agent.messages[0], { what: 'the call of the worker' });
    const token = String(worker.agent.messages[0]?.headers.authorization).replace('Bearer ', '');
    expect(await exchangeFor(url, [worker, boss], token)).toMatchObject({ error: 'invalid_target' });
    finish();
    root.finish();
  });
});

describe('the user of a chain', () => {
  test('can stop the whole chain: delegated tasks end first, no task keeps running, and none can start', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    holdAnswers(worker);
    for (const text of ['one', 'two', 'three']) await hire(root, text);
    const stopped = await askChain(url, ada, { rootTaskId: root.id, path: '/stop', method: 'POST' });
    expect([stopped.status, await stopped.json()]).toEqual([202, { canceled: 4 }]);
    const { state, tasks } = await chainOf(url, ada, root);
    expect([state, tasks.map((task) => task.state)]).toEqual(['stopped', ['canceled', 'canceled', 'canceled']]);
    expect(await stateOf(root)).toBe('canceled');
    expect((await hire(root, 'four')).body.error?.data).toMatchObject({ reason: 'chain_stopped' });
    const again = await askChain(url, ada, { rootTaskId: root.id, path: '/stop', method: 'POST' });
    expect([again.status, await again.json()]).toEqual([202, { canceled: 0 }]);
  });

  test('can stop delegated tasks by canceling the root task, in any dialect', async () => {
    const root = await startRoot(url, ada, boss);
    const asking = hire(root, 'Wait for me.');
    await approvalOf(url, ada, root);
    const connection = connectTo(url, boss, await tokenFor(url, ada, boss.slug));
    const { body } = await rpc(connection, 'tasks/cancel', { id: root.id });
    expect(body.result).toMatchObject({ status: { state: 'canceled' } });
    expect((await asking).body.error?.data).toMatchObject({ reason: 'approval_denied' });
    expect((await hire(root, 'And now?')).body.error?.data).toMatchObject({ reason: 'chain_stopped' });
  });

  test('can answer a hired agent’s question', async () => {
    await setHiring(url, ada, { agent: boss, hire: 'yes' });
    const root = await startRoot(url, ada, boss);
    const taskId = newUuid();
    worker.agent.answer(({ received, json }) => {
      const answer = received.params.message?.taskId === taskId ? 'completed' : 'input-required';
      const message = agent03.agentMessage(answer === 'completed' ? 'Thanks.' : 'Which field?', taskId);
      const result = { kind: 'task', id: taskId, contextId: 'c', status: { state: answer, message } };
      json({ jsonrpc: '2.0', id: received.id, result });
    });
    const child = await hire(root, 'Plough.');
    const id = String(child.body.result?.id);
    await waitFor(async () => (await chainOf(url, ada, root)).tasks[0]?.interrupt, { what: 'the question' });
    expect((await chainOf(url, ada, root)).tasks[0]).toMatchObject({
      state: 'input-required',
      interrupt: { kind: 'question', text: 'Which field?', orderId: null },
    });
    const path = `/tasks/${id}/messages`;
    const body = { messageId: newUuid(), text: 'The long one.' };
    expect((await askChain(url, ada, { rootTaskId: root.id, path, body: { ...body, text: ' ' } })).status).toBe(400);
    expect((await askChain(url, ada, { rootTaskId: root.id, path: `/tasks/${root.id}/messages`, body })).status).toBe(
      404,
    );
    const answered = await askChain(url, ada, { rootTaskId: root.id, path, body });
    expect([answered.status, await answered.json()]).toEqual([202, { taskId: id }]);
    await waitFor(async () => (await chainOf(url, ada, root)).tasks[0]?.state === 'completed', { what: 'the answer' });
    expect(worker.agent.messages.at(-1)?.params.message?.parts[0]?.text).toBe('The long one.');
    expect((await chainOf(url, ada, root)).calls).toBe(1);
    root.finish();
  });
});
