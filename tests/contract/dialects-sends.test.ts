import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startChattyAgent } from '../fakes/chatty-agent';
import { PushReceiver } from '../fakes/push-receiver';
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
  message03,
  type Person,
  post,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

const everyPath = Object.keys(seedPaths) as SeedPath[];
/** Paths on which ids name tasks. On Society's path they name threads. */
const taskPaths = everyPath.filter((path) => path !== 'society');

let parley: SharedParley;
let chattyAgent: Awaited<ReturnType<typeof startChattyAgent>>;
let ada: Person;
let connections: Record<SeedPath, Connection>;
let bobs: Record<SeedPath, Connection>;
let slug: string;

beforeAll(async () => {
  chattyAgent = await startChattyAgent();
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
  slug = await listAgent(parley.url, ada, { url: chattyAgent.agent.url });
  connections = await connectToAll(parley.url, ada, slug);
  bobs = await connectToAll(parley.url, await createPerson(parley.url, 'Bob'), slug);
});

afterAll(() => chattyAgent?.agent.stop());

beforeEach(() => {
  chattyAgent.release();
  chattyAgent.agent.received.length = 0;
});

/** Our own id of a task, which Orloj's path publishes. */
async function canonicalIdOf(id: string): Promise<string> {
  const { metadata } = await task01(connections.orloj, 'tasks/get', { id });
  return String(metadata?.task_id);
}

/** Starts a task that runs until the agent is released. */
async function startTask(path: SeedPath, id: string, text = 'hold on'): Promise<Task01> {
  const task = await task01(withHeaders(connections[path], { prefer: 'wait=0' }), 'tasks/send', say(id, text));
  await waitFor(() => chattyAgent.sends() > 0, { what: 'the agent to be called' });
  return task;
}

describe('a client’s own task id', () => {
  test.each(everyPath)('on the path of %s is accepted and can be looked up, as can Parley’s own id', async (path) => {
    const id = `own ${newUuid()}`;
    const task = await task01(connections[path], 'tasks/send', say(id, 'hello'));
    expect(task.id).toBe(id);
    const ours = await canonicalIdOf(id);
    expect(ours).toMatch(/^[0-9a-f-]{36}$/);
    for (const known of [id, ours]) {
      expect(await task01(connections[path], 'tasks/get', { id: known }), known).toMatchObject({
        id: known,
        status: { state: 'completed' },
      });
    }
  });

  test('is scoped to its user, so that two users can use the same id', async () => {
    const id = `same ${newUuid()}`;
    await task01(connections['0.1'], 'tasks/send', say(id, 'hers'));
    const unauthorized = await call01(bobs['0.1'], 'tasks/get', { id });
    expect(unauthorized.body.error?.code).toBe(-32001);
    const his = await task01(bobs['0.1'], 'tasks/send', say(id, 'his'));
    expect(textsOf(his)).toEqual(['answer: his']);
    expect(textsOf(await task01(connections['0.1'], 'tasks/get', { id }))).toEqual(['answer: hers']);
  });

  test('selects 0.1 on a neutral path, while our own id selects 0.3', async () => {
    for (const id of [`thread ${newUuid()}`, newUuid()]) {
      await task01(connections.societyai, 'tasks/send', say(id, 'hello'));
      const byName = await rpc(connections['0.1'], 'tasks/get', { id });
      expect(byName.body.result).toMatchObject({ id, artifacts: [{ parts: [{ type: 'text' }] }] });
      expect(byName.body.result).not.toHaveProperty('kind');
      const byOurs = await rpc(connections['0.1'], 'tasks/get', { id: await canonicalIdOf(id) });
      expect(byOurs.body.result).toMatchObject({ kind: 'task', artifacts: [{ parts: [{ kind: 'text' }] }] });
    }
  });

  test('can be used to cancel and subscribe', async () => {
    const id = `cancel me ${newUuid()}`;
    await task01(connections['0.1'], 'tasks/send', say(id, 'ask me'));
    expect(await task01(connections['0.1'], 'tasks/cancel', { id })).toMatchObject({
      id,
      status: { state: 'canceled' },
    });
    const { ended } = await watch(connections['0.1'], 'tasks/resubscribe', { id });
    expect((await ended).map(({ data }) => (data as { result: object }).result)).toMatchObject([
      { id, status: { state: 'canceled' }, final: true },
    ]);
  });

  test('can be omitted only on AgentOS’s path', async () => {
    const { message } = say('', 'hello');
    const made = await task01(connections.agentos, 'tasks/send', { message });
    expect(await task01(connections.agentos, 'tasks/get', { id: made.id })).toMatchObject({ id: made.id });
    for (const path of everyPath.filter((each) => each !== 'agentos')) {
      for (const params of [{ message }, { id: '', message }]) {
        expect((await call01(connections[path], 'tasks/send', params)).body.error?.code, path).toBe(-32602);
      }
    }
  });
});

describe('a Society thread', () => {
  test('continues with the next send, even if its text is the same, and the agent receives one conversation', async () => {
    const id = `thread-${newUuid()}`;
    for (const text of ['first', 'second', 'second']) {
      const task = await task01(connections.society, 'tasks/send', say(id, text));
      expect(task).toMatchObject({ id, status: { state: 'completed' } });
      expect(textsOf(task)).toEqual([`answer: ${text}`]);
    }
    const contexts = chattyAgent.agent.calls('message/stream').map(({ params }) => params.message?.contextId);
    expect(contexts).toEqual([undefined, 'agent-context', 'agent-context']);
    const ids = chattyAgent.agent.calls('message/stream').map(({ params }) => params.message?.messageId);
    expect(new Set(ids).size).toBe(3);
  });

  test('treats a send during an open question as its answer, even if the text is the same', async () => {
    const id = `thread-${newUuid()}`;
    const asked = await task01(connections.society, 'tasks/send', say(id, 'ask me'));
    expect(asked.status).toEqual({ state: 'completed', message: 'which one?' });
    expect(textsOf(asked)).toEqual(['which one?']);
    const again = await task01(connections.society, 'tasks/send', say(id, 'ask me'));
    expect(textsOf(again)).toEqual(['which one?']);
    const answered = await task01(connections.society, 'tasks/send', say(id, 'the red one'));
    expect(textsOf(answered)).toEqual(['got: the red one']);
    const tasks = chattyAgent.agent.calls('message/stream').map(({ params }) => params.message?.taskId);
    expect(tasks[0]).toBeUndefined();
    expect(tasks[1]).toBeDefined();
    expect(tasks[2]).toBe(tasks[1]);
  });

  test('runs once if the same text is sent again while its task runs', async () => {
    const id = `thread-${newUuid()}`;
    await startTask('society', id);
    const { events, ended } = await watch(connections.society, 'tasks/sendSubscribe', say(id, 'hold on'));
    await waitFor(() => events.length > 0, { what: 'the repeated send to find the run' });
    const { body } = await call01(
      withHeaders(connections.society, { prefer: 'wait=0' }),
      'tasks/send',
      say(id, 'hold on'),
    );
    expect(body.result?.status.state).toBe('working');
    chattyAgent.release();
    expect((await ended).at(-1)?.data).toMatchObject({ result: { status: { state: 'completed' }, final: true } });
    expect(chattyAgent.sends()).toBe(1);
  });

  test('continues with another text after the running turn, or returns busy if the request does not wait', async () => {
    const id = `thread-${newUuid()}`;
    await startTask('society', id);
    const next = task01(connections.society, 'tasks/send', say(id, 'and then'));
    const { body } = await call01(
      withHeaders(connections.society, { prefer: 'wait=0' }),
      'tasks/send',
      say(id, 'and now'),
    );
    expect(body.error).toMatchObject({ code: -32603, data: { reason: 'task_busy' } });
    chattyAgent.release();
    expect(textsOf(await next)).toEqual(['answer: and then']);
    expect(chattyAgent.sends()).toBe(2);
  });
});

describe('a repeated task id', () => {
  test.each(taskPaths)('on the path of %s with the same body never runs twice', async (path) => {
    const id = newUuid();
    const params = say(id, 'hello', { metadata: { a: 'b' } });
    const both = await Promise.all([
      call01(connections[path], 'tasks/send', params),
      call01(connections[path], 'tasks/send', params),
    ]);
    const later = await call01(connections[path], 'tasks/send', params);
    for (const { body } of [...both, later]) expect(textsOf(body.result)).toEqual(['answer: hello']);
    expect(later.body.result).toEqual(both[0]?.body.result);
    expect(later.headers.get('idempotent-replayed')).toBe('true');
    expect(both.map(({ headers }) => headers.get('idempotent-replayed')).sort()).toEqual([null, 'true'].sort());
    expect(chattyAgent.sends()).toBe(1);
  });

  test.each(taskPaths)('on the path of %s answers a question on the same task and agent', async (path) => {
    const id = newUuid();
    const asked = await task01(connections[path], 'tasks/send', say(id, 'ask me'));
    expect(asked.status.state).toBe('input-required');
    const { body, headers } = await call01(connections[path], 'tasks/send', say(id, 'red'));
    expect(body.result).toMatchObject({ id, status: { state: 'completed' } });
    expect(textsOf(body.result)).toEqual(['got: red']);
    expect(headers.get('idempotent-replayed')).toBeNull();
    const again = await call01(connections[path], 'tasks/send', say(id, 'red'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(chattyAgent.sends()).toBe(2);
  });

  test('runs the same text twice under two idempotency keys, and once under one key', async () => {
    const id = newUuid();
    await task01(connections.societyai, 'tasks/send', say(id, 'ask me'));
    const replayed = [];
    for (const key of ['first', 'second', 'first']) {
      const connection = withHeaders(connections.societyai, { 'idempotency-key': key });
      const { body, headers } = await call01(connection, 'tasks/send', say(id, 'ask again'));
      expect(body.result?.status.state).toBe('input-required');
      replayed.push(headers.get('idempotent-replayed'));
    }
    expect(replayed).toEqual([null, null, 'true']);
    expect(chattyAgent.sends()).toBe(3);
  });

  test('in concurrent non-blocking requests leads to only one send', async () => {
    const id = newUuid();
    const connection = withHeaders(connections['0.1'], { prefer: 'wait=0' });
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => call01(connection, 'tasks/send', say(id, 'x'))),
    );
    expect(responses.map(({ body }) => body.result?.id)).toEqual(Array.from({ length: 8 }, () => id));
    const begun = responses.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    expect(begun).toHaveLength(1);
    await waitFor(() => chattyAgent.sends() > 0, { what: 'the agent to be called' });
    const { ended } = await watch(connections['0.1'], 'task/resubscribe', { id });
    await ended;
    expect(chattyAgent.sends()).toBe(1);
  });

  test('with the same body leads to no second send while a question is open', async () => {
    const id = newUuid();
    await task01(connections.societyai, 'tasks/send', say(id, 'ask me'));
    const again = await call01(connections.societyai, 'tasks/send', say(id, 'ask me'));
    expect(again.body.result?.status.state).toBe('input-required');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(chattyAgent.sends()).toBe(1);
  });

  test.each(taskPaths)('on the path of %s rejects another body while the task runs and after it ends', async (path) => {
    const id = newUuid();
    await startTask(path, id);
    const running = await call01(connections[path], 'tasks/send', say(id, 'something else'));
    expect(running.body.error).toMatchObject({ code: -32600, data: { reason: 'duplicate_task', task_id: id } });
    chattyAgent.release();
    await task01(connections[path], 'tasks/send', say(id, 'hold on'));
    const over = await call01(connections[path], 'tasks/send', say(id, 'something else'));
    expect(over.body.error).toMatchObject({ code: -32602, data: { reason: 'task_terminal', task_id: id } });
    expect(chattyAgent.sends()).toBe(1);
  });

  test('can be used to subscribe', async () => {
    const id = newUuid();
    await startTask('societyai', id);
    const { ended, events } = await watch(connections.societyai, 'tasks/sendSubscribe', say(id, 'hold on'));
    await waitFor(() => events.length > 0, { what: 'the snapshot' });
    chattyAgent.release();
    expect((await ended).at(-1)?.data).toMatchObject({ result: { status: { state: 'completed' }, final: true } });
    expect(chattyAgent.sends()).toBe(1);
  });
});

describe('a JSON-RPC envelope', () => {
  test('can have an id that differs from the task id', async () => {
    const id = `thread-${newUuid()}`;
    const { body } = await send01(connections.society, {
      jsonrpc: '2.0',
      id: 'other',
      method: 'tasks/send',
      params: say(id, 'x'),
    });
    expect(body).toMatchObject({ id: 'other', result: { id } });
  });

  test.each(taskPaths)('on the path of %s runs as a notification without a response', async (path) => {
    const id = newUuid();
    for (const method of ['tasks/send', 'tasks/sendSubscribe']) {
      const response = await post(connections[path], { jsonrpc: '2.0', method, params: say(id, 'quietly') });
      expect(response.status, method).toBe(204);
      expect(await response.text(), method).toBe('');
    }
    const done = await waitFor(
      async () => {
        const task = await task01(connections[path], 'tasks/get', { id });
        return task.status.state === 'completed' ? task : null;
      },
      { what: 'the task of the notification' },
    );
    expect(done).toBeTruthy();
    expect(chattyAgent.sends()).toBe(1);
  });

  test.each(taskPaths)('on the path of %s gets no error response if it is a notification', async (path) => {
    for (const [method, params] of [
      ['tasks/get', { id: newUuid() }],
      ['tasks/send', { id: newUuid() }],
      ['tasks/unknown', {}],
    ]) {
      const response = await post(connections[path], { jsonrpc: '2.0', method, params });
      expect([response.status, await response.text()], String(method)).toEqual([204, '']);
    }
  });

  test('requires an id on Society’s path, and may have a null id on Orloj’s path', async () => {
    for (const envelope of [{}, { id: null }]) {
      const body = { jsonrpc: '2.0', ...envelope, method: 'tasks/send', params: say(newUuid(), 'x') };
      const refused = await send01(connections.society, body);
      expect(refused).toMatchObject({ status: 200, body: { id: null, error: { code: -32600 } } });
    }
    const body = { jsonrpc: '2.0', id: null, method: 'tasks/send', params: say(newUuid(), 'x') };
    expect((await send01(connections.orloj, body)).body).toMatchObject({
      id: null,
      result: { status: { state: 'completed' } },
    });
  });

  test.each([7, 'req-7', 0])('gets a response with the same id: %s', async (id) => {
    const { body } = await send01(connections.orloj, {
      jsonrpc: '2.0',
      id,
      method: 'tasks/get',
      params: { id: 'none' },
    });
    expect(body.id).toBe(id);
  });

  test('is accepted up to 1 MiB, and Society rejects a larger one as a parse error', async () => {
    const sized = (size: number): string => {
      const body = { jsonrpc: '2.0', id: 'x', method: 'tasks/send', params: { ...say(newUuid(), 'x'), pad: '' } };
      const text = JSON.stringify(body);
      return text.replace('"pad":""', `"pad":"${'p'.repeat(size - text.length)}"`);
    };
    const fits = await send01(connections.society, sized(1_048_576));
    expect(fits.body.result?.status.state).toBe('completed');
    const over = await send01(connections.society, sized(1_048_577));
    expect(over).toMatchObject({ status: 200, body: { id: null, error: { code: -32700 } } });
    for (const path of taskPaths) {
      const refused = await send01(connections[path], sized(1_048_577));
      expect(refused, path).toMatchObject({
        status: 413,
        body: { error: { code: -32600, data: { limit: 1_048_576 } } },
      });
    }
  });
});

describe('a send’s waiting time', () => {
  test.each(everyPath)('on the path of %s is set by the caller', async (path) => {
    const id = newUuid();
    for (const prefer of ['wait=0', 'respond-async']) {
      const { body, headers } = await call01(
        withHeaders(connections[path], { prefer }),
        'tasks/send',
        say(id, 'hold on'),
      );
      expect(['submitted', 'working']).toContain(body.result?.status.state);
      expect(headers.get('preference-applied')).toBe(prefer);
    }
    await waitFor(() => chattyAgent.sends() > 0, { what: 'the agent to be called' });
    chattyAgent.release();
    const { ended } = await watch(connections[path], 'tasks/resubscribe', { id });
    await ended;
    expect((await task01(connections[path], 'tasks/get', { id })).status.state).toBe('completed');
    expect(chattyAgent.sends()).toBe(1);
  });

  test('is honored in 0.3 and 1.0 too', async () => {
    const late = await rpc(withHeaders(connections['0.1'], { prefer: 'wait=0' }), 'message/send', message03('hold on'));
    expect((late.body.result as Task01).status.state).not.toBe('completed');
    expect(late.headers.get('preference-applied')).toBe('wait=0');
    await waitFor(() => chattyAgent.sends() > 0, { what: 'the agent to be called' });
    chattyAgent.release();
  });
});

describe('an A2A 0.1 push notification', () => {
  test('can be requested with the send or later, under the client’s own task id', async () => {
    const receiver = await PushReceiver.start();
    const asked = { url: `${receiver.url}/hook`, token: 'mine' };
    const id = newUuid();
    await task01(connections.societyai, 'tasks/send', say(id, 'ask me', { pushNotification: asked }));
    const got = await call01(connections.societyai, 'tasks/pushNotification/get', { id });
    expect(got.body.result).toEqual({ id, pushNotificationConfig: asked });
    await waitFor(() => receiver.on('/hook').length > 0, { what: 'the push of the question' });
    const set = await call01(connections['0.1'], 'tasks/pushNotification/set', {
      id,
      pushNotificationConfig: { url: `${receiver.url}/later` },
    });
    expect(set.body.result).toEqual({ id, pushNotificationConfig: { url: `${receiver.url}/later` } });
    await task01(connections.societyai, 'tasks/send', say(id, 'red'));
    await waitFor(() => receiver.on('/later').some(({ text }) => text.includes('"completed"')), { what: 'the push' });
    expect(receiver.on('/hook').every(({ headers }) => headers['x-a2a-notification-token'] === 'mine')).toBe(true);
    await receiver.stop();
  });
});

describe('the caller’s identity', () => {
  test('replaces what the caller claims about itself, and omits members reserved for agents', async () => {
    const metadata = {
      requester: { name: 'somebody else' },
      executor: { name: slug },
      user_id: 'victim',
      chat_id: 'victim’s chat',
      cost: 0,
      skill_used: 'script',
    };
    const id = newUuid();
    const task = await task01(connections.societyai, 'tasks/send', say(id, 'hello', { metadata }));
    const [heard] = chattyAgent.agent.calls('message/stream');
    const receivedMetadata: Record<string, unknown> = heard?.params.metadata ?? {};
    for (const said of [receivedMetadata, task.metadata ?? {}]) {
      expect(said).toMatchObject({ skill_used: 'script', executor: { name: slug } });
      expect(said).not.toHaveProperty('cost');
      expect(said.requester).not.toEqual(metadata.requester);
      expect(said.user_id).not.toBe('victim');
    }
    expect(receivedMetadata).not.toHaveProperty('chat_id');
    expect(receivedMetadata.user_id).toBe(
      JSON.parse(atob(String(heard?.headers.authorization).split('.')[1] ?? '')).sub,
    );
  });

  test('is unaffected by an invalid chat_id', async () => {
    const odd = say(newUuid(), 'one', { metadata: { chat_id: 'x\u0000' } });
    const [task, other] = await Promise.all([
      task01(connections.societyai, 'tasks/send', odd),
      task01(connections.societyai, 'tasks/send', say(newUuid(), 'two')),
    ]);
    expect([task.status.state, other.status.state]).toEqual(['completed', 'completed']);
  });

  test('does not select the conversation, which sessionId or chat_id does', async () => {
    const sessionId = `session-${newUuid()}`;
    const first = await task01(connections.societyai, 'tasks/send', say(newUuid(), 'one', { sessionId }));
    await task01(connections.agentos, 'tasks/send', say(newUuid(), 'two', { sessionId }));
    await task01(connections.societyai, 'tasks/send', say(newUuid(), 'three', { metadata: { chat_id: sessionId } }));
    await task01(connections.societyai, 'tasks/send', say(newUuid(), 'four'));
    expect(first.sessionId).toBe(sessionId);
    const contexts = chattyAgent.agent.calls('message/stream').map(({ params }) => params.message?.contextId);
    expect(contexts).toEqual([undefined, 'agent-context', 'agent-context', undefined]);
  });
});
