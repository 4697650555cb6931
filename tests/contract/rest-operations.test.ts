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
  readEvents,
  rpc,
  type WireEvent,
} from '../support/fixtures';
import { connectToRest, rest, restJson } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

interface Task10 {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  artifacts?: { parts: object[] }[];
  history?: object[];
}
interface Error10 {
  error: { code: number; status: string; message: string; details: { reason?: string; fieldViolations?: object[] }[] };
}

describe('A2A over HTTP+JSON:', () => {
  let parley: SharedParley;
  let agent: ScriptedAgent;
  let ada: Person;
  let connection: Connection;
  let rpcLine: Connection;
  let slug: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Rest probe' });
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    connection = await connectToRest(parley.url, ada, slug);
    rpcLine = await connectTo(parley.url, ada, slug);
  });

  afterAll(() => agent?.stop());

  beforeEach(() => {
    agent.received.length = 0;
    says(agent03.status('up', 'working'), agent03.artifact('up', 'hello'), agent03.status('up', 'completed', 'done'));
  });

  function says(...events: object[]): void {
    agent.answer(({ result, end }) => {
      for (const event of events) result(event);
      end();
    });
  }

  /** An agent that works until it is canceled. */
  function works(upstreamId: string): void {
    agent.answer(async ({ received, result, json, end, gone }) => {
      if (received.method === 'tasks/cancel')
        return json({ jsonrpc: '2.0', id: received.id, result: agent03.task(upstreamId, 'canceled') });
      result(agent03.status(upstreamId, 'working'));
      await gone;
      end();
    });
  }

  async function sendTask(text: string, extra: object = {}): Promise<Task10> {
    const { body } = await restJson<{ task: Task10 }>(connection, 'POST /message:send', {
      body: message10(text, extra),
    });
    return body.task;
  }

  const stateOf = ({ data }: WireEvent): string | undefined =>
    (data as { statusUpdate?: { status: { state: string } } }).statusUpdate?.status.state;

  describe('an invalid request', () => {
    test('without a token is rejected with 401 and a challenge before the body is read (A2A 1.0 §7.4)', async () => {
      const response = await fetch(`${connection.url}/message:send`, { method: 'POST', body: '{' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(((await response.json()) as Error10).error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    });

    test.each([
      [
        'another media type',
        { body: 'text', headers: { 'content-type': 'text/plain' } },
        415,
        'CONTENT_TYPE_NOT_SUPPORTED',
      ],
      ['text that is not JSON', { body: '{' }, 400, 'PARSE_ERROR'],
      ['an array', { body: [] }, 400, 'INVALID_REQUEST'],
      ['nothing', {}, 400, 'INVALID_PARAMS'],
      ['no parts', { body: message10('', { parts: [] }) }, 400, 'INVALID_PARAMS'],
      ['the shape of 0.3', { body: message03('hi') }, 400, 'INVALID_PARAMS'],
      [
        'an unknown version',
        { body: message10('hi'), headers: { 'a2a-version': '9.9' } },
        400,
        'VERSION_NOT_SUPPORTED',
      ],
    ])('that sends %s is rejected with a google.rpc.Status (A2A 1.0 §11.6)', async (...[, options, status, reason]) => {
      const { status: found, body } = await restJson<Error10>(connection, 'POST /message:send', options);
      expect(found).toBe(status);
      expect(body.error.code).toBe(status);
      expect(body.error.details[0]).toMatchObject({
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: 'a2a-protocol.org',
      });
      expect(agent.received).toEqual([]);
    });

    test.each([
      'pageSize=0',
      'pageSize=101',
      'pageSize=x',
      'historyLength=-1',
      'includeArtifacts=maybe',
      'status=DONE',
      'pageToken=x',
    ])('that lists tasks with ?%s is rejected, and the error names the parameter (A2A 1.0 §11.5)', async (query) => {
      const { status, body } = await restJson<Error10>(connection, `GET /tasks?${query}`);
      expect(status).toBe(400);
      expect(body.error.status).toBe('INVALID_ARGUMENT');
      expect(body.error.details[0]?.reason).toBe('INVALID_PARAMS');
      expect(body.error.message).toContain(query.split('=')[0]);
    });

    test('with a body over 1 MiB is rejected with 413 (LIM-1)', async () => {
      const response = await rest(connection, 'POST /message:send', { body: `"${'x'.repeat(1_048_576)}"` });
      expect(response.status).toBe(413);
    });

    test('returns the bare error with the JSON-RPC code in 0.3', async () => {
      const { status, body } = await restJson<object>(connection, `GET /v1/tasks/${newUuid()}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: -32001, data: { reason: 'task_not_found' } });
    });

    test('is rejected with 405 or 404 for an unknown method, path or tenant', async () => {
      expect((await rest(connection, 'GET /message:send')).status).toBe(405);
      expect((await rest(connection, 'PATCH /tasks')).status).toBe(405);
      for (const path of ['/tenant/tasks', '/tasks/a/b', '/v2/tasks', '/', `/tasks/${newUuid()}:destroy`]) {
        const found = await rest(connection, `GET ${path}`);
        expect(found.status, path).toBe(404);
        await found.arrayBuffer();
      }
    });
  });

  describe('both bindings', () => {
    test('BIND-EQUIV return the same task over JSON-RPC as over HTTP, alone and in a list', async () => {
      const task = await sendTask('hi', { metadata: { from: 'test' } });
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      const overRpc = await rpc(rpcLine, 'GetTask', { id: task.id });
      const overRest = await restJson<Task10>(connection, `GET /tasks/${task.id}`);
      expect(overRest.body).toEqual(overRpc.body.result);
      expect(overRest.body).toEqual(task);
      const query = { contextId: task.contextId, includeArtifacts: true, pageSize: 1, status: 'TASK_STATE_COMPLETED' };
      const listed = await rpc(rpcLine, 'ListTasks', query);
      const path = `/tasks?contextId=${task.contextId}&includeArtifacts=true&pageSize=1&status=TASK_STATE_COMPLETED`;
      expect((await restJson(connection, `GET ${path}`)).body).toEqual(listed.body.result);
      expect(listed.body.result).toMatchObject({ tasks: [{ id: task.id }], totalSize: 1 });
    });

    test('BIND-EQUIV stream the same events, without the JSON-RPC envelope over HTTP (A2A 1.0 §11.7)', async () => {
      const overHttp = await readEvents(await rest(connection, 'POST /message:stream', { body: message10('hi') }));
      const kinds = overHttp.map(({ data }) => Object.keys(data as object)[0]);
      expect(kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate']);
      const id = (overHttp[0]?.data as { task: Task10 } | undefined)?.task.id;
      const again = await fetch(rpcLine.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${connection.token}`,
          'content-type': 'application/json',
          'last-event-id': '2',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } }),
      });
      const rpcEvents = await readEvents(again);
      expect(rpcEvents.map(({ id: seq, data }) => [seq, (data as { result: object }).result])).toEqual(
        overHttp.slice(1).map(({ id: seq, data }) => [seq, data]),
      );
    });

    test('return all kinds of parts as they were sent, in both versions', async () => {
      const parts = [
        { text: 'text' },
        { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
        { url: 'https://example.com/f', mediaType: 'image/png' },
        { data: { a: [1] } },
      ];
      const task = await sendTask('', { parts });
      expect(task.history?.[0]).toMatchObject({ role: 'ROLE_USER', parts });
      const { body } = await restJson<{ history: object[] }>(connection, `GET /v1/tasks/${task.id}`);
      expect(body.history[0]).toMatchObject({
        role: 'ROLE_USER',
        content: [
          { text: 'text' },
          { file: { fileWithBytes: 'aGk=', mimeType: 'text/plain', name: 'a.txt' } },
          { file: { fileWithUri: 'https://example.com/f', mimeType: 'image/png' } },
          { data: { data: { a: [1] } } },
        ],
      });
      const sent = { message: { ...body.history[0], messageId: newUuid(), taskId: undefined } };
      const again = await restJson<{ task: { history: object[] } }>(connection, 'POST /v1/message:send', {
        body: sent,
      });
      expect(again.body.task.history[0]).toMatchObject({ content: (body.history[0] as { content: object }).content });
    });

    test('read ProtoJSON and the specification’s JSON equally in 0.3, and write ProtoJSON', async () => {
      for (const message of [
        message03('hi'),
        { message: { messageId: newUuid(), role: 'ROLE_USER', content: [{ text: 'hi' }] } },
      ]) {
        const body = { ...message, configuration: { blocking: true } };
        const answer = await restJson<{ task: object }>(connection, 'POST /v1/message:send', { body });
        expect(answer.body.task).toMatchObject({
          status: { state: 'TASK_STATE_COMPLETED', message: { role: 'ROLE_AGENT', content: [{ text: 'done' }] } },
          artifacts: [{ parts: [{ text: 'hello' }] }],
        });
      }
    });
  });

  describe('an operation', () => {
    test('runs once if it is repeated with its Idempotency-Key, over either binding', async () => {
      const headers = { 'idempotency-key': newUuid() };
      const first = message10('once', { messageId: 'plain' });
      const second = { message: { ...first.message } };
      const overHttp = await restJson<{ task: Task10 }>(connection, 'POST /message:send', { body: first, headers });
      const again = await rpc({ ...rpcLine, headers }, 'SendMessage', second);
      expect((again.body.result as { task: Task10 }).task.id).toBe(overHttp.body.task.id);
      expect(agent.calls('message/stream')).toHaveLength(1);
      const other = await restJson<Error10>(connection, 'POST /message:send', { body: message10('another'), headers });
      expect(other.status).toBe(400);
      expect(other.body.error.details[0]?.reason).toBe('IDEMPOTENCY_MISMATCH');
    });

    test('returns a task with the requested history length', async () => {
      const { id } = await sendTask('hi');
      const none = await restJson<Task10>(connection, `GET /tasks/${id}?historyLength=0`);
      expect(none.body.history).toEqual([]);
      const one = await restJson<Task10>(connection, `GET /tasks/${id}?historyLength=1`);
      expect(one.body.history).toHaveLength(1);
    });

    test('that lists tasks continues after the previous page', async () => {
      const contextId = newUuid();
      const ids = [(await sendTask('one', { contextId })).id, (await sendTask('two', { contextId })).id];
      type Page = { tasks: Task10[]; nextPageToken: string; totalSize: number };
      const first = await restJson<Page>(connection, `GET /tasks?contextId=${contextId}&pageSize=1`);
      const second = await restJson<Page>(
        connection,
        `GET /tasks?contextId=${contextId}&pageSize=1&pageToken=${first.body.nextPageToken}`,
      );
      expect([...second.body.tasks, ...first.body.tasks].map(({ id }) => id)).toEqual(ids);
      expect(second.body).toMatchObject({ nextPageToken: '', totalSize: 2 });
      expect(first.body.tasks[0]).not.toHaveProperty('artifacts');
    });

    test.each(['GET', 'POST'])('SSE-4 that subscribes by %s resumes exactly after Last-Event-ID', async (method) => {
      const { id } = await sendTask('hi');
      const resumed = await readEvents(
        await rest(connection, `${method} /tasks/${id}:subscribe`, { headers: { 'last-event-id': '3' } }),
      );
      expect(resumed.map(({ id: seq }) => seq)).toEqual(['4', '5']);
      const finished = await restJson<Error10>(connection, `${method} /tasks/${id}:subscribe`);
      expect(finished.body.error).toMatchObject({ code: 400, details: [{ reason: 'UNSUPPORTED_OPERATION' }] });
    });

    test('that subscribes to a running task begins with the task and contains its cancellation', async () => {
      works('up-s');
      const opened = await restJson<{ task: Task10 }>(connection, 'POST /message:send', {
        body: { ...message10('go'), configuration: { returnImmediately: true } },
      });
      const { id } = opened.body.task;
      const stream = readEvents(await rest(connection, `GET /v1/tasks/${id}:subscribe`));
      await waitFor(() => agent.calls('message/stream').length > 0, { what: 'the agent to be called' });
      const canceled = await restJson<Task10>(connection, `POST /tasks/${id}:cancel`);
      expect(canceled.body.status.state).toBe('TASK_STATE_CANCELED');
      const events = await stream;
      expect(events[0]?.data).toMatchObject({ task: { id } });
      expect(events.at(-1)?.data).toMatchObject({
        statusUpdate: { status: { state: 'TASK_STATE_CANCELLED' }, final: true },
      });
      expect(await restJson<Task10>(connection, `POST /tasks/${id}:cancel`)).toEqual(canceled);
      const again03 = await restJson(connection, `POST /v1/tasks/${id}:cancel`, { body: 'null' });
      expect(again03).toMatchObject({ status: 200, body: { id, status: { state: 'TASK_STATE_CANCELLED' } } });
    });

    test('that cancels a task is rejected if the task has already ended', async () => {
      says(agent03.status('up-done', 'completed'));
      const { id } = (await restJson<{ task: Task10 }>(connection, 'POST /message:send', { body: message10('go') }))
        .body.task;
      const refused = await restJson<Error10>(connection, `POST /tasks/${id}:cancel`);
      expect(refused.body.error).toMatchObject({ code: 400, status: 'FAILED_PRECONDITION' });
      const refused03 = await restJson(connection, `POST /v1/tasks/${id}:cancel`, { body: 'null' });
      expect(refused03).toMatchObject({ status: 409, body: { code: -32002 } });
    });

    test('that streams ends with the turn', async () => {
      const events = await readEvents(await rest(connection, 'POST /v1/message:stream', { body: message03('hi') }));
      expect(events.map(({ data }) => Object.keys(data as object)[0])).toEqual([
        'task',
        'statusUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      expect(events.map(stateOf).at(-1)).toBe('TASK_STATE_COMPLETED');
    });

    test('that gets the extended card is rejected in both versions if there is none', async () => {
      const newer = await restJson<Error10>(connection, 'GET /extendedAgentCard');
      expect(newer.body.error).toMatchObject({
        code: 400,
        details: [{ reason: 'UNSUPPORTED_OPERATION' }],
      });
      expect(await restJson(connection, 'GET /v1/card')).toMatchObject({ status: 400, body: { code: -32007 } });
    });
  });

  describe('the response media type', () => {
    test.each([
      [{}, 'application/json'],
      [{ accept: '*/*' }, 'application/json'],
      [{ accept: 'application/a2a+json, application/json' }, 'application/a2a+json'],
      [{ 'content-type': 'application/a2a+json' }, 'application/a2a+json'],
      [{ 'content-type': 'application/a2a+json', accept: '*/*' }, 'application/a2a+json'],
      [{ 'content-type': 'application/a2a+json', accept: 'application/json' }, 'application/json'],
      [{ accept: 'application/a2a+json;q=0, */*' }, 'application/json'],
    ] as [Record<string, string>, string][])('for %o is %s (A2A 1.0 §11.2)', async (headers, type) => {
      const response = await rest(connection, 'POST /message:send', { body: message10('hi'), headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(type);
    });
  });

  describe('the Prefer header (RFC 7240)', () => {
    test.each(['respond-async', 'wait=0', 'respond-async, wait=0'])(
      'with %s makes a send return immediately',
      async (prefer) => {
        works(`up-${prefer}`);
        const response = await rest(connection, 'POST /message:send', { body: message10('go'), headers: { prefer } });
        expect(response.headers.get('preference-applied')).toBe(prefer);
        const { task } = (await response.json()) as { task: Task10 };
        expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(task.status.state);
        expect((await restJson<Task10>(connection, `POST /tasks/${task.id}:cancel`)).status).toBe(200);
      },
    );

    test('with wait=n delays a fast reply no longer than necessary, including on JSON-RPC', async () => {
      const response = await rest(connection, 'POST /message:send', {
        body: message10('hi'),
        headers: { prefer: 'wait=20' },
      });
      expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
      works('up-wait');
      const { body, headers } = await rpc(
        { ...rpcLine, headers: { prefer: 'wait=1' } },
        'message/send',
        message03('go'),
      );
      expect(body.result).toMatchObject({ status: { state: 'working' } });
      expect(headers.get('preference-applied')).toBe('wait=1');
    });

    test.each(['wait=-1', 'wait=soon', 'return=minimal', ';;,'])('with %s is ignored', async (prefer) => {
      const response = await rest(connection, 'POST /message:send', { body: message10('hi'), headers: { prefer } });
      expect(response.headers.get('preference-applied')).toBeNull();
      expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    });
  });

  describe('a reason for canceling a task', () => {
    async function startTask(upstreamId: string): Promise<string> {
      works(upstreamId);
      const configuration = { returnImmediately: true };
      const { body } = await restJson<{ task: Task10 }>(connection, 'POST /message:send', {
        body: { ...message10('go'), configuration },
      });
      const { id } = body.task;
      await waitFor(
        async () => (await restJson<Task10>(connection, `GET /tasks/${id}`)).body.status.state === 'TASK_STATE_WORKING',
        { what: 'the agent to work' },
      );
      return id;
    }

    test('is stored as the status message and sent to the agent', async () => {
      const id = await startTask('up-r1');
      const body = { metadata: { reason: 'too slow', ticket: 7 } };
      const canceled = await restJson<Task10>(connection, `POST /tasks/${id}:cancel`, { body });
      expect(canceled.body.status).toMatchObject({
        state: 'TASK_STATE_CANCELED',
        message: { parts: [{ text: 'too slow' }] },
      });
      expect(agent.calls('tasks/cancel')[0]?.params).toMatchObject({ metadata: { reason: 'too slow', ticket: 7 } });
    });

    test('can be a parameter, including on JSON-RPC', async () => {
      const id = await startTask('up-r2');
      const { body } = await rpc(rpcLine, 'tasks/cancel', { id, reason: 'changed my mind' });
      expect(body.result).toMatchObject({
        status: { state: 'canceled', message: { parts: [{ text: 'changed my mind' }] } },
      });
      expect(agent.calls('tasks/cancel')[0]?.params).toMatchObject({ metadata: { reason: 'changed my mind' } });
    });

    test('has at most 1024 bytes, and a longer one is rejected without canceling the task', async () => {
      const id = await startTask('up-r3');
      for (const body of [{ reason: 'é'.repeat(513) }, { metadata: { reason: 'é'.repeat(513) } }]) {
        expect((await restJson(connection, `POST /tasks/${id}:cancel`, { body })).status).toBe(400);
      }
      expect((await restJson<Task10>(connection, `GET /tasks/${id}`)).body.status.state).toBe('TASK_STATE_WORKING');
      const longest = await restJson<Task10>(connection, `POST /tasks/${id}:cancel`, {
        body: { reason: 'é'.repeat(512) },
      });
      expect(longest.body.status.state).toBe('TASK_STATE_CANCELED');
    });
  });

  test('AUTH-SCOPE AUZ-1 every operation treats another user’s task as unknown', async () => {
    says(agent03.status('up-q', 'input-required', 'secret question'));
    const adas = (await sendTask('private')).id;
    const bob = await createPerson(parley.url, 'Bob');
    const bobConnection = await connectToRest(parley.url, bob, slug);
    const unknown = newUuid();
    const target = { url: 'https://example.com/hook' };
    const operations: [string, unknown?][] = ['', '/v1'].flatMap((version): [string, unknown?][] => [
      [`GET ${version}/tasks/ID`],
      [`POST ${version}/tasks/ID:cancel`],
      [`GET ${version}/tasks/ID:subscribe`],
      [`POST ${version}/tasks/ID:subscribe`],
      [`POST ${version}/tasks/ID/pushNotificationConfigs`, version ? { pushNotificationConfig: target } : target],
      [`GET ${version}/tasks/ID/pushNotificationConfigs`],
      [`GET ${version}/tasks/ID/pushNotificationConfigs/c`],
      [`DELETE ${version}/tasks/ID/pushNotificationConfigs/c`],
    ]);
    for (const [call, body] of operations) {
      const unauthorized = await restJson<object>(bobConnection, call.replace('ID', adas), { body });
      const absent = await restJson<object>(bobConnection, call.replace('ID', unknown), { body });
      expect(unauthorized.status, call).toBe(404);
      expect(absent.status, call).toBe(404);
      expect(JSON.stringify(unauthorized.body).replaceAll(adas, 'ID'), call).toBe(
        JSON.stringify(absent.body).replaceAll(unknown, 'ID'),
      );
    }
  });
});
