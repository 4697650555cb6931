import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import {
  call01,
  connectToAll,
  type SeedPath,
  say,
  seedPaths,
  send01,
  type Task01,
  task01,
  textsOf,
  watch,
} from '../support/dialects';
import {
  type Connection,
  createPerson,
  listAgent,
  type Person,
  post,
  readEvents,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

const everyPath = Object.keys(seedPaths) as SeedPath[];

let parley: SharedParley;
let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let historian: Awaited<ReturnType<typeof startChattyAgent>>;
let ada: Person;
let connections: Record<SeedPath, Connection>;
let bobs: Record<SeedPath, Connection>;
let slug: string;

beforeAll(async () => {
  chattyAgent = await startChattyAgent();
  historian = await startChattyAgent({ name: 'Historian', stateTransitionHistory: true });
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
  connections = await connectToAll(parley.url, ada, slug);
  bobs = await connectToAll(parley.url, await createPerson(parley.url, 'Bob'), slug);
});

afterAll(async () => {
  await chattyAgent?.agent.stop();
  await historian?.agent.stop();
});

beforeEach(() => {
  chattyAgent.release();
  chattyAgent.agent.received.length = 0;
});

/** The same task as every path writes it. */
async function onEveryPath(text: string, metadata?: object): Promise<Record<SeedPath, Task01> & { id: string }> {
  const id = newUuid();
  await task01(connections['0.1'], 'tasks/send', say(id, text, { metadata }));
  const tasks = await Promise.all(
    everyPath.map(async (path) => [path, await task01(connections[path], 'tasks/get', { id })]),
  );
  return { ...(Object.fromEntries(tasks) as Record<SeedPath, Task01>), id };
}

function statesOf(tasks: Record<SeedPath, Task01>): Record<string, string> {
  return Object.fromEntries(everyPath.map((path) => [path, tasks[path].status.state]));
}

describe('a task in a response', () => {
  test('uses each system’s spelling of canceled, and is the same after a second cancel request', async () => {
    for (const path of everyPath) {
      const id = newUuid();
      await task01(connections['0.1'], 'tasks/send', say(id, 'ask me'));
      const spelled = path === 'society' || path === 'agentos' ? 'cancelled' : 'canceled';
      const task = await task01(connections[path], 'tasks/cancel', { id });
      expect(task, path).toMatchObject({ id, status: { state: spelled } });
      expect(await task01(connections[path], 'tasks/cancel', { id, reason: 'Again' }), path).toEqual(task);
    }
  });

  test('has the cancel reason as its status message, which is also sent to the agent', async () => {
    const id = newUuid();
    await task01(connections.orloj, 'tasks/send', say(id, 'ask me'));
    const task = await task01(connections.orloj, 'tasks/cancel', { id, reason: 'No longer needed' });
    expect(task.status).toMatchObject({ state: 'canceled', message: { parts: [{ text: 'No longer needed' }] } });
    expect(chattyAgent.agent.calls('tasks/cancel')[0]?.params.metadata).toEqual({ reason: 'No longer needed' });
    const byName = newUuid();
    await task01(connections['0.1'], 'tasks/send', say(byName, 'ask me'));
    const neutral = await task01(connections['0.1'], 'tasks/cancel', { id: byName, reason: 'Enough' });
    expect(neutral).toMatchObject({ id: byName, status: { message: { parts: [{ text: 'Enough' }] } } });
  });

  test('leads to Orloj’s error code on its path if it was canceled and is then sent a message', async () => {
    const id = newUuid();
    await task01(connections.orloj, 'tasks/send', say(id, 'ask me'));
    await task01(connections.orloj, 'tasks/cancel', { id });
    const sent = await call01(connections.orloj, 'tasks/send', say(id, 'red'));
    expect(sent.body.error).toMatchObject({ code: -32002, message: 'task cancelled', data: { task_id: id } });
    const elsewhere = await call01(connections.societyai, 'tasks/send', say(id, 'red'));
    expect(elsewhere.body.error).toMatchObject({ code: -32602, data: { reason: 'task_terminal' } });
  });

  test('has the closest state if a system lacks its state', async () => {
    const rejected = await onEveryPath('reject this');
    expect(statesOf(rejected)).toEqual({
      society: 'failed',
      societyai: 'failed',
      orloj: 'rejected',
      agentos: 'failed',
      '0.1': 'failed',
    });
    for (const path of ['societyai', 'agentos', '0.1'] as const) {
      expect(rejected[path].metadata, path).toMatchObject({ original_state: 'rejected' });
    }
    const login = await onEveryPath('login first');
    expect(statesOf(login)).toEqual({
      society: 'completed',
      societyai: 'input-required',
      orloj: 'input-required',
      agentos: 'input-required',
      '0.1': 'input-required',
    });
    expect(login.orloj.metadata).toMatchObject({ original_state: 'auth-required' });
    expect(textsOf(login.society)).toEqual(['who are you?']);
    const question = await onEveryPath('ask me');
    expect(question.society.status.state).toBe('completed');
    expect(textsOf(question.society)).toEqual(['which one?']);
    expect(question.societyai.metadata ?? {}).not.toHaveProperty('original_state');
  });

  test('has a string as its status message for Society, and a message object for other systems', async () => {
    const tasks = await onEveryPath('fail now');
    expect(tasks.society.status.message).toBe('it broke');
    for (const path of everyPath.slice(1)) {
      expect(tasks[path].status.message, path).toMatchObject({
        role: 'agent',
        parts: [{ type: 'text', text: 'it broke' }],
      });
    }
    const plain = await onEveryPath('just this');
    expect(plain.society.status.message).toBe('');
  });

  test('has its history under the same name everywhere, but for Orloj only if the card sets the flag', async () => {
    const tasks = await onEveryPath('hello');
    expect(tasks.society.messages?.[0]).toEqual({ role: 'user', parts: [{ type: 'text', text: 'hello' }] });
    expect(tasks.society).not.toHaveProperty('history');
    for (const path of ['societyai', 'agentos', '0.1'] as const) {
      expect(tasks[path].history?.[0], path).toEqual({ role: 'user', parts: [{ type: 'text', text: 'hello' }] });
      expect(tasks[path], path).not.toHaveProperty('messages');
    }
    expect(tasks.orloj).not.toHaveProperty('history');
    const stored = await listAgent(parley.url, ada, { url: historian.agent.url });
    const { orloj } = await connectToAll(parley.url, ada, stored);
    const remembered = await task01(orloj, 'tasks/send', say(newUuid(), 'hello'));
    expect(remembered.history?.[0]).toEqual({ role: 'user', parts: [{ type: 'text', text: 'hello' }] });
  });

  test('has its last message where each system reads it, as a message or as an artifact', async () => {
    const message = { role: 'agent', parts: [{ type: 'text', text: 'just this' }] };
    const replies = await onEveryPath('say just this');
    expect(statesOf(replies)).toEqual(Object.fromEntries(everyPath.map((path) => [path, 'completed'])));
    expect(replies.society.artifacts).toEqual([{ name: 'response', parts: message.parts }]);
    for (const path of ['societyai', 'orloj'] as const) {
      expect(replies[path].status.message, path).toEqual(message);
      expect(replies[path].artifacts, path).toEqual([{ name: 'response', parts: message.parts, index: 0 }]);
    }
    expect(replies.agentos.status.message).toEqual(message);
    expect(replies.agentos.history?.at(-1)).toEqual(message);
    expect(replies.agentos.artifacts).toEqual([]);

    const made = await onEveryPath('this');
    const answer = { role: 'agent', parts: [{ type: 'text', text: 'answer: this' }] };
    for (const path of everyPath) expect(textsOf(made[path]), path).toEqual(['answer: this']);
    for (const path of ['societyai', 'orloj', 'agentos'] as const) {
      expect(made[path].status.message, path).toEqual(answer);
    }
    expect(made.agentos.history?.at(-1)).toEqual(answer);
  });

  test('has only strings as metadata for Orloj, in requests and responses', async () => {
    const wrong = await call01(connections.orloj, 'tasks/send', say(newUuid(), 'x', { metadata: { a: 'b', n: 1 } }));
    expect(wrong.body.error).toMatchObject({ code: -32602, data: { violations: [{ field: 'metadata.n' }] } });
    const tasks = await onEveryPath('x', { a: 'b', n: 1, o: { p: [true] } });
    expect(tasks.orloj.metadata).toMatchObject({ a: 'b', n: '1', o: '{"p":[true]}' });
    for (const path of ['societyai', 'agentos', '0.1'] as const) {
      expect(tasks[path].metadata, path).toMatchObject({ a: 'b', n: 1, o: { p: [true] } });
    }
    expect(tasks.society).not.toHaveProperty('metadata');
  });

  test('has timestamps for AgentOS, but not for Society or in the streams of other systems', async () => {
    const tasks = await onEveryPath('x');
    const { createdAt = 0, status } = tasks.agentos;
    expect(new Date(createdAt).getTime()).toBe(createdAt);
    expect(Date.parse(status.timestamp ?? '')).toBeGreaterThanOrEqual(createdAt);
    expect(Object.keys(tasks.society).sort()).toEqual(['artifacts', 'id', 'messages', 'status']);
    expect(tasks.society.status).not.toHaveProperty('timestamp');
  });
});

describe('a message in a request', () => {
  test('has parts that are identified by type, by kind, or by their members', async () => {
    const parts = [
      { type: 'text', text: 'echo' },
      { type: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { text: 'c' },
      { data: { d: 1 } },
      { file: { name: 'e.txt', bytes: 'ZQ==' } },
      { raw: 'Zg==', filename: 'f.txt', mediaType: 'text/plain' },
      { url: 'https://example.test/g' },
    ];
    const task = await task01(connections['0.1'], 'tasks/send', { id: newUuid(), message: { role: 'user', parts } });
    expect(task.artifacts[0]?.parts).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
      { type: 'data', data: { d: 1 } },
      { type: 'file', file: { name: 'e.txt', bytes: 'ZQ==' } },
      { type: 'file', file: { name: 'f.txt', mimeType: 'text/plain', bytes: 'Zg==' } },
      { type: 'file', file: { uri: 'https://example.test/g' } },
    ]);
  });

  test('has the user’s role in either spelling, and never the agent’s role', async () => {
    const parts = [{ type: 'text', text: 'x' }];
    const send = (role: string): Promise<{ body: { error?: { code: number } } }> =>
      call01(connections.agentos, 'tasks/send', { id: newUuid(), message: { role, parts } });
    for (const role of ['user', 'ROLE_USER']) expect((await send(role)).body.error).toBeUndefined();
    for (const role of ['agent', 'ROLE_AGENT', 'system', '']) expect((await send(role)).body.error?.code).toBe(-32602);
  });

  test('§5.1: is accepted with every method on every path, and the path determines the response’s shape', async () => {
    const params03 = {
      message: { kind: 'message', messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: 'say hi' }] },
    };
    const params10 = { message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text: 'say hi' }] } };
    for (const path of ['society', 'societyai', 'orloj', 'agentos'] as const) {
      for (const [method, params] of [
        ['message/send', params03],
        // Without a kind, a version and an Accept of JSON this would be Web42's form on the neutral path.
        ['message/send', { message: { messageId: newUuid(), role: 'user', parts: params03.message.parts } }],
        ['SendMessage', params10],
      ] as const) {
        const task = await task01(connections[path], method, params);
        expect(task.status.state, `${path} ${method}`).toBe('completed');
        const shape = path === 'society' ? 'hi' : { role: 'agent', parts: [{ type: 'text', text: 'hi' }] };
        expect(task.status.message, `${path} ${method}`).toEqual(shape);
        expect((await task01(connections[path], 'GetTask', { id: task.id })).id).toBe(task.id);
      }
    }
  });
});

describe('an error response', () => {
  test('gives the same reason on every path if a finished task is canceled', async () => {
    const { id } = await onEveryPath('x');
    for (const path of everyPath) {
      const { status, body } = await call01(connections[path], 'tasks/cancel', { id });
      expect(status, path).toBe(200);
      expect(body.error, path).toMatchObject({
        code: -32002,
        data: { task_id: id, state: 'completed', reason: 'not_cancelable' },
      });
    }
  });

  test('is the same for an unknown task and another user’s task, and contains the id', async () => {
    const { id } = await onEveryPath('x');
    const unknown = newUuid();
    for (const path of everyPath) {
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe']) {
        const unauthorized = await call01(bobs[path], method, { id });
        const absent = await call01(bobs[path], method, { id: unknown });
        expect(unauthorized.body.error, `${path} ${method}`).toMatchObject({ code: -32001, data: { task_id: id } });
        expect(JSON.stringify(unauthorized.body).replaceAll(id, 'ID')).toBe(
          JSON.stringify(absent.body).replaceAll(unknown, 'ID'),
        );
      }
    }
  });

  test('is a 401 with a challenge if the token is invalid, before the body is read', async () => {
    for (const path of everyPath) {
      for (const headers of [{ authorization: '' }, { authorization: 'Bearer nonsense' }]) {
        const {
          status,
          headers: answered,
          body,
        } = await send01(withHeaders(connections[path], headers), 'not even json');
        expect(status, path).toBe(401);
        expect(answered.get('www-authenticate'), path).toMatch(/^Bearer/);
        expect(body.error?.code, path).toBe(-32600);
      }
    }
  });

  test('has the standard code for a body that is not JSON and for an invalid envelope', async () => {
    for (const path of everyPath) {
      expect((await send01(connections[path], '{"jsonrpc"')).body.error?.code, path).toBe(-32700);
      expect((await send01(connections[path], { id: 1, method: 'tasks/get' })).body.error?.code, path).toBe(-32600);
      expect(
        (await send01(connections[path], { jsonrpc: '2.0', id: 1, method: 'no/such' })).body.error?.code,
        path,
      ).toBe(-32601);
      expect((await call01(connections[path], 'tasks/get', {})).body.error?.code, path).toBe(-32602);
    }
  });
});

describe('a task stream', () => {
  test('numbers every event, with the request’s id for Society AI and without an envelope for Orloj', async () => {
    for (const path of everyPath) {
      const body = { jsonrpc: '2.0', id: 'req-9', method: 'tasks/sendSubscribe', params: say(newUuid(), 'x') };
      const events = await readEvents(await post(connections[path], body));
      const ids = events.map(({ id }) => Number(id));
      expect(ids, path).toEqual([...ids].sort((a, b) => a - b));
      expect(
        ids.every((id) => id > 0),
        path,
      ).toBe(true);
      if (path === 'orloj') expect(events.every(({ event }) => event === 'status')).toBe(true);
      else
        expect(events.every(({ data, event }) => event === undefined && (data as { id: string }).id === 'req-9')).toBe(
          true,
        );
    }
  });

  test('ends at a question for Society AI, but continues to the end of the task for Orloj', async () => {
    const asked = await watch(connections.societyai, 'tasks/sendSubscribe', say(newUuid(), 'ask me'));
    expect((await asked.ended).at(-1)?.data).toMatchObject({
      result: { status: { state: 'input-required' }, final: true },
    });
    const id = newUuid();
    const open = await watch(connections.orloj, 'tasks/sendSubscribe', say(id, 'ask me'));
    await waitFor(() => open.events.some(({ data }) => (data as Task01).status.state === 'input-required'), {
      what: 'the question',
    });
    expect((await task01(connections.orloj, 'tasks/send', say(id, 'red'))).status.state).toBe('completed');
    const states = (await open.ended).map(({ data }) => (data as Task01).status.state);
    expect(states.at(-1)).toBe('completed');
    expect(states.filter((state) => state === 'completed')).toHaveLength(1);
  });

  test.each([
    ['x', 'completed'],
    ['fail', 'failed'],
    ['reject', 'rejected'],
  ])('for Orloj ends with its task: %s', async (text, state) => {
    const { ended } = await watch(connections.orloj, 'tasks/sendSubscribe', say(newUuid(), text));
    expect((await ended).at(-1)?.data).toMatchObject({ status: { state } });
  });

  test('for Orloj ends when the task is canceled, and sends heartbeats while idle', async () => {
    const id = newUuid();
    const response = await post(connections.orloj, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tasks/sendSubscribe',
      params: say(id, 'hold on'),
    });
    let text = '';
    const decoder = new TextDecoder();
    let canceled = false;
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (canceled || !text.includes(': heartbeat')) continue;
      canceled = true;
      await task01(connections.orloj, 'tasks/cancel', { id });
    }
    expect(text).toContain('"state":"canceled"');
  }, 30_000);

  test.each([
    ...everyPath.map((path) => [path, 'tasks/resubscribe'] as const),
    ['societyai', 'task/resubscribe'] as const,
  ])(
    'on the path of %s resumes with %s after the last received event, without gaps or duplicates',
    async (path, method) => {
      const id = newUuid();
      const seen = await watch(connections[path], 'tasks/sendSubscribe', say(id, 'hold on'));
      await waitFor(() => seen.events.length > 1, { what: 'the working status' });
      const had = [...seen.events];
      seen.stop();
      const rest = await watch(withHeaders(connections[path], { 'last-event-id': had.at(-1)?.id ?? '' }), method, {
        id,
      });
      chattyAgent.release();
      const whole = [...had, ...(await rest.ended)];
      const again = await watch(withHeaders(connections[path], { 'last-event-id': '2' }), method, { id });
      const late = await again.ended;
      expect(whole.filter(({ id: seq }) => Number(seq) > 2)).toEqual(late);
      expect(late.map(({ id: seq }) => Number(seq))).toEqual([...new Set(late.map(({ id: seq }) => Number(seq)))]);
      expect(JSON.stringify(late.at(-1)?.data)).toContain('"state":"completed"');
    },
  );

  test('starts with a running task’s current state, or a finished task’s end, if no position is given', async () => {
    const id = newUuid();
    const first = await watch(connections.societyai, 'tasks/sendSubscribe', say(id, 'hold on'));
    await waitFor(() => first.events.length > 1, { what: 'the working status' });
    const later = await watch(connections.societyai, 'task/resubscribe', { id });
    await waitFor(() => later.events.length > 0, { what: 'the snapshot' });
    expect(later.events[0]?.data).toMatchObject({ result: { id, status: { state: 'working' }, final: false } });
    chattyAgent.release();
    expect((await later.ended).at(-1)?.data).toMatchObject({ result: { status: { state: 'completed' }, final: true } });
    const finished = await watch(connections.societyai, 'task/resubscribe', { id });
    expect((await finished.ended).map(({ data }) => data)).toMatchObject([{ result: { id, final: true } }]);
  });
});

describe('tasks/list', () => {
  test.each(everyPath)('on the path of %s pages through the caller’s tasks under the client’s ids', async (path) => {
    const person = await createPerson(parley.url, 'Lists');
    const own = await connectToAll(parley.url, person, slug);
    const ids = [newUuid(), newUuid(), newUuid()];
    const sessionId = newUuid();
    for (const id of ids) await task01(own['0.1'], 'tasks/send', say(id, 'x', { sessionId }));
    const list = async (params: object): Promise<{ tasks: Task01[]; nextPageToken: string; totalSize: number }> => {
      const connection = path === '0.1' ? withHeaders(own[path], { 'a2a-version': '0.1' }) : own[path];
      const { body } = await rpc(connection, 'tasks/list', params);
      return body.result as { tasks: Task01[]; nextPageToken: string; totalSize: number };
    };
    const first = await list({ pageSize: 2, sessionId });
    const second = await list({ pageSize: 2, sessionId, pageToken: first.nextPageToken });
    expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual([...ids].reverse());
    expect(second.nextPageToken).toBe('');
    expect(first.totalSize).toBe(3);
    expect(textsOf(first.tasks[0])).toEqual(['answer: x']);
    expect((await call01(own[path], 'tasks/list', { pageSize: 101 })).body.error?.code).toBe(-32602);
  });
});
