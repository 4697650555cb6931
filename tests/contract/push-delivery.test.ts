import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { type Arrived, PushReceiver } from '../fakes/push-receiver';
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
  send,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { connectToRest, restJson } from '../support/rest';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

describe('a push notification', () => {
  let parley: Parley;
  let agent: ScriptedAgent;
  let receiver: PushReceiver;
  let ada: Person;
  let connection: Connection;
  let restConnection: Connection;
  let slug: string;

  beforeAll(async () => {
    agent = await ScriptedAgent.start({ name: 'Push probe' });
    receiver = await PushReceiver.start();
    // The receiver's own origin is exempt, as an operator would configure it; every other rule applies.
    parley = await startParley({ env: { AGENT_URL_ALLOW: `${agent.url},${receiver.url}` } });
    ada = await createPerson(parley.url, 'Ada');
    slug = await listAgent(parley.url, ada, { url: agent.url });
    connection = await connectTo(parley.url, ada, slug);
    restConnection = await connectToRest(parley.url, ada, slug);
  });

  afterAll(async () => {
    await parley?.stop();
    await agent?.stop();
    await receiver?.stop();
  });

  let hook: string;
  let path: string;
  beforeEach(() => {
    agent.received.length = 0;
    path = `/${newUuid()}`;
    hook = `${receiver.url}${path}`;
    says(agent03.status('up', 'working'), agent03.artifact('up', 'hello'), agent03.status('up', 'completed', 'done'));
  });

  function says(...events: object[]): void {
    agent.answer(({ result, end }) => {
      for (const event of events) result(event);
      end();
    });
  }

  async function pushesOn(at: string, count: number): Promise<Arrived[]> {
    await waitFor(() => receiver.on(at).length >= count, { what: `${count} pushes`, timeout: 15_000 });
    return receiver.on(at);
  }

  async function send10(push: object, extra: object = {}): Promise<{ id: string }> {
    const configuration = { taskPushNotificationConfig: push };
    const { body } = await rpc(connection, 'SendMessage', { ...message10('hi', extra), configuration });
    if (body.error) throw new Error(JSON.stringify(body.error));
    return (body.result as { task: { id: string } }).task;
  }

  /** A task that waits for its caller, and a function that ends it. */
  async function openTask(): Promise<{ id: string; finish: () => Promise<void> }> {
    const upstream = newUuid();
    says(agent03.status(upstream, 'input-required', 'what?'));
    const { body } = await rpc(connection, 'message/send', message03('hi'));
    const { id } = body.result as { id: string };
    return {
      id,
      async finish() {
        says(agent03.artifact(upstream, 'all'), agent03.status(upstream, 'completed', 'done'));
        await rpc(connection, 'message/send', message03('this', { taskId: id }));
      },
    };
  }

  async function deadLetters(
    person: Person,
  ): Promise<{ id: string; configId: string; taskId: string; reason: string; httpStatus: number | null }[]> {
    const response = await send(`${parley.url}/api/push/dead-letters`, { bearer: person.accessToken });
    expect(response.status).toBe(200);
    return ((await response.json()) as { items: [] }).items;
  }

  describe('with an unusable target', () => {
    test.each([
      'not a url',
      'ftp://example.com/hook',
      'http://example.com/hook',
      'https://127.0.0.1/hook',
      'https://169.254.169.254/latest',
      'https://[::1]/hook',
      'https://10.0.0.1/hook',
      'https://user:secret@example.com/hook',
      'https://example.com:22/hook',
    ])('SSRF-1 is rejected before a task starts: %s', async (url) => {
      const inline03 = { ...message03('hi'), configuration: { pushNotificationConfig: { url } } };
      const inline10 = { ...message10('hi'), configuration: { taskPushNotificationConfig: { url } } };
      for (const [method, params] of [
        ['message/send', inline03],
        ['message/stream', inline03],
        ['SendMessage', inline10],
      ] as const) {
        expect((await rpc(connection, method, params)).body.error, method).toMatchObject({ code: -32602 });
      }
      expect(agent.received).toEqual([]);
      const { body } = await rpc(connection, 'message/send', message03('hi'));
      const { id: taskId } = body.result as { id: string };
      const set = await rpc(connection, 'tasks/pushNotificationConfig/set', {
        taskId,
        pushNotificationConfig: { url },
      });
      expect(set.body.error?.code).toBe(-32602);
      expect(
        (await restJson(restConnection, `POST /tasks/${taskId}/pushNotificationConfigs`, { body: { url } })).status,
      ).toBe(400);
    });

    test('SSRF-1 is rejected if the target is Parley itself', async () => {
      const configuration = { pushNotificationConfig: { url: `${parley.url}/api/push/x` } };
      const { body } = await rpc(connection, 'message/send', { ...message03('hi'), configuration });
      expect(body.error?.code).toBe(-32602);
    });

    test.each([
      { token: 'two\r\nlines' },
      { authentication: { schemes: ['Bearer x'] } },
      { authentication: { schemes: ['Bearer'], credentials: 'a\nb' } },
      { id: 'x'.repeat(256) },
    ])('is rejected with an invalid member: %j', async (extra) => {
      const configuration = { pushNotificationConfig: { url: hook, ...extra } };
      expect((await rpc(connection, 'message/send', { ...message03('hi'), configuration })).body.error?.code).toBe(
        -32602,
      );
    });
  });

  describe('to a valid target', () => {
    test('A2A 1.0 §4.3.3: contains every event in order, with token and credentials', async () => {
      const authentication = { scheme: 'Bearer', credentials: 'caller-secret' };
      const task = await send10({ url: hook, token: 'my-token', authentication });
      const pushes = await pushesOn(path, 3);
      expect(pushes.map(({ body }) => Object.keys(body)[0])).toEqual([
        'statusUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      expect(pushes[2]?.body).toMatchObject({
        statusUpdate: { taskId: task.id, status: { state: 'TASK_STATE_COMPLETED' } },
      });
      for (const { headers } of pushes) {
        expect(headers).toMatchObject({
          'content-type': 'application/a2a+json',
          'x-a2a-notification-token': 'my-token',
          authorization: 'Bearer caller-secret',
        });
      }
      expect(new Set(pushes.map(({ headers }) => headers['parley-delivery'])).size).toBe(3);
      expect(JSON.stringify(await waitForEnd(task.id))).not.toContain('caller-secret');
      expect(parley.output()).not.toContain('caller-secret');
    });

    test.each([
      ['1.0', { token: '' }],
      ['1.0', { token: null }],
      ['0.3', { token: '' }],
    ] as const)('has no token if the token is empty (%s, %j)', async (version, extra) => {
      if (version === '1.0') await send10({ url: hook, ...extra });
      else {
        const configuration = { pushNotificationConfig: { url: hook, ...extra } };
        expect(
          (await rpc(connection, 'message/send', { ...message03('hi'), configuration })).body.error,
        ).toBeUndefined();
      }
      const [first] = await pushesOn(path, 1);
      expect(first?.headers).not.toHaveProperty('x-a2a-notification-token');
    });

    /** The rows of a task's configurations once nothing is left to send. */
    async function waitForEnd(taskId: string): Promise<object[]> {
      return waitFor(
        async () => {
          const rows = await query<{ ended: boolean }>(
            'test-push-rows',
            'SELECT * FROM push_config WHERE task_id = $1',
            [taskId],
          );
          return rows.length > 0 && rows.every(({ ended }) => ended) ? rows : null;
        },
        { what: 'the configuration to end' },
      );
    }

    test('A2A 0.3 §9.5: contains the task and its artifacts whenever its state changes', async () => {
      const configuration = { pushNotificationConfig: { url: hook, token: 't3' } };
      const { body } = await rpc(connection, 'message/send', { ...message03('hi'), configuration });
      const { id } = body.result as { id: string };
      const pushes = await pushesOn(path, 2);
      expect(pushes.map(({ body: task }) => task)).toMatchObject([
        { kind: 'task', id, status: { state: 'working' } },
        { kind: 'task', id, status: { state: 'completed' }, artifacts: [{ parts: [{ kind: 'text', text: 'hello' }] }] },
      ]);
      expect(pushes[0]?.headers['content-type']).toBe('application/json');
      expect(pushes[0]?.headers.authorization).toBeUndefined();
    });

    test('has a signature over receiver, task and body, which our JWKS verifies and nothing else accepts', async () => {
      const task = await send10({ url: hook });
      const [first] = await pushesOn(path, 1);
      if (!first) throw new Error('no push');
      const jwt = String(first.headers['parley-signature']);
      const keys = createRemoteJWKSet(new URL(`${parley.url}/.well-known/jwks.json`));
      const { payload, protectedHeader } = await jwtVerify(jwt, keys, {
        issuer: parley.url,
        audience: receiver.url,
        typ: 'push+jwt',
        maxTokenAge: '5m',
      });
      expect(payload).toMatchObject({
        task_id: task.id,
        request_body_sha256: createHash('sha256').update(first.text).digest('hex'),
        jti: expect.stringMatching(/^[\w-]{20,}$/),
        exp: expect.any(Number),
      });
      expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'push+jwt' });
      expect((await rpc({ ...connection, token: jwt }, 'GetTask', { id: task.id })).status).toBe(401);
      await expect(jwtVerify(jwt, keys, { audience: 'https://elsewhere.example' })).rejects.toThrow();
    });

    test('is retried after 500, 302 and 404 with the same id, in order, without delaying others', async () => {
      receiver.answers.set(path, [500, 302, 404]);
      const other = `/${newUuid()}`;
      const { id, finish } = await openTask();
      await setPush(id, { id: 'slow', url: hook });
      await setPush(id, { id: 'quick', url: `${receiver.url}${other}` });
      await finish();
      const quick = await pushesOn(other, 3);
      const pushes = await pushesOn(path, 6);
      expect(quick.at(-1)?.at).toBeLessThan(pushes.at(-1)?.at ?? 0);
      const ids = pushes.map(({ headers }) => headers['parley-delivery']);
      expect(new Set(ids.slice(0, 4)).size).toBe(1);
      expect(new Set(ids).size).toBe(3);
      expect(pushes.slice(3).map(({ body }) => body)).toEqual(quick.map(({ body }) => body));
      expect(receiver.on('/elsewhere')).toEqual([]);
      expect(await deadLetters(ada)).not.toContainEqual(expect.objectContaining({ taskId: id }));
    });

    test('is sent once even if the response is received only in part', async () => {
      receiver.breaking.add(path);
      const other = `/${newUuid()}`;
      const { id, finish } = await openTask();
      await setPush(id, { id: 'breaks', url: hook });
      await setPush(id, { id: 'whole', url: `${receiver.url}${other}` });
      await finish();
      const whole = await pushesOn(other, 3);
      const broken = await pushesOn(path, 3);
      expect(broken.map(({ body }) => body)).toEqual(whole.map(({ body }) => body));
    });

    test('starts with new retries for a receiver that replaces an abandoned one', async () => {
      const { id } = await openTask();
      await setPush(id, { id: 'same', url: hook });
      await query('test-dead-letters', 'UPDATE push_config SET consecutive_dead_letters = 2 WHERE task_id = $1', [id]);
      await setPush(id, { id: 'same', url: `${hook}/new` });
      const sql =
        'SELECT consecutive_dead_letters AS "consecutiveDeadLetters", url FROM push_config WHERE task_id = $1';
      expect(await query('test-replaced', sql, [id])).toEqual([{ consecutiveDeadLetters: 0, url: `${hook}/new` }]);
    });

    test('is abandoned as a dead letter after a day of failures, and later ones follow', async () => {
      receiver.answers.set(path, [500, 500]);
      const { id, finish } = await openTask();
      await setPush(id, { id: 'day', url: hook });
      await finish();
      await waitFor(
        async () => {
          const sql = `UPDATE push_config SET failing_since = failing_since - interval '24 hours'
            WHERE task_id = $1 AND attempts = 1 AND lease IS NULL RETURNING id`;
          return (await query('test-push-day', sql, [id])).length > 0;
        },
        { what: 'the first failure' },
      );
      const pushes = await pushesOn(path, 4);
      expect(pushes.map(({ body }) => Object.keys(body)[0])).toEqual([
        'statusUpdate',
        'statusUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      const mine = (await deadLetters(ada)).filter(({ taskId }) => taskId === id);
      expect(mine).toMatchObject([{ id: pushes[0]?.headers['parley-delivery'], attempts: 2, httpStatus: 500 }]);
    });

    test('stops after a 410, with one dead letter that only its owner sees', async () => {
      receiver.answers.set(path, [410]);
      const task = await send10({ id: 'gone', url: hook });
      await waitForEnd(task.id);
      const mine = (await deadLetters(ada)).filter(({ taskId }) => taskId === task.id);
      expect(mine).toMatchObject([{ configId: 'gone', reason: 'http_410', httpStatus: 410, attempts: 1, url: hook }]);
      const bob = await createPerson(parley.url, 'Bob');
      expect(await deadLetters(bob)).toEqual([]);
      expect(receiver.on(path)).toHaveLength(1);
      const anonymous = await send(`${parley.url}/api/push/dead-letters`, {});
      expect(anonymous.status).toBe(401);
    });

    test('is never resent once abandoned if its receiver now has another URL and other secrets', async () => {
      receiver.answers.set(path, [410]);
      const task = await send10({ id: 'moved', url: hook });
      await waitForEnd(task.id);
      const [letter] = (await deadLetters(ada)).filter(({ taskId }) => taskId === task.id);
      await setPush(task.id, { id: 'moved', url: `${hook}-new`, token: 'for the new one alone' });
      const again = await send(`${parley.url}/api/push/dead-letters/${letter?.id}/resend`, {
        method: 'POST',
        cookie: ada.cookie,
        origin: parley.url,
      });
      expect(again.status).toBe(404);
      expect(receiver.on(path)).toHaveLength(1);
    });

    test('SSRF-3 is never sent to a name that resolves to an internal address, and becomes a dead letter', async () => {
      const task = await send10({ id: 'inward', url: 'https://localhost:8443/hook' });
      await waitForEnd(task.id);
      const mine = (await deadLetters(ada)).filter(({ taskId }) => taskId === task.id);
      expect(mine).toMatchObject([{ configId: 'inward', reason: 'url_refused', httpStatus: null, attempts: 1 }]);
    });

    test('is no longer sent after its configuration is deleted', async () => {
      const { id, finish } = await openTask();
      await setPush(id, { id: 'kept', url: `${receiver.url}${path}-kept` });
      await setPush(id, { id: 'gone', url: hook });
      await rpc(connection, 'DeleteTaskPushNotificationConfig', { taskId: id, id: 'gone' });
      await finish();
      await pushesOn(`${path}-kept`, 3);
      expect(receiver.on(path)).toEqual([]);
    });

    test('is sent once after a restart if it was unsent when the process ended', async () => {
      receiver.answers.set(path, [503]);
      const { id, finish } = await openTask();
      await setPush(id, { url: hook });
      await finish();
      await pushesOn(path, 1);
      await parley.kill('SIGKILL');
      await parley.restart();
      const pushes = await pushesOn(path, 4);
      await waitForEnd(id);
      const ids = pushes.map(({ headers }) => headers['parley-delivery']);
      expect(ids[0]).toBe(ids[1]);
      expect(new Set(ids).size).toBe(3);
      expect(receiver.on(path)).toHaveLength(4);
    });
  });

  async function setPush(taskId: string, target: object): Promise<void> {
    const { body } = await rpc(connection, 'CreateTaskPushNotificationConfig', { taskId, ...target });
    if (body.error) throw new Error(JSON.stringify(body.error));
  }
});
