import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, connectTo, createPerson, listAgent, message10, post } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let agent: ScriptedAgent;
let connection: Connection;
let base: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Lenient' });
  agent.answer(({ result, end }) => {
    result(agent03.status('done', 'completed'));
    end();
  });
  parley = await sharedParley();
  const ada = await createPerson(parley.url);
  const slug = await listAgent(parley.url, ada, { url: agent.url });
  connection = await connectTo(parley.url, ada, slug);
  base = `${parley.url}/agents/${slug}`;
});

afterAll(() => agent?.stop());

const call = (method: string, params: unknown, id: unknown = 1): Promise<Response> =>
  post(connection, { jsonrpc: '2.0', id, method, params });

async function resultOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as { result?: Record<string, unknown>; error?: object };
  expect(body.error).toBeUndefined();
  return body.result ?? {};
}

const text = { kind: 'text', text: 'hi' };
let count = 0;
const messageId = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;

describe('an optional member that is null or an empty string', () => {
  // a2aproject/A2A#271: serializers that write every member, absent ones as null.
  it.each([null, ''])('is accepted in a 0.3 message with optional texts of %j', async (nothing) => {
    const message = {
      kind: 'message',
      messageId: messageId(),
      role: 'user',
      parts: [
        { ...text, metadata: null },
        { kind: 'file', file: { bytes: 'aGk=', uri: nothing, name: nothing, mimeType: nothing }, metadata: null },
      ],
      contextId: nothing,
      taskId: nothing,
      referenceTaskIds: null,
      extensions: null,
      metadata: null,
    };
    const push = { url: 'https://example.com/x', id: nothing, token: nothing, authentication: null };
    const configuration = {
      acceptedOutputModes: null,
      blocking: null,
      historyLength: null,
      pushNotificationConfig: nothing === null ? null : push,
    };
    const task = await resultOf(await call('message/send', { message, configuration, metadata: null }));
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' } });
  });

  it.each([
    ['tasks/list', { contextId: null, status: null, pageSize: null, pageToken: null, historyLength: null }],
    ['tasks/list', { contextId: '', status: '', pageToken: '', includeArtifacts: null }],
    ['ListTasks', { contextId: '', status: '', pageToken: '', statusTimestampAfter: null }],
    ['ListTasks', null],
  ])('is accepted in %s %j', async (method, params) => {
    expect(await resultOf(await call(method, params))).toHaveProperty('tasks');
  });

  it.each([null, ''])('is accepted in a 0.1 message with optional texts of %j', async (nothing) => {
    const message = {
      role: 'user',
      parts: [{ type: 'text', text: 'hi', file: null, data: null, metadata: null }],
      metadata: null,
    };
    const params = { id: messageId(), sessionId: nothing, message, historyLength: null, pushNotification: null };
    expect(await resultOf(await call('tasks/send', params))).toMatchObject({ status: { state: 'completed' } });
  });

  it('is accepted in the query of the HTTP binding', async () => {
    for (const path of ['/a2a/rest/tasks', '/a2a/rest/v1/tasks']) {
      const query = '?contextId=&status=&pageToken=&pageSize=&historyLength=';
      const headers = { authorization: `Bearer ${connection.token}` };
      expect((await fetch(base + path + query, { headers })).status).toBe(200);
    }
  });
});

describe('the HTTP binding in ProtoJSON', () => {
  const rest = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${base}/a2a/rest${path}`, {
      method,
      headers: { authorization: `Bearer ${connection.token}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });

  it('reads a missing "blocking" as false in 0.3, and honors a given value', async () => {
    const send = async (configuration: unknown): Promise<string> => {
      agent.answer(async ({ result, end }) => {
        result(agent03.status('slow', 'working'));
        await new Promise((resolve) => setTimeout(resolve, 300));
        result(agent03.status('slow', 'completed'));
        end();
      });
      const message = { messageId: messageId(), role: 'ROLE_USER', content: [{ text: 'hi' }] };
      const response = await rest('POST', '/v1/message:send', { message, ...(configuration as object) });
      const { task } = (await response.json()) as { task: { status: { state: string } } };
      return task.status.state;
    };
    for (const configuration of [
      {},
      { configuration: {} },
      { configuration: null },
      { configuration: { blocking: null } },
    ]) {
      expect(await send(configuration)).not.toBe('TASK_STATE_COMPLETED');
    }
    expect(await send({ configuration: { blocking: true } })).toBe('TASK_STATE_COMPLETED');
  });

  it('returns a fast agent’s reply to a non-blocking send, so that it can be continued', async () => {
    agent.answer(({ result, end }) => {
      result(agent03.status('quick', 'input-required'));
      end();
    });
    const message = { messageId: messageId(), role: 'ROLE_USER', content: [{ text: 'hi' }] };
    const response = await rest('POST', '/v1/message:send', { message });
    expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
  });

  it.each(['', '/v1'])('returns 200 and an empty object for DELETE (%s)', async (version) => {
    agent.answer(({ result, end }) => {
      result(agent03.status('pushed', 'input-required'));
      end();
    });
    const task = (await resultOf(await call('SendMessage', message10('hi')))).task as { id: string };
    const configs = `/tasks/${task.id}/pushNotificationConfigs`;
    const made = await rest('POST', configs, { url: 'https://example.com/x', id: 'mine' });
    expect(made.status).toBe(201);
    const gone = await rest('DELETE', `${version}${configs}/mine`);
    expect([gone.status, gone.headers.get('content-type'), await gone.text()]).toEqual([200, 'application/json', '{}']);
  });
});

describe('a JSON-RPC request’s id', () => {
  const ids = [
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
    '0.1234567890123456789',
    '1.50',
    '1.0',
    '-0',
    '-1',
    '0',
    '1e3',
    '1E-7',
    '"9007199254740993"',
    '""',
    '"\\u00e9"',
    'null',
  ];
  const same = (id: string): string => (id.startsWith('"') ? JSON.stringify(JSON.parse(id)) : id);

  it.each(ids)('is returned unchanged as %s in a response, an error and a stream', async (id) => {
    agent.answer(({ result, end }) => {
      result(agent03.status('ids', 'completed'));
      end();
    });
    for (const method of ['tasks/list', 'nope']) {
      const spaced = `{"params":{"id":5},"id" : ${id} ,"jsonrpc":"2.0","method":"${method}"}`;
      const reply = await (await post(connection, spaced)).text();
      expect(reply.replaceAll(' ', '')).toContain(`"id":${same(id)},`);
    }
    const message = { kind: 'message', messageId: messageId(), role: 'user', parts: [text] };
    const params = JSON.stringify({ message });
    const stream = await (
      await post(connection, `{"jsonrpc":"2.0","id":${id},"method":"message/stream","params":${params}}`)
    ).text();
    expect(stream).toContain(`data: {"jsonrpc":"2.0","id":${same(id)},"result":`);
  });
});

describe('a stream of bare events for Web42', () => {
  const sendParts = (parts: object[], headers: Record<string, string> = {}): Promise<Response> => {
    agent.answer(({ result, end }) => {
      result(agent03.status('bare', 'completed'));
      end();
    });
    const params = { message: { messageId: messageId(), role: 'user', parts } };
    return post({ ...connection, headers }, { jsonrpc: '2.0', id: 1, method: 'message/send', params });
  };

  it('is sent if the message has no kind, but its parts have one', async () => {
    const response = await sendParts([text]);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await response.text();
  });

  // themanojdesai/python-a2a: `message/send` with parts that have `type`, no `kind`, and `Accept: */*`.
  it('is replaced by JSON for python-a2a, whose messages have parts with a type', async () => {
    const response = await sendParts([{ type: 'text', text: 'hi' }], { accept: '*/*' });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await resultOf(response)).toMatchObject({ status: { state: 'completed' } });
  });
});
