import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { restJson, restLineTo } from '../support/rest';
import {
  createPerson,
  type Line,
  lineTo,
  listAgent,
  message03,
  message10,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  withHeaders,
} from '../support/world';

// The public kit lists these requirements and has no test for them. Signatures (CARD-SIGN) stand in cards-signed.test.ts
// and extended-card.test.ts, more of what one person may see of another's (AUTH-SCOPE) in gateway.test.ts,
// rest-operations.test.ts and push-configs.test.ts, more of both bindings (BIND-EQUIV) in the latter two.

let parley: Parley;
let agent: ScriptedAgent;
let slug: string;
let ada: Person;
let bob: Person;
let line: Line;
let base: Line;

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url, 'Ada');
  bob = await createPerson(parley.url, 'Bob');
  slug = await listAgent(parley.url, ada, { url: agent.url });
  line = await lineTo(parley.url, ada, slug);
  base = await restLineTo(parley.url, ada, slug);
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

interface Task10 {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
}

/** The agent answers the next messages in this state, with this text. */
function answerIn(state: string, text: string): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(received.params.message?.taskId ?? `up-${newUuid()}`, state, text));
    end();
  });
}

async function sent(line: Line, extra: object = {}): Promise<Task10> {
  const { body } = await rpc(line, 'SendMessage', message10('hello', extra));
  return (body.result as { task: Task10 }).task;
}

describe('AUTH-SCOPE what a caller sees (A2A 1.0 §13.1)', () => {
  test('a list holds the caller’s own tasks with this agent alone', async () => {
    answerIn('completed', 'done');
    const other = await ScriptedAgent.start({ name: 'Other' });
    other.answer(({ result, end }) => {
      result(agent03.status('t', 'completed'));
      end();
    });
    const elsewhere = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    const his = await lineTo(parley.url, bob, slug);
    const contextId = newUuid();
    const tasks = [
      await sent(line, { contextId }),
      await sent(his, { contextId }),
      await sent(elsewhere, { contextId }),
    ];
    for (const [at, who] of [line, his, elsewhere].entries()) {
      const { body } = await rpc(who, 'ListTasks', { contextId });
      const page = body.result as { tasks: Task10[]; totalSize: number };
      expect([page.tasks.map(({ id }) => id), page.totalSize]).toEqual([[tasks[at]?.id], 1]);
    }
    await other.stop();
  });

  test('a page of somebody else’s list is no page of one’s own', async () => {
    answerIn('completed', 'done');
    for (const _ of [1, 2, 3]) await sent(line);
    const first = (await rpc(line, 'ListTasks', { pageSize: 1 })).body.result as { nextPageToken: string };
    const his = await lineTo(parley.url, bob, slug);
    const { body } = await rpc(his, 'ListTasks', { pageSize: 50, pageToken: first.nextPageToken });
    const hers = (await rpc(line, 'ListTasks', { pageSize: 50 })).body.result as { tasks: Task10[] };
    const seen = ((body.result as { tasks?: Task10[] } | undefined)?.tasks ?? []).map(({ id }) => id);
    expect(hers.tasks.map(({ id }) => id).filter((id) => seen.includes(id))).toEqual([]);
  });

  test('a task is out of reach with a token for another agent, even its owner’s', async () => {
    answerIn('completed', 'done');
    const { id } = await sent(line);
    const other = await ScriptedAgent.start({ name: 'Third' });
    const elsewhere = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    expect((await rpc(elsewhere, 'GetTask', { id })).body.error?.code).toBe(-32001);
    expect((await rpc({ ...line, token: elsewhere.token }, 'GetTask', { id })).status).toBe(401);
    await other.stop();
  });
});

describe('BIND-EQUIV both bindings say the same (A2A 1.0 §5.1)', () => {
  test('of a task, of a list and of a cancel', async () => {
    answerIn('input-required', 'which?');
    const { id, contextId } = await sent(line);
    const over = { rpc: await rpc(line, 'GetTask', { id }), rest: await restJson(base, `GET /tasks/${id}`) };
    expect(over.rest.body).toEqual(over.rpc.body.result);
    const listed = await rpc(line, 'ListTasks', { contextId, pageSize: 5, includeArtifacts: true });
    const query = `contextId=${contextId}&pageSize=5&includeArtifacts=true`;
    expect((await restJson(base, `GET /tasks?${query}`)).body).toEqual(listed.body.result);
    const canceled = await restJson<Task10>(base, `POST /tasks/${id}:cancel`, { body: {} });
    expect((await rpc(line, 'GetTask', { id })).body.result).toEqual(canceled.body);
  });

  test.each([
    { method: 'GetTask', params: { id: 'x' }, call: 'GET /tasks/x' },
    { method: 'ListTasks', params: { pageSize: 0 }, call: 'GET /tasks?pageSize=0' },
    { method: 'GetExtendedAgentCard', params: {}, call: 'GET /extendedAgentCard' },
    { method: 'SendMessage', params: { message: { parts: [] } }, call: 'POST /message:send' },
  ])('of the refusal of $call: the same words and details', async ({ method, params, call }) => {
    const { error } = (await rpc(line, method, params)).body;
    const sends = call.startsWith('POST') ? { body: params } : {};
    const { body } = await restJson<{ error: { message: string; details: unknown } }>(base, call, sends);
    expect([body.error.message, body.error.details]).toEqual([error?.message, error?.data]);
  });
});

describe('VER-SERVER, VER-CLIENT which version is spoken (A2A 1.0 §3.6)', () => {
  const asked = (version: string | null, method: string, params: object): Promise<Awaited<ReturnType<typeof rpc>>> =>
    rpc(version === null ? line : withHeaders(line, { 'a2a-version': version }), method, params);

  test.each([
    ['1.0', 'SendMessage'],
    ['1.0.1', 'SendMessage'],
    ['0.3', 'message/send'],
    ['0.3.0', 'message/send'],
    ['', 'message/send'],
    [null, 'message/send'],
    // The grammar of the method decides where header and method disagree: examples of 1.0 do (§9.2, §11.2).
    ['0.3', 'SendMessage'],
    [null, 'SendMessage'],
  ])('A2A-Version %s and %s', async (version, method) => {
    answerIn('completed', 'done');
    const isNewer = method === 'SendMessage';
    const { body } = await asked(version, method, isNewer ? message10('hello') : message03('hello'));
    expect(body.result).toHaveProperty(isNewer ? 'task' : 'kind');
  });

  test.each(['2.0', '0.4', '1.1', 'latest', '1.0, 0.3', '1'])(
    'A2A-Version %s is -32009, in both bindings',
    async (version) => {
      const { body } = await asked(version, 'SendMessage', message10('hello'));
      expect(body.error).toMatchObject({ code: -32009 });
      const over = await restJson(withHeaders(base, { 'a2a-version': version }), 'GET /tasks');
      expect(over).toMatchObject({ status: 400, body: { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } } });
    },
  );

  test('the query names the version where no header can, and the header counts where both are', async () => {
    const inQuery = { ...line, url: `${line.url}?A2A-Version=2.0` };
    expect((await rpc(inQuery, 'GetTask', { id: 'x' })).body.error?.code).toBe(-32009);
    const both = withHeaders(inQuery, { 'a2a-version': '1.0' });
    expect((await rpc(both, 'GetTask', { id: 'x' })).body.error?.code).toBe(-32001);
  });

  test('VER-CLIENT an agent hears the version of the interface that it is called at', async () => {
    answerIn('completed', 'done');
    await sent(line);
    expect(agent.received.at(-1)?.headers['a2a-version']).toBe('0.3');
    const newer = await ScriptedAgent.start({ protocolVersion: '1.0', name: 'Newer' });
    const status = { state: 'TASK_STATE_COMPLETED' };
    newer.answer(({ result, end }) => {
      result({ task: { id: 't', contextId: 'c', status } });
      end();
    });
    const to = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: newer.url }));
    expect((await sent(to)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(newer.received.at(-1)).toMatchObject({ method: 'SendStreamingMessage', headers: { 'a2a-version': '1.0' } });
    await newer.stop();
  });
});

describe('AUTH-INTASK an agent that wants more credentials (A2A 1.0 §7.6)', () => {
  test('a send that waits is answered with the state and with what the agent says to do', async () => {
    answerIn('auth-required', 'Sign in at example.com');
    const task = await sent(line);
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_AUTH_REQUIRED',
      message: { parts: [{ text: 'Sign in at example.com' }] },
    });
    const older = await rpc(line, 'tasks/get', { id: task.id });
    expect(older.body.result).toMatchObject({ status: { state: 'auth-required' } });
  });

  test('a stream tells it, too', async () => {
    answerIn('auth-required', 'Sign in');
    const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('hello') };
    const events = await readEvents(await post(line, call), (all) => JSON.stringify(all).includes('AUTH_REQUIRED'));
    expect(resultOf<{ statusUpdate: object }>(events.at(-1)).statusUpdate).toMatchObject({
      status: { state: 'TASK_STATE_AUTH_REQUIRED' },
    });
  });

  test('a further message goes on with the same task, here and at the agent', async () => {
    answerIn('auth-required', 'Sign in');
    const asked = await sent(line);
    expect(agent.received.at(-1)?.params.message?.contextId).toBeUndefined();
    answerIn('completed', 'Thank you');
    const done = await sent(line, { taskId: asked.id });
    expect([done.id, done.status.state]).toEqual([asked.id, 'TASK_STATE_COMPLETED']);
    expect(agent.received.at(-1)?.params.message?.contextId).toBe('agent-context');
    expect(agent.received.at(-1)?.params.message?.taskId).toMatch(/^up-/);
  });

  test('the state grants nothing: nobody else can answer, and no credential of the caller is sent along', async () => {
    answerIn('auth-required', 'Give me your token');
    const { id } = await sent(line);
    const his = await lineTo(parley.url, bob, slug);
    const before = agent.received.length;
    expect((await rpc(his, 'SendMessage', message10('mine', { taskId: id }))).body.error?.code).toBe(-32001);
    expect((await rpc({ ...line, token: 'none' }, 'SendMessage', message10('x', { taskId: id }))).status).toBe(401);
    expect(agent.received.length).toBe(before);
    answerIn('completed', 'Thank you');
    await sent(line, { taskId: id });
    const heard = JSON.stringify(agent.received.at(-1));
    for (const secret of [line.token, ada.accessToken, ada.cookie]) expect(heard).not.toContain(secret);
  });

  test('it can be canceled instead', async () => {
    answerIn('auth-required', 'Sign in');
    const { id } = await sent(line);
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(received.params.id ?? '', 'canceled') }),
    );
    const { body } = await rpc(line, 'CancelTask', { id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
  });
});
