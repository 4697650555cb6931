import {
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTasksRequest,
  Part as Part10,
  SendMessageRequest,
  SubscribeToTaskRequest,
  type Task as Task10,
  TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import {
  type Client as Client10,
  ClientFactory as Factory10,
  ClientFactoryOptions as Options10,
  RestTransportFactory as Rest10,
} from '@a2a-js/sdk/client';
import type { Part as Part03, Task as Task03 } from 'a2a-sdk-0-3';
import {
  type Client as Client03,
  ClientFactory as Factory03,
  ClientFactoryOptions as Options03,
  RestTransportFactory as Rest03,
} from 'a2a-sdk-0-3/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { startSdk10Agent } from '../fakes/sdk10-agent';
import { createPerson, listAgent, tokenFor } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let agent: Awaited<ReturnType<typeof startSdk10Agent>>;
let cardUrl: string;
const asked: string[] = [];
let fetchImpl: typeof fetch;

beforeAll(async () => {
  agent = await startSdk10Agent();
  parley = await sharedParley();
  const person = await createPerson(parley.url);
  const slug = await listAgent(parley.url, person, { url: agent.url });
  const token = await tokenFor(parley.url, person, slug);
  cardUrl = `${parley.url}/agents/${slug}/.well-known/agent-card.json`;
  fetchImpl = (input, init) => {
    asked.push(new URL(String(input)).pathname);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
});

afterAll(() => agent?.stop());

const hook = 'https://example.com/hook';

describe('the REST transport of SDK 1.3.0', () => {
  let client: Client10;
  beforeAll(async () => {
    const transports = [new Rest10({ fetchImpl })];
    const options = Options10.createFrom(Options10.default, { transports, preferredTransports: ['HTTP+JSON'] });
    client = await new Factory10(options).createFromUrl(cardUrl, '');
  });

  const message = (text: string, extra: object = {}, configuration: object = {}): SendMessageRequest =>
    SendMessageRequest.fromJSON({
      message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text }], ...extra },
      configuration,
    });
  const textOf = (task: Task10): string =>
    task.artifacts
      .flatMap(({ parts }) => parts.map((part) => (Part10.toJSON(part) as { text?: string }).text ?? ''))
      .join('');

  test('sends messages, and gets and lists tasks, using only HTTP paths', async () => {
    asked.length = 0;
    const task = (await client.sendMessage(message('hello'))) as Task10;
    expect(textOf(task)).toBe('hello');
    expect(textOf(await client.getTask(GetTaskRequest.fromJSON({ id: task.id })))).toBe('hello');
    const query = { contextId: task.contextId, includeArtifacts: true, status: 'TASK_STATE_COMPLETED', pageSize: 5 };
    const { tasks, totalSize } = await client.listTasks(ListTasksRequest.fromJSON(query));
    expect([tasks.map(({ id }) => id), totalSize]).toEqual([[task.id], 1]);
    expect(asked).not.toEqual([]);
    expect(asked.every((path) => path.includes('/a2a/rest/'))).toBe(true);
  });

  test('streams events, and receives an error for a finished task', async () => {
    const kinds: string[] = [];
    let id = '';
    for await (const { payload } of client.sendMessageStream(message('stream me'))) {
      kinds.push(payload?.$case ?? '');
      if (payload?.$case === 'task') id = payload.value.id;
    }
    expect(kinds).toEqual(['task', 'statusUpdate', 'artifactUpdate', 'artifactUpdate', 'statusUpdate']);
    const again = client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id }));
    await expect(again.next()).rejects.toMatchObject({ name: 'UnsupportedOperationError' });
  });

  test('answers a question on the same task, and cancels another task', async () => {
    const first = (await client.sendMessage(message('ask'))) as Task10;
    const { id, contextId } = first;
    const done = (await client.sendMessage(message('this', { taskId: id, contextId }))) as Task10;
    expect([done.id, textOf(done)]).toEqual([id, 'this']);
    const second = (await client.sendMessage(message('ask'))) as Task10;
    const canceled = await client.cancelTask(CancelTaskRequest.fromJSON({ id: second.id }));
    expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const again = await client.cancelTask(CancelTaskRequest.fromJSON({ id: second.id }));
    expect(again.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    const completed = client.cancelTask(CancelTaskRequest.fromJSON({ id }));
    await expect(completed).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  });

  test('throws the SDK’s own errors', async () => {
    const unknown = client.getTask(GetTaskRequest.fromJSON({ id: newUuid() }));
    await expect(unknown).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  test('stores push notification configurations', async () => {
    const { id: taskId } = (await client.sendMessage(message('hello'))) as Task10;
    const made = await client.createTaskPushNotificationConfig(
      TaskPushNotificationConfig.fromJSON({ taskId, url: hook, token: 't' }),
    );
    expect(made).toMatchObject({ taskId, url: hook, token: 't', id: expect.stringMatching(/./) });
    const of = { taskId, id: made.id };
    const found = await client.getTaskPushNotificationConfig(GetTaskPushNotificationConfigRequest.fromJSON(of));
    expect(found).toEqual(made);
    const all = ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([made]);
    await client.deleteTaskPushNotificationConfig(DeleteTaskPushNotificationConfigRequest.fromJSON(of));
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
  });
});

describe('the REST transport of SDK 0.3.14', () => {
  let client: Client03;
  beforeAll(async () => {
    const transports = [new Rest03({ fetchImpl })];
    client = await new Factory03(
      Options03.createFrom(Options03.default, { transports, preferredTransports: ['HTTP+JSON'] }),
    ).createFromUrl(cardUrl, '');
  });

  const message = (text: string, extra: object = {}) => ({
    message: {
      kind: 'message' as const,
      messageId: newUuid(),
      role: 'user' as const,
      parts: [{ kind: 'text' as const, text }],
      ...extra,
    },
  });
  const textOf = (task: Task03): string =>
    (task.artifacts ?? [])
      .flatMap(({ parts }) => parts.map((part: Part03) => (part.kind === 'text' ? part.text : '')))
      .join('');

  test('sends messages and gets tasks, using only HTTP paths', async () => {
    asked.length = 0;
    const task = (await client.sendMessage(message('hello'))) as Task03;
    expect([textOf(task), task.status.state]).toEqual(['hello', 'completed']);
    expect(textOf(await client.getTask({ id: task.id, historyLength: 1 }))).toBe('hello');
    expect(asked).not.toEqual([]);
    expect(asked.every((path) => path.includes('/a2a/rest/v1/'))).toBe(true);
  });

  test('streams events, and resubscribes until the end', async () => {
    const kinds: string[] = [];
    let id = '';
    for await (const event of client.sendMessageStream(message('stream me'))) {
      kinds.push(event.kind);
      if (event.kind === 'task') id = event.id;
    }
    expect(kinds).toEqual(['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
    const rest: object[] = [];
    for await (const event of client.resubscribeTask({ id })) rest.push(event);
    expect(rest).toMatchObject([{ kind: 'status-update', final: true, status: { state: 'completed' } }]);
  });

  test('answers a question on the same task, and cancels another task', async () => {
    const first = (await client.sendMessage(message('ask'))) as Task03;
    const { id: taskId, contextId } = first;
    const done = (await client.sendMessage(message('this', { taskId, contextId }))) as Task03;
    expect([done.id, textOf(done)]).toEqual([taskId, 'this']);
    const { id } = (await client.sendMessage(message('ask'))) as Task03;
    expect((await client.cancelTask({ id })).status.state).toBe('canceled');
    expect((await client.cancelTask({ id })).status.state).toBe('canceled');
    await expect(client.cancelTask({ id: taskId })).rejects.toThrow(/completed/);
  });

  test('stores push notification configurations', async () => {
    const { id: taskId } = (await client.sendMessage(message('hello'))) as Task03;
    const config = { id: 'mine', url: hook, token: 't' };
    await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config });
    const named = { id: taskId, pushNotificationConfigId: 'mine' };
    const found = await client.getTaskPushNotificationConfig(named);
    expect(found).toMatchObject({ taskId, pushNotificationConfig: config });
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig(named);
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([]);
  });
});
