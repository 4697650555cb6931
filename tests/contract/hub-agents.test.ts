import { type ConnectOptions, connect, type Connection as Served } from '@parley/agent/serve';
import { decodeJwt } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Frame, type ScriptedRun, ScriptedWorker, type WorkerOptions } from '../fakes/scripted-worker';
import { type Connection, connectTo, createPerson, message10, type Person, rpc, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';
import { createApp, postForm } from './tokens-fixture';

interface TaskView {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: { text: string }[] }[];
}

interface Caller {
  person: Person;
  connection: Connection;
}

let parley: SharedParley;
/** The agent that calls, and the agent that it calls. */
let hirer: HubAgent;
let hired: HubAgent;
let ada: Caller;
const workers: ScriptedWorker[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  hirer = await listHubAgent(parley, { visibility: 'public' });
  ada = await newCaller('Ada');
});

beforeEach(async () => {
  hired = await listHubAgent(parley, { visibility: 'public' });
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.closed ?? worker.close()));
});

/** A worker that ends with the test. */
async function workerOf(agent: HubAgent, options: Partial<WorkerOptions> = {}): Promise<ScriptedWorker> {
  const worker = await agent.worker(options);
  workers.push(worker);
  return worker;
}

/** A user, and their choice whether the first agent may hire others. */
async function newCaller(name: string, hire = 'yes'): Promise<Caller> {
  const person = await createPerson(parley.url, name);
  const body = { scopes: [], hire };
  const by = { cookie: person.cookie, origin: parley.url };
  const set = await send(`${parley.url}/api/grants/${hirer.slug}`, { method: 'PUT', body, ...by });
  if (!set.ok) throw new Error(`grant: ${set.status}`);
  return { person, connection: await connectTo(parley.url, person, hirer.slug) };
}

async function ask({ connection }: Caller, text: string): Promise<TaskView> {
  const params = { ...message10(text), configuration: { returnImmediately: true } };
  const { body } = await rpc(connection, 'SendMessage', params);
  if (body.error) throw new Error(JSON.stringify(body.error));
  return (body.result as { task: TaskView }).task;
}

/** A worker of the first agent with a run that it has begun for the caller. */
async function working(caller: Caller = ada, text = 'help me'): Promise<{ worker: ScriptedWorker; run: ScriptedRun }> {
  const worker = await workerOf(hirer);
  const run = await runFor(worker, caller, text);
  return { worker, run };
}

async function runFor(worker: ScriptedWorker, caller: Caller, text = 'help me'): Promise<ScriptedRun> {
  const task = await ask(caller, text);
  const offer = await waitFor(() => worker.offers.find((known) => known.task.id === task.id), { what: 'the offer' });
  await waitFor(() => worker.started.includes(offer.runId), { what: 'the start' });
  return worker.run(offer.runId);
}

/** The address of the chain of a run's task, and its first pending approval; null while there is none. */
async function approvalOf(
  { person }: Caller,
  { offer }: ScriptedRun,
): Promise<{ path: string; approval: { id: string; contentHash: string } } | null> {
  const path = `${parley.url}/api/chat/chains/${offer.task.id}`;
  const response = await send(path, { cookie: person.cookie });
  if (!response.ok) return null;
  const { approvals } = (await response.json()) as { approvals: { id: string; contentHash: string }[] };
  return approvals[0] ? { path, approval: approvals[0] } : null;
}

async function decide(
  { person }: Caller,
  { path, approval: { id, contentHash } }: { path: string; approval: { id: string; contentHash: string } },
  decision: string,
): Promise<void> {
  const body = { decision, contentHash };
  const decided = await send(`${path}/approvals/${id}`, { body, cookie: person.cookie, origin: parley.url });
  expect(decided.status).toBe(200);
}

function message(text: string, more: object = {}): { messageId: string } {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more } as { messageId: string };
}

/** The first agent sends to the second one for the caller of its run. */
function hire(worker: ScriptedWorker, { runId }: { runId?: string }, more: object = {}): Promise<Frame> {
  return worker.request('agent.send', { agent: hired.slug, message: message('do it'), runId, ...more });
}

function reasonOf({ error }: Frame): string | undefined {
  return error?.data?.reason;
}

function taskOf({ result }: Frame): TaskView {
  return (result as { task: TaskView }).task;
}

/** The items of the events of a task, in order. */
function itemsOf(worker: ScriptedWorker, { id }: TaskView): Record<string, unknown>[] {
  return worker
    .frames('agent.event')
    .filter(({ params }) => params?.taskId === id)
    .map(({ params }) => (params?.item ?? { error: params?.error }) as Record<string, unknown>);
}

function textsOf(items: Record<string, unknown>[]): string {
  return items
    .flatMap(({ artifactUpdate }) => {
      const update = artifactUpdate as { artifact: { parts: { text: string }[] } } | undefined;
      return update?.artifact.parts.map(({ text }) => text) ?? [];
    })
    .join('');
}

async function lastState(worker: ScriptedWorker, task: TaskView, state: string): Promise<void> {
  await waitFor(() => JSON.stringify(itemsOf(worker, task).at(-1) ?? {}).includes(`TASK_STATE_${state}`), {
    what: `the task to be ${state}`,
  });
}

describe('agent.search', () => {
  test('rejects invalid input with a typed error, and keeps the connection open', async () => {
    const worker = await workerOf(hirer);
    for (const params of [
      {},
      { query: 7 },
      { query: 'x'.repeat(201) },
      { query: '', limit: 0 },
      { query: '', limit: 51 },
      { query: '', health: 'fine' },
      { query: '', skill: [] },
    ]) {
      const { error } = await worker.request('agent.search', params);
      expect(error).toMatchObject({ code: -32602, data: { reason: 'invalid_params', retryable: false } });
    }
    expect(worker.closed).toBeNull();
  });

  test('returns the same agents as the market, but never private or unlisted ones', async () => {
    const word = `dirigible${process.pid}`;
    const skill = { id: 'fly', name: `Fly a ${word}`, description: 'Flies', tags: ['air'] };
    const card = { name: 'Pilot', description: 'Flies things', version: '1.0.0', skills: [skill] };
    const shown = await listHubAgent(parley, { card, visibility: 'public' });
    for (const visibility of ['private', 'unlisted']) {
      const body = { hub: true, slug: `${visibility}-${process.pid}`, card, visibility };
      const listed = await send(`${parley.url}/api/agents`, { body, bearer: hirer.owner.accessToken });
      expect(listed.status).toBe(201);
    }
    const worker = await workerOf(hirer);
    const market = await send(`${parley.url}/api/agents?q=${word}`, {});
    const { items } = (await market.json()) as { items: object[] };
    for (const params of [{ query: word }, { query: '', skill: word }, { query: 'fly', skill: word, limit: 50 }]) {
      const { result } = await worker.request('agent.search', params);
      expect(result).toMatchObject({ total: 1, items: [{ slug: shown.slug, matchedSkill: `Fly a ${word}` }] });
    }
    // The score may have been computed since.
    const shownItems = items.map((item) => ({ ...item, standing: expect.any(Object) }));
    expect((await worker.request('agent.search', { query: word })).result?.items).toEqual(shownItems);
    const none = await worker.request('agent.search', { query: word, health: 'down' });
    expect(none.result).toMatchObject({ items: [], total: 0, isWeak: false });
  });

  test('limits a flood of requests with typed errors, and keeps the connection open', async () => {
    const flooding = await listHubAgent(parley);
    const worker = await workerOf(flooding);
    const frames = await Promise.all(
      Array.from({ length: 300 }, () => worker.request('agent.search', { query: 'anything' })),
    );
    const reasons = new Set(frames.flatMap((frame) => reasonOf(frame) ?? []));
    expect(reasons.size).toBeGreaterThan(0);
    for (const reason of reasons) expect(['too_many_calls', 'rate_limited']).toContain(reason);
    expect(frames.some(({ result }) => result)).toBe(true);
    expect((await worker.request('hub.ping', {})).result).toEqual({});
  });
});

describe('agent.send', () => {
  test('rejects invalid input with a typed error, and keeps the connection open', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired)];
    for (const [more, reason] of [
      [{ agent: 7 }, 'invalid_params'],
      [{ message: 'hello' }, 'invalid_params'],
      [{ message: { ...message('x'), parts: [] } }, 'invalid_params'],
      [{ message: { ...message('x'), messageId: 'not-a-uuid' } }, 'invalid_params'],
      [{ message: { ...message('x'), role: 'ROLE_AGENT' } }, 'invalid_params'],
      [{ contextId: '' }, 'invalid_params'],
      [{ metadata: 'x' }, 'invalid_params'],
      [{ taskId: crypto.randomUUID() }, 'task_not_found'],
      [{ taskId: run.offer.task.id }, 'task_not_found'],
      [{ agent: 'nobody-at-all' }, 'agent_not_found'],
      [{ agent: hirer.slug }, 'invalid_target'],
    ] as const) {
      expect([more, reasonOf(await hire(worker, run, more))]).toEqual([more, reason]);
    }
    const deep = `{"jsonrpc":"2.0","id":"deep","method":"agent.send","params":{"agent":"${hired.slug}","message":
      {"messageId":"${crypto.randomUUID()}","role":"ROLE_USER","parts":[{"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}]}}}`;
    worker.send(deep);
    const answer = await waitFor(() => worker.received.find(({ id }) => id === 'deep'), { what: 'the error' });
    expect(reasonOf(answer)).toBe('parse_error');
    expect(worker.closed).toBeNull();
    expect(helper.offers).toEqual([]);
    run.status('COMPLETED');
  });

  test('requires an id, and closes the connection if it is sent as a notification', async () => {
    const worker = await workerOf(hirer);
    worker.notify('agent.send', { agent: hired.slug, message: message('x') });
    await waitFor(() => worker.closed?.code === 4400, { what: 'the connection to close' });
  });

  test('accepts only runs that this worker has accepted', async () => {
    const { worker, run } = await working();
    const [other, foreign] = [await workerOf(hired), await workerOf(hirer)];
    const forged = [run.runId.replace(/:.*/, ':9'), `${crypto.randomUUID()}:2`, 'x', ''];
    for (const runId of forged) expect(reasonOf(await hire(worker, { runId }))).toBe('unknown_run');
    expect(reasonOf(await hire(other, run, { agent: hirer.slug }))).toBe('unknown_run');
    expect(reasonOf(await hire(foreign, run))).toBe('unknown_run');
    run.status('COMPLETED');
    await waitFor(() => worker.frames('run.ack').length > 0, { what: 'the end of the run' });
    await waitFor(async () => reasonOf(await hire(worker, run)) === 'unknown_run', { what: 'the run to end' });
  });

  test('is rejected if the user never allows the agent to call other agents', async () => {
    const nora = await newCaller('Nora', 'never');
    const { worker, run } = await working(nora);
    const { error } = await hire(worker, run);
    expect(error).toMatchObject({ code: -32050, data: { reason: 'hiring_refused', retryable: false } });
    run.status('COMPLETED');
  });

  test('waits while the user is asked, and continues with the answer', async () => {
    const ira = await newCaller('Ira', 'ask');
    const [{ worker, run }, helper] = [await working(ira), await workerOf(hired)];
    const sending = hire(worker, run);
    const asked = await waitFor(() => approvalOf(ira, run), { what: 'the approval' });
    expect(helper.offers).toEqual([]);
    await decide(ira, asked, 'allow');
    const task = taskOf(await sending);
    await waitFor(() => helper.offers[0]?.task.id === task.id, { what: 'the offer' });
    const nina = await newCaller('Nina', 'ask');
    const refused = await runFor(await workerOf(hirer), nina);
    const waiting = hire(refused.worker, refused);
    const askedAgain = await waitFor(() => approvalOf(nina, refused), { what: 'the other approval' });
    await decide(nina, askedAgain, 'deny');
    expect((await waiting).error).toMatchObject({ data: { reason: 'approval_denied', retryable: false } });
    expect(helper.offers).toHaveLength(1);
  });

  test('stops waiting for the user if its run ends, and sends no message', async () => {
    const una = await newCaller('Una', 'ask');
    const [{ worker, run }, helper] = [await working(una), await workerOf(hired)];
    const sending = hire(worker, run);
    await waitFor(() => approvalOf(una, run), { what: 'the approval' });
    run.status('COMPLETED');
    expect((await sending).error).toBeDefined();
    expect(helper.offers).toEqual([]);
    expect(worker.closed).toBeNull();
  });

  test('is rejected for an app, with the reason', async () => {
    const app = await createApp(parley.url, ada.person);
    const form = { grant_type: 'client_credentials', resource: `${parley.url}/agents/${hirer.slug}` };
    const issued = await postForm(`${parley.url}/api/auth/token`, form, app);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const byApp = { person: ada.person, connection: { ...ada.connection, token } };
    const { worker, run } = await working(byApp);
    expect((await hire(worker, run)).error).toMatchObject({
      code: -32050,
      message: expect.stringContaining('is an app'),
      data: { reason: 'no_person', retryable: false },
    });
    run.status('COMPLETED');
  });

  test('acts as the agent’s app if no run is given, and is rejected if the agent has no app', async () => {
    const worker = await workerOf(hirer);
    expect(reasonOf(await hire(worker, {}))).toBe('no_app');
    const owner = await createPerson(parley.url, 'Olga');
    const app = await createApp(parley.url, owner);
    const slug = `with-app-${process.pid}`;
    const body = { hub: true, slug, appId: app.id };
    expect((await send(`${parley.url}/api/agents`, { body, bearer: owner.accessToken })).status).toBe(201);
    const form = {
      grant_type: 'client_credentials',
      scope: 'agent:serve',
      resource: `${parley.url}/agents/${slug}/hub`,
    };
    const issued = await postForm(`${parley.url}/api/auth/token`, form, app);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const sender = await ScriptedWorker.connect({ url: parley.url, token, agent: slug });
    workers.push(sender);
    const helper = await workerOf(hired);
    const task = taskOf(await hire(sender, {}));
    const offer = await waitFor(() => helper.offers[0], { what: 'the offer' });
    expect(offer.task.id).toBe(task.id);
    expect(decodeJwt(offer.token)).not.toHaveProperty('act');
    expect(decodeJwt(offer.token).client_id).toBe(app.clientId);
    helper.onStart = (run) => {
      run.piece('done');
      run.status('COMPLETED');
    };
    await lastState(sender, task, 'COMPLETED');
    expect(textsOf(itemsOf(sender, task))).toBe('done');
  });

  test('acts for the run’s user: the hired agent receives both identities, and each event arrives once', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired)];
    helper.onStart = (started) => {
      for (let at = 0; at < 60; at++) started.piece(`${at};`);
      started.status('COMPLETED');
    };
    const sent = await hire(worker, run);
    const task = taskOf(sent);
    expect(task.status.state).toBe('TASK_STATE_SUBMITTED');
    await lastState(worker, task, 'COMPLETED');
    expect(textsOf(itemsOf(worker, task))).toBe(Array.from({ length: 60 }, (_, at) => `${at};`).join(''));
    const responseAt = worker.received.findIndex(({ id }) => id === sent.id);
    const eventAt = worker.received.findIndex(({ method }) => method === 'agent.event');
    expect(responseAt).toBeLessThan(eventAt);
    const token = helper.offers[0]?.token ?? '';
    const direct = decodeJwt((await connectTo(parley.url, ada.person, hired.slug)).token);
    expect(decodeJwt(token)).toMatchObject({ act: { sub: `${parley.url}/agents/${hirer.slug}` }, sub: direct.sub });
    run.status('COMPLETED');
  });

  test('keeps two users’ runs on one worker separate', async () => {
    const bea = await newCaller('Bea');
    const worker = await workerOf(hirer, { capacity: 2 });
    const runs = [await runFor(worker, ada), await runFor(worker, bea)] as const;
    const helper = await workerOf(hired, { capacity: 2 });
    helper.onStart = (run) => {
      run.piece(run.text);
      run.status('COMPLETED');
    };
    const tasks: TaskView[] = [];
    for (const [at, run] of runs.entries()) {
      const task = taskOf(await hire(worker, run, { message: message(`for ${at}`) }));
      await lastState(worker, task, 'COMPLETED');
      expect(textsOf(itemsOf(worker, task))).toBe(`for ${at}`);
      tasks.push(task);
    }
    const subjects = helper.offers.map(({ token }) => decodeJwt(token).sub);
    expect(new Set(subjects).size).toBe(2);
    for (const [at, caller] of [ada, bea].entries()) {
      const connection = await connectTo(parley.url, caller.person, hired.slug);
      const read = async (index: number) => (await rpc(connection, 'GetTask', { id: tasks[index]?.id })).body;
      expect((await read(at)).result).toMatchObject({ id: tasks[at]?.id });
      expect((await read(1 - at)).error).toBeDefined();
    }
    // A conversation or task of one user is not continued for the other.
    const stolen = await hire(worker, runs[1], { taskId: tasks[0]?.id });
    expect(reasonOf(stolen)).toBe('task_not_found');
    for (const run of runs) run.status('COMPLETED');
  });

  test('is processed once if it is repeated, and resumes at its position, even after a reconnection', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired)];
    const repeated = { agent: hired.slug, message: message('count'), runId: run.runId };
    const task = taskOf(await worker.request('agent.send', repeated));
    const offer = await waitFor(() => helper.offers[0], { what: 'the offer' });
    const child = helper.run(offer.runId);
    await waitFor(() => helper.started.includes(offer.runId), { what: 'the start' });
    for (const text of ['one ', 'two ']) child.piece(text);
    await waitFor(() => textsOf(itemsOf(worker, task)) === 'one two ', { what: 'the first pieces' });
    await worker.close();
    child.piece('three ');
    const runs = [{ runId: run.runId, epoch: run.offer.epoch, sent: 0 }];
    const again = await workerOf(hirer, { workerId: worker.workerId, runs });
    again.adopt(run);
    const current = taskOf(await again.request('agent.send', repeated));
    expect(current.id).toBe(task.id);
    const before = current.artifacts?.flatMap(({ parts }) => parts.map(({ text }) => text)).join('') ?? '';
    child.piece('four');
    child.status('COMPLETED');
    await lastState(again, task, 'COMPLETED');
    expect(before + textsOf(itemsOf(again, task))).toBe('one two three four');
    expect(helper.offers).toHaveLength(1);
    const ended = taskOf(await again.request('agent.send', repeated));
    expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
    const changed = { ...repeated, message: { ...repeated.message, parts: [{ text: 'other' }] } };
    expect(reasonOf(await again.request('agent.send', changed))).toBe('idempotency_mismatch');
    run.status('COMPLETED');
  });

  test('returns each event once if it is sent twice on one connection', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired)];
    const repeated = { agent: hired.slug, message: message('count'), runId: run.runId };
    const task = taskOf(await worker.request('agent.send', repeated));
    expect(taskOf(await worker.request('agent.send', repeated)).id).toBe(task.id);
    const offer = await waitFor(() => helper.offers[0], { what: 'the offer' });
    await waitFor(() => helper.started.includes(offer.runId), { what: 'the start' });
    helper.run(offer.runId).piece('once');
    helper.run(offer.runId).status('COMPLETED');
    await lastState(worker, task, 'COMPLETED');
    expect(textsOf(itemsOf(worker, task))).toBe('once');
    run.status('COMPLETED');
  });

  test('continues the task that it belongs to, in the same conversation', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired)];
    helper.onStart = (started) => {
      if (started.text === 'Rome') started.status('COMPLETED', 'It rains.');
      else started.status('INPUT_REQUIRED', 'Where?');
    };
    const asked = taskOf(await hire(worker, run));
    await lastState(worker, asked, 'INPUT_REQUIRED');
    const reply = { taskId: asked.id, contextId: asked.contextId, message: message('Rome') };
    expect(taskOf(await hire(worker, run, reply)).id).toBe(asked.id);
    await lastState(worker, asked, 'COMPLETED');
    const wrong = { ...reply, contextId: crypto.randomUUID(), message: message('x') };
    expect(reasonOf(await hire(worker, run, wrong))).toBe('invalid_params');
    run.status('COMPLETED');
  });

  test('returns the reason if the other agent does not respond', async () => {
    const nobody = await listHubAgent(parley, { visibility: 'public' });
    const { worker, run } = await working();
    expect(reasonOf(await hire(worker, run, { agent: nobody.slug }))).toBe('agent_offline');
    run.status('COMPLETED');
  });

  test('ends within a second after the user revokes the permission, and new calls are rejected', async () => {
    const cora = await newCaller('Cora');
    const [{ worker, run }, helper] = [await working(cora), await workerOf(hired)];
    const task = taskOf(await hire(worker, run));
    await waitFor(() => helper.started.length > 0, { what: 'the start' });
    await send(`${parley.url}/api/grants/${hirer.slug}`, {
      method: 'DELETE',
      cookie: cora.person.cookie,
      origin: parley.url,
    });
    const error = { data: { reason: 'caller_ended' } };
    await waitFor(() => itemsOf(worker, task).at(-1)?.error, { timeout: 1_500, what: 'the error' });
    expect(itemsOf(worker, task).at(-1)).toMatchObject({ error });
  });

  test('limits the number of open calls with a typed error', async () => {
    await workerOf(hired, { capacity: 100 });
    const worker = await workerOf(hirer, { capacity: 100 });
    const run = await runFor(worker, await newCaller('Flo'));
    for (let at = 0; at < 130; at++) {
      const params = { agent: hired.slug, message: message(`call ${at}`), runId: run.runId };
      worker.send({ jsonrpc: '2.0', id: `flood-${at}`, method: 'agent.send', params });
    }
    const refused = () => worker.received.filter(({ id, error }) => error && id?.startsWith('flood-'));
    await waitFor(() => refused().length >= 30, { what: 'the refusals' });
    for (const frame of refused()) {
      expect(['too_many_calls', 'rate_limited', 'too_many_tasks']).toContain(reasonOf(frame));
      expect(frame.error?.data?.retryable).toBe(true);
    }
    expect((await worker.request('hub.ping', {})).result).toEqual({});
    expect(worker.closed).toBeNull();
  });
});

describe('agent.cancel', () => {
  test('cancels only tasks that this agent sent', async () => {
    const [{ worker, run }, helper] = [await working(), await workerOf(hired, { capacity: 3 })];
    const task = taskOf(await hire(worker, run));
    await waitFor(() => helper.started.length > 0, { what: 'the start' });
    const own = await ask({ ...ada, connection: await connectTo(parley.url, ada.person, hired.slug) }, 'of her own');
    for (const [asking, taskId] of [
      [helper, task.id],
      [helper, run.offer.task.id],
      [worker, own.id],
      [worker, run.offer.task.id],
      [worker, crypto.randomUUID()],
      [worker, 'nonsense'],
    ] as const) {
      const { error } = await asking.request('agent.cancel', { taskId });
      expect(error).toMatchObject({ code: -32050, data: { reason: 'task_not_found', retryable: false } });
    }
    expect(reasonOf(await worker.request('agent.cancel', {}))).toBe('invalid_params');
    const canceled = await worker.request('agent.cancel', { taskId: task.id });
    expect(taskOf(canceled).status.state).toBe('TASK_STATE_CANCELED');
    await lastState(worker, task, 'CANCELED');
    expect(taskOf(await worker.request('agent.cancel', { taskId: task.id })).status.state).toBe('TASK_STATE_CANCELED');
    const done = taskOf(await hire(worker, run, { message: message('do another thing') }));
    const offer = await waitFor(() => helper.offers.find((known) => known.task.id === done.id), { what: 'the offer' });
    await waitFor(() => helper.started.includes(offer.runId), { what: 'the start of the other task' });
    helper.run(offer.runId).status('COMPLETED');
    await lastState(worker, done, 'COMPLETED');
    expect(reasonOf(await worker.request('agent.cancel', { taskId: done.id }))).toBe('task_not_cancelable');
    run.status('COMPLETED');
  });
});

describe('an invalid token in a notification', () => {
  test('closes the connection, and the server keeps running', async () => {
    const worker = await workerOf(hirer);
    worker.notify('hub.auth', { token: 'nonsense' });
    await waitFor(() => worker.closed?.code === 4400, { what: 'the connection to close' });
    expect((await fetch(`${parley.url}/readyz`)).status).toBe(200);
  });
});

describe('the SDK', () => {
  const served: Served[] = [];

  async function serving({ slug, token }: HubAgent, handle: ConnectOptions['handle']): Promise<Served> {
    const connection = await connect({ url: parley.url, agent: slug, token, handle });
    served.push(connection);
    await waitFor(() => connection.state === 'online', { what: 'the worker to be online' });
    return connection;
  }

  afterEach(async () => {
    for (const connection of served.splice(0)) await connection.drain({ timeoutMs: 0 });
  });

  test('finds an agent, calls it and forwards its answer', async () => {
    await serving(hirer, async function* (turn) {
      const { items } = await turn.agents.search('', { limit: 50 });
      const found = items.find(({ slug }) => slug === hired.slug);
      yield await turn.agents.send(found?.slug ?? '', turn.text);
    });
    await serving(hired, async ({ text, caller }) => `${text}, by ${caller?.actors.length}`);
    const { body } = await rpc(ada.connection, 'SendMessage', message10('hello'));
    const { task } = body.result as { task: TaskView };
    expect(task.artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe('hello, by 1');
  });

  test('cancels the hired agent’s task together with the caller’s task', async () => {
    let hiredAborted = false;
    await serving(hirer, async ({ agents, signal }) => {
      await agents.send(hired.slug, 'take your time').catch(() => undefined);
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await serving(hired, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      hiredAborted = true;
    });
    const task = await ask(ada, 'slowly');
    await waitFor(() => served[1]?.activeTurns === 1, { what: 'the hired agent to work' });
    const canceled = await rpc(ada.connection, 'CancelTask', { id: task.id });
    expect(canceled.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await waitFor(() => hiredAborted, { what: 'the cancel of the hired agent' });
  });

  test('rejects the call with the reason if the agent may not call another agent', async () => {
    const reasons: string[] = [];
    await serving(hirer, async (turn) => {
      for (const slug of ['nobody-at-all', hirer.slug]) {
        await turn.agents.send(slug, 'hi').catch((error: { code: string }) => reasons.push(error.code));
      }
    });
    await rpc(ada.connection, 'SendMessage', message10('hello'));
    expect(reasons).toEqual(['agent_not_found', 'invalid_target']);
  });
});
