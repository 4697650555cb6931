import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { query } from '@/lib/platform/sql';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { rest, restJson, restLineTo } from '../support/rest';
import { createPerson, type Line, lineTo, listAgent, message03, message10, type Person, rpc } from '../support/world';

const url = 'https://example.com/hook';

describe('push notification configurations', () => {
  let parley: Parley;
  let agent: ScriptedAgent;
  let ada: Person;
  let slug: string;
  let line: Line;
  let restLine: Line;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Config probe' });
    agent.answer(({ received, result, end }) => {
      result(agent03.status(received.params.message?.taskId ?? newUuid(), 'input-required', 'what?'));
      end();
    });
    parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    line = await lineTo(parley.url, ada, slug);
    restLine = await restLineTo(parley.url, ada, slug);
  });

  afterAll(async () => {
    await parley?.stop();
    await agent?.stop();
  });

  async function newTask(): Promise<string> {
    const { body } = await rpc(line, 'message/send', message03('hi'));
    return (body.result as { id: string }).id;
  }

  async function call<Result>(method: string, params: object): Promise<Result> {
    const { body } = await rpc(line, method, params);
    if (body.error) throw new Error(JSON.stringify(body.error));
    return body.result as Result;
  }

  describe('wrong input', () => {
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
    ])('%s %j is -32602, naming the member', async (method, params) => {
      const text = JSON.stringify(params).replace('TASK', await newTask());
      const { body } = await rpc(line, method, JSON.parse(text));
      expect(body.error).toMatchObject({ code: -32602 });
      expect(JSON.stringify(body.error?.data)).toMatch(/"field":"\w+/);
    });

    test('a configuration that is not there is unknown, and deleting it is a success (A2A 1.0 §3.1.10)', async () => {
      const taskId = await newTask();
      const { body } = await rpc(line, 'GetTaskPushNotificationConfig', { taskId, id: 'none' });
      expect(body.error?.code).toBe(-32001);
      expect(await call('DeleteTaskPushNotificationConfig', { taskId, id: 'none' })).toEqual({});
      expect(
        await call('tasks/pushNotificationConfig/delete', { id: taskId, pushNotificationConfigId: 'x' }),
      ).toBeNull();
      const gone = await rest(restLine, `DELETE /tasks/${taskId}/pushNotificationConfigs/none`);
      expect([gone.status, await gone.text()]).toEqual([200, '{}']);
    });

    test('a task takes ten and no more; one of them can be replaced still', async () => {
      const taskId = await newTask();
      for (let at = 0; at < 10; at++) await call('CreateTaskPushNotificationConfig', { taskId, id: `c${at}`, url });
      const { body } = await rpc(line, 'CreateTaskPushNotificationConfig', { taskId, id: 'c10', url });
      expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining('10') });
      await call('CreateTaskPushNotificationConfig', { taskId, id: 'c3', url: `${url}/new` });
      expect(await call('GetTaskPushNotificationConfig', { taskId, id: 'c3' })).toMatchObject({ url: `${url}/new` });
    });
  });

  test('BIND-EQUIV what one binding and version makes, all others read', async () => {
    const taskId = await newTask();
    const paths = `/tasks/${taskId}/pushNotificationConfigs`;
    const authentication = { scheme: 'Bearer', credentials: 'secret' };
    const shown = { url, token: 't', authentication: { scheme: 'Bearer' } };
    const old = { url, token: 't', authentication: { schemes: ['Bearer'] } };
    const old03 = { ...old, authentication: { schemes: ['Bearer'], credentials: 'secret' } };
    await call('CreateTaskPushNotificationConfig', { taskId, id: 'a', url, token: 't', authentication });
    await call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id: 'b', ...old03 } });
    const made = await restJson(restLine, `POST ${paths}`, { body: { id: 'c', url, token: 't', authentication } });
    expect(made).toEqual({ status: 201, body: { id: 'c', taskId, ...shown } });
    const body = { pushNotificationConfig: { id: 'd', ...old03 } };
    const made03 = await restJson(restLine, `POST /v1${paths}`, { body });
    const name = (id: string): string => `tasks/${taskId}/pushNotificationConfigs/${id}`;
    expect(made03).toEqual({ status: 201, body: { name: name('d'), pushNotificationConfig: { id: 'd', ...old } } });

    const ids = ['a', 'b', 'c', 'd'];
    const all10 = { configs: ids.map((id) => ({ id, taskId, ...shown })), nextPageToken: '' };
    const all03 = ids.map((id) => ({ taskId, pushNotificationConfig: { id, ...old } }));
    const rest03 = ids.map((id) => ({ name: name(id), pushNotificationConfig: { id, ...old } }));
    expect(await call('ListTaskPushNotificationConfigs', { taskId })).toEqual(all10);
    expect((await restJson(restLine, `GET ${paths}`)).body).toEqual(all10);
    expect(await call('tasks/pushNotificationConfig/list', { id: taskId })).toEqual(all03);
    expect((await restJson(restLine, `GET /v1${paths}`)).body).toEqual({ configs: rest03, nextPageToken: '' });
    for (const [at, id] of ids.entries()) {
      expect(await call('GetTaskPushNotificationConfig', { taskId, id })).toEqual(all10.configs[at]);
      expect((await restJson(restLine, `GET ${paths}/${id}`)).body).toEqual(all10.configs[at]);
      const get03 = { id: taskId, pushNotificationConfigId: id };
      expect(await call('tasks/pushNotificationConfig/get', get03)).toEqual(all03[at]);
      expect((await restJson(restLine, `GET /v1${paths}/${id}`)).body).toEqual(rest03[at]);
    }
  });

  test('lists in pages', async () => {
    const taskId = await newTask();
    for (const id of ['x', 'y', 'z']) await call('CreateTaskPushNotificationConfig', { taskId, id, url });
    type Page = { configs: { id: string }[]; nextPageToken: string };
    const first = await call<Page>('ListTaskPushNotificationConfigs', { taskId, pageSize: 2 });
    const path = `/tasks/${taskId}/pushNotificationConfigs?pageSize=2&pageToken=${first.nextPageToken}`;
    const second = await restJson<Page>(restLine, `GET ${path}`);
    expect([first, second.body].map(({ configs }) => configs.map(({ id }) => id))).toEqual([['x', 'y'], ['z']]);
    expect(second.body.nextPageToken).toBe('');
  });

  test('A2A 0.3 names the one without a name after its task, 1.0 gives each a name of its own', async () => {
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

  test('one within a send is kept like any other, once also when the send is repeated', async () => {
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

  test('secrets are sealed on disk', async () => {
    const taskId = await newTask();
    const authentication = { scheme: 'Bearer', credentials: 'very-secret-word' };
    await call('CreateTaskPushNotificationConfig', { taskId, url, token: 'token-word', authentication });
    const rows = await query<object>('test-push-sealed', 'SELECT * FROM push_config WHERE task_id = $1', [taskId]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/very-secret-word|token-word/);
  });

  test('AUZ-1 another’s configurations are like another’s task, unknown, by every method', async () => {
    const hers = await newTask();
    await call('CreateTaskPushNotificationConfig', { taskId: hers, id: 'c', url });
    const bob = await createPerson(parley.url, 'Bob');
    const his = await lineTo(parley.url, bob, slug);
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
      const foreign = await rpc(his, method, params(hers));
      const absent = await rpc(his, method, params(unknown));
      expect(foreign.body.error?.code, method).toBe(-32001);
      expect(JSON.stringify(foreign.body).replaceAll(hers, 'ID')).toBe(
        JSON.stringify(absent.body).replaceAll(unknown, 'ID'),
      );
    }
    expect(await call('GetTaskPushNotificationConfig', { taskId: hers, id: 'c' })).toMatchObject({ url });
  });
});
