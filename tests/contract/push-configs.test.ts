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
  rpc,
} from '../support/fixtures';
import { connectToRest, rest, restJson } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

const url = 'https://example.com/hook';

describe('push notification configurations', () => {
  let parley: SharedParley;
  let agent: ScriptedAgent;
  let ada: Person;
  let slug: string;
  let connection: Connection;
  let restConnection: Connection;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Config probe' });
    agent.answer(({ received, result, end }) => {
      result(agent03.status(received.params.message?.taskId ?? newUuid(), 'input-required', 'what?'));
      end();
    });
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    connection = await connectTo(parley.url, ada, slug);
    restConnection = await connectToRest(parley.url, ada, slug);
  });

  afterAll(() => agent?.stop());

  async function newTask(): Promise<string> {
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    return (body.result as { id: string }).id;
  }

  async function call<Result>(method: string, params: object): Promise<Result> {
    const { body } = await rpc(connection, method, params);
    if (body.error) throw new Error(JSON.stringify(body.error));
    return body.result as Result;
  }

  describe('with invalid input', () => {
    test.each([
      ['CreateTaskPushNotificationConfig', { url }],
      ['CreateTaskPushNotificationConfig', { taskId: 'TASK' }],
      ['CreateTaskPushNotificationConfig', { taskId: 'TASK', url: '' }],
      ['CreateTaskPushNotificationConfig', { taskId: 'TASK', url, authentication: { credentials: 'x' } }],
      ['GetTaskPushNotificationConfig', { taskId: 'TASK' }],
      ['ListTaskPushNotificationConfigs', { taskId: 'TASK', pageSize: 101 }],
      ['DeleteTaskPushNotificationConfig', { taskId: 'TASK' }],
      ['tasks/pushNotificationConfig/set', { taskId: 'TASK' }],
      ['tasks/pushNotificationConfig/set', { taskId: 'TASK', pushNotificationConfig: { url, token: 7 } }],
      ['tasks/pushNotificationConfig/get', {}],
      ['tasks/pushNotificationConfig/delete', { id: 'TASK' }],
    ])('return -32602 with the invalid member for %s %j', async (method, params) => {
      const text = JSON.stringify(params).replace('TASK', await newTask());
      const { body } = await rpc(connection, method, JSON.parse(text));
      expect(body.error).toMatchObject({ code: -32602 });
      expect(JSON.stringify(body.error?.data)).toMatch(/"field":"\w+/);
    });

    test('report an unknown configuration, and deleting it succeeds (A2A 1.0 §3.1.10)', async () => {
      const taskId = await newTask();
      const { body } = await rpc(connection, 'GetTaskPushNotificationConfig', { taskId, id: 'none' });
      expect(body.error?.code).toBe(-32001);
      expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: 'none' })).toEqual({});
      expect(
        await call('tasks/pushNotificationConfig/delete', { id: taskId, pushNotificationConfigId: 'x' }),
      ).toBeNull();
      const gone = await rest(restConnection, `DELETE /tasks/${taskId}/pushNotificationConfigs/none`);
      expect([gone.status, await gone.text()]).toEqual([200, '{}']);
    });

    test('are limited to ten per task, and can be replaced at the limit', async () => {
      const taskId = await newTask();
      for (let at = 0; at < 10; at++) await call('CreateTaskPushNotificationConfig', { taskId, id: `c${at}`, url });
      const { body } = await rpc(connection, 'CreateTaskPushNotificationConfig', { taskId, id: 'c10', url });
      expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('10') });
      await call('CreateTaskPushNotificationConfig', { taskId, id: 'c3', url: `${url}/new` });
      expect(await call('GetTaskPushNotificationConfig', { taskId, id: 'c3' })).toMatchObject({ url: `${url}/new` });
    });
  });

  test('BIND-EQUIV can be read in every binding and version, whichever one created them', async () => {
    const taskId = await newTask();
    const paths = `/tasks/${taskId}/pushNotificationConfigs`;
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const shown = { url, token: 't', authentication: { scheme: 'Bearer' } };
    const old = { url, token: 't', authentication: { schemes: ['Bearer'] } };
    const old03 = { ...old, authentication: { schemes: ['Bearer'], credentials: 'secret' } };
    await call('CreateTaskPushNotificationConfig', { taskId, id: 'a', url, token: 't', authentication });
    await call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id: 'b', ...old03 } });
    const made = await restJson(restConnection, `POST ${paths}`, {
      body: { id: 'c', url, token: 't', authentication },
    });
    expect(made).toEqual({ status: 201, body: { id: 'c', taskId, ...shown } });
    const body = { pushNotificationConfig: { id: 'd', ...old03 } };
    const made03 = await restJson(restConnection, `POST /v1${paths}`, { body });
    const name = (id: string): string => `tasks/${taskId}/pushNotificationConfigs/${id}`;
    expect(made03).toEqual({ status: 201, body: { name: name('d'), pushNotificationConfig: { id: 'd', ...old } } });

    const ids = ['a', 'b', 'c', 'd'];
    const all10 = { configs: ids.map((id) => ({ id, taskId, ...shown })), nextPageToken: '' };
    const all03 = ids.map((id) => ({ taskId, pushNotificationConfig: { id, ...old } }));
    const rest03 = ids.map((id) => ({ name: name(id), pushNotificationConfig: { id, ...old } }));
    expect(await call('ListTaskPushNotificationConfigs', { taskId })).toEqual(all10);
    expect((await restJson(restConnection, `GET ${paths}`)).body).toEqual(all10);
    expect(await call('tasks/pushNotificationConfig/list', { id: taskId })).toEqual(all03);
    expect((await restJson(restConnection, `GET /v1${paths}`)).body).toEqual({ configs: rest03, nextPageToken: '' });
    for (const [at, id] of ids.entries()) {
      expect(await call('GetTaskPushNotificationConfig', { taskId, id })).toEqual(all10.configs[at]);
      expect((await restJson(restConnection, `GET ${paths}/${id}`)).body).toEqual(all10.configs[at]);
      const get03 = { id: taskId, pushNotificationConfigId: id };
      expect(await call('tasks/pushNotificationConfig/get', get03)).toEqual(all03[at]);
      expect((await restJson(restConnection, `GET /v1${paths}/${id}`)).body).toEqual(rest03[at]);
    }
  });

  test('are listed page by page', async () => {
    const taskId = await newTask();
    for (const id of ['x', 'y', 'z']) await call('CreateTaskPushNotificationConfig', { taskId, id, url });
    type Page = { configs: { id: string }[]; nextPageToken: string };
    const first = await call<Page>('ListTaskPushNotificationConfigs', { taskId, pageSize: 2 });
    const path = `/tasks/${taskId}/pushNotificationConfigs?pageSize=2&pageToken=${first.nextPageToken}`;
    const second = await restJson<Page>(restConnection, `GET ${path}`);
    expect([first, second.body].map(({ configs }) => configs.map(({ id }) => id))).toEqual([['x', 'y'], ['z']]);
    expect(second.body.nextPageToken).toBe('');
  });

  test('are named after the task in A2A 0.3 if they have no id, and get a separate id in 1.0', async () => {
    const taskId = await newTask();
    for (const token of ['one', 'two']) {
      await call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { url, token } });
    }
    expect(await call('tasks/pushNotificationConfig/get', { id: taskId })).toEqual({
      taskId,
      pushNotificationConfig: { id: taskId, url, token: 'two' },
    });
    const made = await call<{ id: string }>('CreateTaskPushNotificationConfig', { taskId, url });
    expect(made.id).not.toBe(taskId);
    expect(await call('tasks/pushNotificationConfig/list', { id: taskId })).toHaveLength(2);
  });

  test('are stored once if they are part of a send that is repeated', async () => {
    const params = { ...message10('hi'), configuration: { taskPushNotificationConfig: { url, token: 'inline' } } };
    const first = await call<{ task: { id: string } }>('SendMessage', params);
    const second = await call<{ task: { id: string } }>('SendMessage', params);
    expect(second.task.id).toBe(first.task.id);
    const listed = await call<{ configs: object[] }>('ListTaskPushNotificationConfigs', { taskId: first.task.id });
    expect(listed.configs).toMatchObject([{ url, token: 'inline' }]);
    const more = {
      ...message03('more', { taskId: first.task.id }),
      configuration: { pushNotificationConfig: { url } },
    };
    await call('message/send', more);
    expect(await call('tasks/pushNotificationConfig/list', { id: first.task.id })).toHaveLength(2);
  });

  test('keep their secrets encrypted at rest', async () => {
    const taskId = await newTask();
    const authentication = { scheme: 'Bearer', credentials: 'very-secret-word' };
    await call('CreateTaskPushNotificationConfig', { taskId, url, token: 'token-word', authentication });
    const rows = await query<object>('test-push-sealed', 'SELECT * FROM push_config WHERE task_id = $1', [taskId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/very-secret-word|token-word/);
  });

  test('AUZ-1 are as unknown to other users as their task, in every method', async () => {
    const adas = await newTask();
    await call('CreateTaskPushNotificationConfig', { taskId: adas, id: 'c', url });
    const bob = await createPerson(parley.url, 'Bob');
    const bobConnection = await connectTo(parley.url, bob, slug);
    const calls: [string, (id: string) => object][] = [
      ['CreateTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c', url: 'https://example.com/his' })],
      ['GetTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
      ['ListTaskPushNotificationConfigs', (taskId) => ({ taskId })],
      ['DeleteTaskPushNotificationConfig', (taskId) => ({ taskId, id: 'c' })],
      ['tasks/pushNotificationConfig/set', (taskId) => ({ taskId, pushNotificationConfig: { id: 'c', url } })],
      ['tasks/pushNotificationConfig/get', (id) => ({ id, pushNotificationConfigId: 'c' })],
      ['tasks/pushNotificationConfig/list', (id) => ({ id })],
      ['tasks/pushNotificationConfig/delete', (id) => ({ id, pushNotificationConfigId: 'c' })],
    ];
    const unknown = newUuid();
    for (const [method, params] of calls) {
      const unauthorized = await rpc(bobConnection, method, params(adas));
      const absent = await rpc(bobConnection, method, params(unknown));
      expect(unauthorized.body.error?.code, method).toBe(-32001);
      expect(JSON.stringify(unauthorized.body).replaceAll(adas, 'ID')).toBe(
        JSON.stringify(absent.body).replaceAll(unknown, 'ID'),
      );
    }
    expect(await call('GetTaskPushNotificationConfig', { taskId: adas, id: 'c' })).toMatchObject({ url });
  });
});
