import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { connectToRest, restJson } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';

// The public kit lists these requirements without tests. Signatures (CARD-SIGN) are in cards-signed.test.ts and
// extended-card.test.ts, more isolation between users (AUTH-SCOPE) in gateway.test.ts, rest-operations.test.ts and
// push-configs.test.ts, more of both bindings (BIND-EQUIV) in the latter two.

let parley: SharedParley;
let agent: ScriptedAgent;
let slug: string;
let ada: Person;
let bob: Person;
let connection: Connection;
let base: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  bob = await createPerson(parley.url, 'Bob');
  slug = await listAgent(parley.url, ada, { url: agent.url });
  connection = await connectTo(parley.url, ada, slug);
  base = await connectToRest(parley.url, ada, slug);
});

afterAll(() => agent?.stop());

interface Task10 {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
}

/** The agent returns this state and text for the next messages. */
function answerIn(state: string, text: string): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(received.params.message?.taskId ?? `up-${newUuid()}`, state, text));
    end();
  });
}

async function sent(connection: Connection, extra: object = {}): Promise<Task10> {
  const { body } = await rpc(connection, 'SendMessage', message10('hello', extra));
  return (body.result as { task: Task10 }).task;
}

describe('AUTH-SCOPE access to tasks (A2A 1.0 §13.1)', () => {
  test('is limited in a list to the caller’s own tasks with this agent', async () => {
    answerIn('completed', 'done');
    const other = await ScriptedAgent.start({ name: 'Other' });
    other.answer(({ result, end }) => {
      result(agent03.status('t', 'completed'));
      end();
    });
    const otherConnection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    const bobConnection = await connectTo(parley.url, bob, slug);
    const contextId = newUuid();
    const tasks = [
      await sent(connection, { contextId }),
      await sent(bobConnection, { contextId }),
      await sent(otherConnection, { contextId }),
    ];
    for (const [at, who] of [connection, bobConnection, otherConnection].entries()) {
      const { body } = await rpc(who, 'ListTasks', { contextId });
      const page = body.result as { tasks: Task10[]; totalSize: number };
      expect([page.tasks.map(({ id }) => id), page.totalSize]).toEqual([[tasks[at]?.id], 1]);
    }
    await other.stop();
  });

  test('is denied in the caller’s own list with another user’s page token', async () => {
    answerIn('completed', 'done');
    for (const _ of [1, 2, 3]) await sent(connection);
    const first = (await rpc(connection, 'ListTasks', { pageSize: 1 })).body.result as { nextPageToken: string };
    const bobConnection = await connectTo(parley.url, bob, slug);
    const { body } = await rpc(bobConnection, 'ListTasks', { pageSize: 50, pageToken: first.nextPageToken });
    const adas = (await rpc(connection, 'ListTasks', { pageSize: 50 })).body.result as { tasks: Task10[] };
    const seen = ((body.result as { tasks?: Task10[] } | undefined)?.tasks ?? []).map(({ id }) => id);
    expect(adas.tasks.map(({ id }) => id).filter((id) => seen.includes(id))).toEqual([]);
  });

  test('is denied to the owner’s token for another agent', async () => {
    answerIn('completed', 'done');
    const { id } = await sent(connection);
    const other = await ScriptedAgent.start({ name: 'Third' });
    const otherConnection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: other.url }));
    expect((await rpc(otherConnection, 'GetTask', { id })).body.error?.code).toBe(-32001);
    expect((await rpc({ ...connection, token: otherConnection.token }, 'GetTask', { id })).status).toBe(401);
    await other.stop();
  });
});

describe('BIND-EQUIV both bindings (A2A 1.0 §5.1)', () => {
  test('return the same task, task list and canceled task', async () => {
    answerIn('input-required', 'which?');
    const { id, contextId } = await sent(connection);
    const overRest = { rpc: await rpc(connection, 'GetTask', { id }), rest: await restJson(base, `GET /tasks/${id}`) };
    expect(overRest.rest.body).toEqual(overRest.rpc.body.result);
    const listed = await rpc(connection, 'ListTasks', { contextId, pageSize: 5, includeArtifacts: true });
    const query = `contextId=${contextId}&pageSize=5&includeArtifacts=true`;
    expect((await restJson(base, `GET /tasks?${query}`)).body).toEqual(listed.body.result);
    const canceled = await restJson<Task10>(base, `POST /tasks/${id}:cancel`, { body: {} });
    expect((await rpc(connection, 'GetTask', { id })).body.result).toEqual(canceled.body);
  });

  test.each([
    { method: 'GetTask', params: { id: 'x' }, call: 'GET /tasks/x' },
    { method: 'ListTasks', params: { pageSize: 0 }, call: 'GET /tasks?pageSize=0' },
    { method: 'GetExtendedAgentCard', params: {}, call: 'GET /extendedAgentCard' },
    { method: 'SendMessage', params: { message: { parts: [] } }, call: 'POST /message:send' },
  ])('reject $call with the same text and details', async ({ method, params, call }) => {
    const { error } = (await rpc(connection, method, params)).body;
    const sends = call.startsWith('POST') ? { body: params } : {};
    const { body } = await restJson<{ error: { message: string; details: unknown } }>(base, call, sends);
    expect([body.error.message, body.error.details]).toEqual([error?.message, error?.data]);
  });
});

describe('VER-SERVER, VER-CLIENT version selection (A2A 1.0 §3.6)', () => {
  const asked = (version: string | null, method: string, params: object): Promise<Awaited<ReturnType<typeof rpc>>> =>
    rpc(version === null ? connection : withHeaders(connection, { 'a2a-version': version }), method, params);

  test.each([
    ['1.0', 'SendMessage'],
    ['1.0.1', 'SendMessage'],
    ['0.3', 'message/send'],
    ['0.3.0', 'message/send'],
    ['', 'message/send'],
    [null, 'message/send'],
    // The form of the method takes precedence over the header. Examples of 1.0 differ in both (§9.2, §11.2).
    ['0.3', 'SendMessage'],
    [null, 'SendMessage'],
  ])('uses the version in A2A-Version %s with the method %s', async (version, method) => {
    answerIn('completed', 'done');
    const isNewer = method === 'SendMessage';
    const { body } = await asked(version, method, isNewer ? message10('hello') : message03('hello'));
    expect(body.result).toHaveProperty(isNewer ? 'task' : 'kind');
  });

  test.each(['2.0', '0.4', '1.2', 'latest', '1.0, 0.3', '1'])(
    'returns -32009 for A2A-Version %s in both bindings',
    async (version) => {
      const { body } = await asked(version, 'SendMessage', message10('hello'));
      expect(body.error).toMatchObject({ code: -32009 });
      const overRest = await restJson(withHeaders(base, { 'a2a-version': version }), 'GET /tasks');
      expect(overRest).toMatchObject({
        status: 400,
        body: { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } },
      });
    },
  );

  test('reads the version from the query only if the header is missing', async () => {
    const inQuery = { ...connection, url: `${connection.url}?A2A-Version=2.0` };
    expect((await rpc(inQuery, 'GetTask', { id: 'x' })).body.error?.code).toBe(-32009);
    const both = withHeaders(inQuery, { 'a2a-version': '1.0' });
    expect((await rpc(both, 'GetTask', { id: 'x' })).body.error?.code).toBe(-32001);
  });

  test('VER-CLIENT sends an agent the version of the interface that is called', async () => {
    answerIn('completed', 'done');
    await sent(connection);
    expect(agent.received.at(-1)?.headers['a2a-version']).toBe('0.3');
    const newer = await ScriptedAgent.start({ protocolVersion: '1.0', name: 'Newer' });
    const status = { state: 'TASK_STATE_COMPLETED' };
    newer.answer(({ result, end }) => {
      result({ task: { id: 't', contextId: 'c', status } });
      end();
    });
    const to = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: newer.url }));
    expect((await sent(to)).status.state).toBe('TASK_STATE_COMPLETED');
    expect(newer.received.at(-1)).toMatchObject({ method: 'SendStreamingMessage', headers: { 'a2a-version': '1.0' } });
    await newer.stop();
  });
});

describe('AUTH-INTASK an agent that requires more credentials (A2A 1.0 §7.6)', () => {
  test('returns its state and instructions to a blocking send', async () => {
    answerIn('auth-required', 'Sign in at example.com');
    const task = await sent(connection);
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_AUTH_REQUIRED',
      message: { parts: [{ text: 'Sign in at example.com' }] },
    });
    const older = await rpc(connection, 'tasks/get', { id: task.id });
    expect(older.body.result).toMatchObject({ status: { state: 'auth-required' } });
  });

  test('sends its state and instructions in a stream', async () => {
    answerIn('auth-required', 'Sign in');
    const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('hello') };
    const events = await readEvents(await post(connection, call), (all) =>
      JSON.stringify(all).includes('AUTH_REQUIRED'),
    );
    expect(resultOf<{ statusUpdate: object }>(events.at(-1)).statusUpdate).toMatchObject({
      status: { state: 'TASK_STATE_AUTH_REQUIRED' },
    });
  });

  test('continues the same task with the next message, both in Parley and at the agent', async () => {
    answerIn('auth-required', 'Sign in');
    const asked = await sent(connection);
    expect(agent.messages.at(-1)?.params.message?.contextId).toBeUndefined();
    answerIn('completed', 'Thank you');
    const done = await sent(connection, { taskId: asked.id });
    expect([done.id, done.status.state]).toEqual([asked.id, 'TASK_STATE_COMPLETED']);
    expect(agent.messages.at(-1)?.params.message?.contextId).toBe('agent-context');
    expect(agent.messages.at(-1)?.params.message?.taskId).toMatch(/^up-/);
  });

  test('opens the task to no other user, and never receives the caller’s credentials', async () => {
    answerIn('auth-required', 'Give me your token');
    const { id } = await sent(connection);
    const bobConnection = await connectTo(parley.url, bob, slug);
    const before = agent.received.length;
    expect((await rpc(bobConnection, 'SendMessage', message10('mine', { taskId: id }))).body.error?.code).toBe(-32001);
    expect((await rpc({ ...connection, token: 'none' }, 'SendMessage', message10('x', { taskId: id }))).status).toBe(
      401,
    );
    expect(agent.received.length).toBe(before);
    answerIn('completed', 'Thank you');
    await sent(connection, { taskId: id });
    const lastRequest = JSON.stringify(agent.received.at(-1));
    for (const secret of [connection.token, ada.accessToken, ada.cookie]) expect(lastRequest).not.toContain(secret);
  });

  test('can have its task canceled without the credentials', async () => {
    answerIn('auth-required', 'Sign in');
    const { id } = await sent(connection);
    agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task(received.params.id ?? '', 'canceled') }),
    );
    const { body } = await rpc(connection, 'CancelTask', { id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
  });
});
