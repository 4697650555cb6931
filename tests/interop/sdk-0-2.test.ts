import type { Message, MessageSendParams, Task } from '@a2a-js/sdk';
import { A2AClient } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { type Connection, openConnection } from './connection';

let connection: Connection;

beforeAll(async () => {
  connection = await openConnection();
});

afterAll(async () => {
  await connection?.stop();
});

function send(text: string, extra: Partial<Message> = {}): MessageSendParams {
  const parts = [{ kind: 'text' as const, text }];
  return { message: { kind: 'message', messageId: newUuid(), role: 'user', parts, ...extra } };
}

/** The client returns the whole JSON-RPC response. */
function resultOf<Result>(answer: { result: Result } | { error: { message: string } }): Result {
  if ('error' in answer) throw new Error(`expected a result, found the error: ${answer.error.message}`);
  return answer.result;
}

function errorOf(answer: object): unknown {
  return 'error' in answer ? answer.error : answer;
}

function textOf(task: Task): string {
  const parts = (task.artifacts ?? []).flatMap((artifact) => artifact.parts);
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

describe.each(['0.3', '1.0'])('SDK 0.2.5 with an A2A %s agent', (version) => {
  let client: A2AClient;
  beforeAll(() => {
    client = new A2AClient(connection.agentUrl(version));
  });
  const sent = async (params: MessageSendParams): Promise<Task> => resultOf(await client.sendMessage(params)) as Task;

  test('finds the card at agent.json, with its URL, capabilities and an authentication scheme', async () => {
    const card = await client.getAgentCard();
    expect(card).toMatchObject({
      name: `Echo ${version}`,
      url: `${connection.agentUrl(version)}/a2a/jsonrpc`,
      capabilities: { streaming: true, pushNotifications: true },
      skills: [{ id: 'echo', tags: ['echo'] }],
    });
    expect(Object.values(card.securitySchemes ?? {})).toMatchObject([{ type: 'http', scheme: 'bearer' }]);
  });

  test('sends messages and gets tasks, with the requested history length', async () => {
    const task = await sent(send('hello'));
    expect([task.kind, task.status.state, textOf(task)]).toEqual(['task', 'completed', 'hello']);
    const found = resultOf(await client.getTask({ id: task.id, historyLength: 1 }));
    expect([found.id, textOf(found), found.history?.length]).toEqual([task.id, 'hello', 1]);
  });

  test('receives a task immediately if its send does not block', async () => {
    const params = { ...send('hello'), configuration: { acceptedOutputModes: ['text/plain'], blocking: false } };
    const task = await sent(params);
    expect(task.kind).toBe('task');
    await vi.waitFor(async () => expect(textOf(resultOf(await client.getTask({ id: task.id })))).toBe('hello'));
  });

  test('streams events, and resubscribes to the end of a finished task', async () => {
    const kinds: string[] = [];
    let id = '';
    for await (const event of client.sendMessageStream(send('stream me'))) {
      kinds.push(event.kind);
      if (event.kind === 'task') id = event.id;
    }
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
    const rest: object[] = [];
    for await (const event of client.resubscribeTask({ id })) rest.push(event);
    expect(rest).toMatchObject([{ kind: 'status-update', final: true, status: { state: 'completed' } }]);
  });

  test('answers a question on the same task', async () => {
    const asked = await sent(send('ask'));
    expect(asked.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'What?' }] } });
    const done = await sent(send('this', { taskId: asked.id, contextId: asked.contextId }));
    expect([done.id, done.contextId, textOf(done)]).toEqual([asked.id, asked.contextId, 'this']);
  });

  test('answers a question in a stream, which ends with the turn', async () => {
    const asked = await sent(send('ask'));
    const states: string[] = [];
    for await (const event of client.sendMessageStream(send('this', { taskId: asked.id }))) {
      if (event.kind === 'status-update') states.push(`${event.status.state}${event.final ? ' final' : ''}`);
    }
    expect(states.at(-1)).toBe('completed final');
  });

  test('cancels a task once, and receives the same task if it cancels again', async () => {
    const { id } = await sent(send('ask'));
    const canceled = resultOf(await client.cancelTask({ id }));
    expect(canceled.status.state).toBe('canceled');
    expect(resultOf(await client.cancelTask({ id }))).toEqual(canceled);
  });

  test('stores a push notification configuration, which it can read only by task id', async () => {
    const { id: taskId } = await sent(send('hello'));
    const pushNotificationConfig = { url: 'https://example.com/hook', token: 't' };
    const made = resultOf(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig }));
    expect(made).toMatchObject({ taskId, pushNotificationConfig });
    expect(resultOf(await client.getTaskPushNotificationConfig({ id: taskId }))).toEqual(made);
  });
});

describe('an error that SDK 0.2.5 reads', () => {
  let client: A2AClient;
  beforeAll(() => {
    client = new A2AClient(connection.agentUrl('0.3'));
  });

  test('is -32001 for an unknown task, in a response to the same request', async () => {
    const answer = await client.getTask({ id: newUuid() });
    expect(client.isErrorResponse(answer)).toBe(true);
    expect(errorOf(answer)).toMatchObject({ code: -32001, data: { reason: 'task_not_found' } });
    expect(errorOf(await client.sendMessage(send('hello', { taskId: newUuid() })))).toMatchObject({ code: -32001 });
  });

  test('is -32602 for a task in another context', async () => {
    const { id } = resultOf(await client.sendMessage(send('ask'))) as Task;
    const answer = await client.sendMessage(send('this', { taskId: id, contextId: newUuid() }));
    expect(errorOf(answer)).toMatchObject({ code: -32602 });
  });

  test('is -32602 for a message without parts', async () => {
    expect(errorOf(await client.sendMessage(send('', { parts: [] })))).toMatchObject({ code: -32602 });
  });

  test('is thrown in the client for a rejected stream', async () => {
    const events = client.sendMessageStream(send('hello', { taskId: newUuid() }));
    await expect(events.next()).rejects.toThrow(/Content-Type/);
  });

  test('is HTTP 401 with a JSON-RPC error for a call without a valid token', async () => {
    const { url } = await client.getAgentCard();
    const headers = { authorization: 'Bearer wrong', 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: '{"jsonrpc": "2.0", "id": 1}' });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer /),
    ]);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'invalid_token' } } });
  });
});
