import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
  type WireEvent,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: Person;
let bob: Person;
let connection: Connection;
let slug: string;

describe('the gateway:', () => {
  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Gateway probe' });
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    bob = await createPerson(parley.url, 'Bob');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    connection = await connectTo(parley.url, ada, slug);
  });

  afterAll(() => agent?.stop());

  beforeEach(() => {
    agent.received.length = 0;
  });

  /** Answers every send with these 0.3 events on one stream. */
  function says(...events: object[]): void {
    agent.answer(({ result, end }) => {
      for (const event of events) result(event);
      end();
    });
  }

  type Task03 = {
    id: string;
    contextId: string;
    status: { state: string; message?: { parts: { text: string }[] } };
    artifacts: { parts: { text: string }[] }[];
  };

  async function sendText(text: string, extra: object = {}): Promise<Task03> {
    const { body } = await rpc(connection, 'message/send', message03(text, extra));
    if (body.error) throw new Error(JSON.stringify(body.error));
    return body.result as Task03;
  }

  const textOf = (task: Task03): string =>
    task.artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');

  describe('a send', () => {
    test('responds in the dialect of the request, with our ids', async () => {
      says(
        agent03.status('up-1', 'working'),
        agent03.artifact('up-1', 'hello'),
        agent03.status('up-1', 'completed', 'done'),
      );
      const task = await sendText('hi');
      expect(task.status.state).toBe('completed');
      expect(textOf(task)).toBe('hello');
      expect(task.id).not.toBe('up-1');
      const { body } = await rpc(connection, 'SendMessage', message10('hi'));
      expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    });

    test('returns only the message if the agent sends nothing else', async () => {
      says(agent03.agentMessage('just this'));
      const { body } = await rpc(connection, 'message/send', message03('hi'));
      expect(body.result).toMatchObject({ kind: 'message', parts: [{ kind: 'text', text: 'just this' }] });
    });

    test('reads a JSON response to the stream request', async () => {
      agent.answer(({ json, received }) =>
        json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-2', 'completed', ['plain']) }),
      );
      expect(textOf(await sendText('hi'))).toBe('plain');
    });

    test('RS-3 sends the agent its own token and no other token from Parley', async () => {
      says(agent03.agentMessage('ok'));
      await post(withHeaders(connection, { cookie: 'a=b', 'x-forwarded-for': '6.6.6.6', 'x-secret': 's' }), {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: message03('hi'),
      });
      const headers = agent.received[0]?.headers ?? {};
      expect(headers.authorization).toMatch(/^Bearer ey/);
      expect(headers.authorization).not.toContain(connection.token);
      for (const name of ['cookie', 'x-forwarded-for', 'x-secret', 'forwarded']) expect(headers[name]).toBeUndefined();
    });

    test('RS-3 is rejected by Parley if it uses the agent’s token', async () => {
      says(agent03.agentMessage('ok'));
      await sendText('hi');
      const stolen = agent.messages[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
      const replay = await rpc({ ...connection, token: stolen }, 'message/send', message03('as you'));
      expect(replay.status).toBe(401);
      const api = await fetch(`${parley.url}/api/auth/access-tokens`, {
        headers: { authorization: `Bearer ${stolen}` },
      });
      expect(api.status).toBe(401);
    });

    test('never runs twice if the message is resent with the same UUID', async () => {
      says(agent03.task('up-3', 'completed', ['once']));
      const params = message03('once only');
      const [first, second] = await Promise.all([
        rpc(connection, 'message/send', params),
        rpc(connection, 'message/send', params),
      ]);
      const third = await rpc(connection, 'message/send', params);
      const ids = [first, second, third].map(({ body }) => (body.result as Task03).id);
      expect(new Set(ids).size).toBe(1);
      expect(agent.calls('message/stream')).toHaveLength(1);
    });

    test.each(['nul \u0000', 'a'.repeat(256)])('fails if the agent returns a task with the id %j', async (upstream) => {
      agent.answer(({ received, result, end }) => {
        const text = received.params.message?.parts?.[0]?.text;
        result(agent03.status(text === 'bad' ? upstream : newUuid(), 'completed', 'ok'));
        end();
      });
      const [bad, ...good] = await Promise.all(
        ['bad', 'one', 'two', 'three'].map(
          async (text) => (await rpc(connection, 'message/send', message03(text))).body,
        ),
      );
      expect(bad?.error?.message).toContain('returned an invalid task ID');
      const states = good.map(({ result }) => (result as Task03).status.state);
      expect(states).toEqual(['completed', 'completed', 'completed']);
    });

    test('is rejected if its idempotency key was used with another body', async () => {
      says(agent03.agentMessage('ok'));
      const messageId = newUuid();
      await sendText('one', { messageId });
      const { body } = await rpc(connection, 'message/send', message03('two', { messageId }));
      expect(body.error).toMatchObject({ code: -32602, data: { reason: 'idempotency_mismatch' } });
    });

    test('answers a question on the same task, both in Parley and at the agent', async () => {
      says(agent03.status('up-4', 'input-required', 'which size?'));
      const asked = await sendText('a pizza');
      expect(asked.status.state).toBe('input-required');
      says(agent03.status('up-4', 'completed', 'large it is'));
      const done = await sendText('large', { taskId: asked.id, contextId: asked.contextId });
      expect(done.id).toBe(asked.id);
      expect(done.status.state).toBe('completed');
      const [, followUp] = agent.calls('message/stream');
      expect(followUp?.params.message?.taskId).toBe('up-4');
    });

    test('is rejected if the task is finished, or if the context does not belong to the task', async () => {
      says(agent03.task('up-5', 'completed', ['x']));
      const done = await sendText('x');
      const refused = await rpc(connection, 'message/send', message03('more', { taskId: done.id }));
      expect(refused.body.error?.code).toBe(-32004);
      says(agent03.status('up-6', 'input-required', '?'));
      const asked = await sendText('y');
      const wrong = await rpc(connection, 'message/send', message03('z', { taskId: asked.id, contextId: newUuid() }));
      expect(wrong.body.error?.code).toBe(-32602);
    });
  });

  describe('a stream', () => {
    test('SSE-3 contains sequence numbers, and can be resumed exactly', async () => {
      says(
        agent03.status('up-7', 'working'),
        ...['a', 'b', 'c'].map((text, at) => agent03.artifact('up-7', text, { append: at > 0 })),
        agent03.status('up-7', 'completed'),
      );
      const whole = await readEvents(
        await post(connection, { jsonrpc: '2.0', id: 7, method: 'message/stream', params: message03('go') }),
      );
      const ids = whole.map(({ id }) => Number(id));
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(whole.every(({ data }) => (data as { id: unknown }).id === 7)).toBe(true);
      const task = resultOf<Task03>(whole[0]);
      for (const after of ids) {
        const request = { jsonrpc: '2.0', id: 8, method: 'tasks/resubscribe', params: { id: task.id } };
        const resumed = await readEvents(
          await post(withHeaders(connection, { 'last-event-id': String(after) }), request),
        );
        expect(resumed.map(({ id, data }) => [id, (data as { result: unknown }).result])).toEqual(
          whole
            .filter(({ id }) => Number(id) > after)
            .map(({ id, data }) => [id, (data as { result: unknown }).result]),
        );
      }
    });

    test('SSE-3 rejects impossible positions', async () => {
      says(agent03.task('up-8', 'completed', ['x']));
      const { id } = await sendText('x');
      for (const after of ['-1', '9223372036854775808', '99', 'x', '1.5', '']) {
        const { body } = await rpc(withHeaders(connection, { 'last-event-id': after }), 'tasks/resubscribe', { id });
        expect(body.error?.code, after).toBe(-32602);
      }
    });

    test('does not end the task when its reader disconnects', async () => {
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      agent.answer(async ({ result, end }) => {
        result(agent03.status('up-9', 'working'));
        await gate;
        result(agent03.artifact('up-9', 'still here'));
        result(agent03.status('up-9', 'completed'));
        end();
      });
      const abort = new AbortController();
      const response = await post(
        { ...connection, signal: abort.signal },
        { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go') },
      );
      const [first] = await readEvents(response, (events) => events.length > 0);
      abort.abort();
      go();
      const { id } = resultOf<Task03>(first);
      const task = await waitFor(
        async () => {
          const { body } = await rpc(connection, 'tasks/get', { id });
          const found = body.result as Task03;
          return found.status.state === 'completed' ? found : null;
        },
        { what: 'the task to end without its reader' },
      );
      expect(textOf(task)).toBe('still here');
    });

    test('for Web42 has bare events and begins with a status, even if the agent returns only a message', async () => {
      const params = {
        message: { messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: 'hi' }], contextId: newUuid() },
      };
      says(agent03.agentMessage('hello there'));
      const events = await readEvents(
        await post(connection, { jsonrpc: '2.0', id: '1', method: 'message/send', params }),
      );
      expect(events.map(({ event }) => event)).toEqual(['message', 'message']);
      expect(events.map(({ data }) => (data as { kind: string }).kind)).toEqual(['status-update', 'message']);
      expect(events[1]?.data).toMatchObject({ contextId: params.message.contextId });
      expect(events.every(({ data }) => !('jsonrpc' in (data as object)))).toBe(true);
    });
  });

  describe('a cancel request', () => {
    test('reaches the agent and ends the stream', async () => {
      agent.answer(async ({ received, result, json, end, gone }) => {
        if (received.method === 'tasks/cancel')
          return json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-c', 'canceled') });
        result(agent03.status('up-c', 'working'));
        await gone;
        end();
      });
      const response = await post(connection, {
        jsonrpc: '2.0',
        id: 1,
        method: 'message/stream',
        params: message03('go'),
      });
      const seen: WireEvent[] = [];
      const reading = readEvents(response, (events) => {
        seen.splice(0, seen.length, ...events);
        return false;
      });
      await waitFor(() => seen.length > 1, { what: 'the working status' });
      const { id } = resultOf<Task03>(seen[0]);
      const { body } = await rpc(connection, 'tasks/cancel', { id });
      expect((body.result as Task03).status.state).toBe('canceled');
      expect(agent.calls('tasks/cancel')[0]?.params.id).toBe('up-c');
      const last = (await reading).at(-1)?.data as { result: { status: { state: string }; final: boolean } };
      expect(last.result).toMatchObject({ status: { state: 'canceled' }, final: true });
    });

    test('is idempotent in every version for a canceled task, and is rejected for a task that ended in another state', async () => {
      says(agent03.status('up-i', 'input-required', 'sure?'));
      const asked = await sendText('go');
      const first = (await rpc(connection, 'tasks/cancel', { id: asked.id })).body.result as Task03;
      expect(first.status.state).toBe('canceled');
      agent.received.length = 0;
      expect((await rpc(connection, 'tasks/cancel', { id: asked.id, reason: 'once more' })).body.result).toEqual(first);
      const again = await rpc(connection, 'CancelTask', { id: asked.id });
      expect(again.body.result).toMatchObject({ id: asked.id, status: { state: 'TASK_STATE_CANCELED' } });
      expect(agent.received).toEqual([]);
      for (const state of ['completed', 'failed', 'rejected']) {
        says(agent03.status(`up-${state}`, state));
        const { id } = await sendText('go');
        for (const method of ['tasks/cancel', 'CancelTask'])
          expect((await rpc(connection, method, { id })).body.error?.code, state).toBe(-32002);
      }
    });
  });

  describe('a request without an id', () => {
    const quietly = (method: string, params: unknown): object => ({ jsonrpc: '2.0', method, params });
    const unknown = { id: newUuid() };

    test.each<[string, unknown]>([
      ['an unknown method', quietly('tasks/unknown', {})],
      ['an unknown task, 1.0', quietly('GetTask', unknown)],
      ['an unknown task, 0.3', quietly('tasks/get', unknown)],
      ['an unknown task to cancel', quietly('tasks/cancel', unknown)],
      ['an unknown task to subscribe to', quietly('tasks/resubscribe', unknown)],
      ['no message, 1.0', quietly('SendMessage', {})],
      ['no message, 0.3', quietly('message/send', { message: 7 })],
      ['no message, 0.1', quietly('tasks/send', { id: 'x' })],
      ['no message, streamed', quietly('message/stream', {})],
      ['params that are a list', quietly('message/send', [])],
      ['params that are text', quietly('message/send', 'hi')],
      ['a batch of notifications', [quietly('tasks/get', unknown), quietly('tasks/unknown', {})]],
    ])('with %s gets no response', async (_, body) => {
      const response = await post(connection, body);
      expect([response.status, await response.text()]).toEqual([204, '']);
    });

    test.each(['message/send', 'message/stream', 'SendMessage', 'SendStreamingMessage'])(
      'with %s starts the task but gets no response, even if the agent rejects it',
      async (method) => {
        agent.answer(({ json, received }) =>
          json({ jsonrpc: '2.0', id: received.id, error: { code: -32602, message: 'no' } }),
        );
        const params = method.startsWith('message') ? message03('quietly') : message10('quietly');
        const response = await post(connection, quietly(method, params));
        expect([response.status, await response.text()]).toEqual([204, '']);
        expect(agent.received.length).toBeGreaterThan(0);
      },
    );

    test.each<[string, unknown, number]>([
      ['that is not JSON', '{"jsonrpc":"2.0","method":', -32700],
      ['that is empty', '', -32700],
      ['that is an empty batch', [], -32600],
      [
        'that is a batch with a request',
        [quietly('tasks/get', unknown), { ...quietly('tasks/get', unknown), id: 1 }],
        -32600,
      ],
      ['without a version', { method: 'tasks/get', params: unknown }, -32600],
      ['whose method is a number', { jsonrpc: '2.0', method: 1, params: 'bar' }, -32600],
      ['that is text', '"hello"', -32600],
    ])('%s gets an error with a null id', async (_, body, code) => {
      const response = await post(connection, body);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
    });
  });

  describe('two users', () => {
    test('AUTH-SCOPE AUZ-1, AUZ-2 never see each other’s ids, in any method', async () => {
      says(agent03.status('up-q', 'input-required', 'secret question'));
      const contextId = newUuid();
      const adas = await sendText('private', { contextId });
      const bobConnection = await connectTo(parley.url, bob, slug);
      const unknown = newUuid();
      const calls: [string, (id: string) => object][] = [
        ['tasks/get', (id) => ({ id })],
        ['tasks/cancel', (id) => ({ id })],
        ['tasks/resubscribe', (id) => ({ id })],
        ['message/send', (id) => message03('mine now', { taskId: id, messageId: 'fixed' })],
        ['message/stream', (id) => message03('mine now', { taskId: id, messageId: 'fixed' })],
        ['GetTask', (id) => ({ id })],
        ['CancelTask', (id) => ({ id })],
        ['SubscribeToTask', (id) => ({ id })],
        ['SendMessage', (id) => message10('mine now', { taskId: id, messageId: 'fixed' })],
      ];
      for (const [method, params] of calls) {
        const unauthorized = await rpc(bobConnection, method, params(adas.id));
        const absent = await rpc(bobConnection, method, params(unknown));
        expect(unauthorized.status, method).toBe(absent.status);
        expect(JSON.stringify(unauthorized.body).replaceAll(adas.id, 'ID'), method).toBe(
          JSON.stringify(absent.body).replaceAll(unknown, 'ID'),
        );
        expect(unauthorized.body.error?.code, method).toBe(-32001);
      }
      const list = await rpc(bobConnection, 'ListTasks', { contextId });
      expect(list.body.result).toMatchObject({ tasks: [], totalSize: 0 });
      says(agent03.agentMessage('hello bob'));
      await rpc(bobConnection, 'message/send', message03('same context id', { contextId }));
      await rpc(bobConnection, 'message/send', message03('again', { contextId }));
      const [first, second, third] = agent.calls('message/stream').map(({ params }) => params.message?.contextId);
      expect([first, second]).toEqual([undefined, undefined]);
      expect(third).not.toBe('agent-context');
      expect(third).not.toBe(contextId);
    });
  });

  describe('an agent’s output', () => {
    test('is identical byte for byte after a long text in many chunks', async () => {
      const pieces = Array.from({ length: 400 }, (_, at) => `${at}·é😀\n${'x'.repeat(at % 17)}`);
      says(
        agent03.status('up-b', 'working'),
        ...pieces.map((text, at) => agent03.artifact('up-b', text, { append: at > 0 })),
        agent03.status('up-b', 'completed'),
      );
      const task = await sendText('long');
      const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
      expect(digest(textOf(task))).toBe(digest(pieces.join('')));
    });
  });
});
