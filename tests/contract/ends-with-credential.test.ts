import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '@/lib/platform/bus';
import { newUuid } from '@/lib/platform/ids';
import type { NewClientSecret } from '@/lib/tokens/schema';
import * as agent03 from '../fakes/a2a03';
import { PushReceiver } from '../fakes/push-receiver';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  rpc,
  send,
  tokenFor,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { createApp, postForm, signInDevice } from './tokens-fixture';

/** A credential that ends on one node must end on the other within a second. */
const bound = { timeout: 1_000, interval: 10 };

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
let helper: ScriptedAgent;
let receiver: PushReceiver;
let developer: Person;
let person: Person;
let slug: string;
let helperSlug: string;
let helperApp: NewClientSecret;
/** Streams that the agent holds open, by the received text. */
const held = new Map<string, Exchange>();

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Long work' });
  helper = await ScriptedAgent.start({ name: 'Helper' });
  receiver = await PushReceiver.start();
  agent.answer((exchange) => {
    const text = exchange.received.params.message?.parts[0]?.text ?? '';
    held.set(text, exchange);
    exchange.result(agent03.status(text, 'working'));
  });
  helper.answer(({ result, end }) => {
    result(agent03.status(newUuid(), 'completed'));
    end();
  });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  developer = await createPerson(one.url, 'Dora');
  slug = await listAgent(one.url, developer, { url: agent.url });
  helperApp = await createApp(one.url, developer);
  helperSlug = await listAgent(one.url, developer, { url: helper.url, appId: helperApp.id });
});

beforeEach(async () => {
  person = await createPerson(one.url, 'Pat');
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await Promise.all([agent?.stop(), helper?.stop(), receiver?.stop()]);
});

function on(node: Parley, token: string): Connection {
  return { url: `${node.url}/agents/${slug}/a2a/jsonrpc`, token };
}

const session = () => ({ cookie: person.cookie, origin: one.url });

async function handshake(call: { cookie?: string; origin?: string; bearer?: string }, to = slug): Promise<string> {
  const response = await send(`${one.url}/api/auth/handshake`, { body: { agentSlug: to }, ...call });
  expect(response.status).toBe(200);
  return ((await response.json()) as { token: string }).token;
}

async function newAccessToken(): Promise<{ id: string; token: string }> {
  const made = await send(`${one.url}/api/auth/access-tokens`, { body: { name: 'to be revoked' }, ...session() });
  return (await made.json()) as { id: string; token: string };
}

async function grant(scopes: string[]): Promise<void> {
  const answer = await send(`${one.url}/api/grants/${helperSlug}`, { method: 'PUT', body: { scopes }, ...session() });
  expect(answer.status).toBe(204);
}

async function delegatedToken(): Promise<string> {
  await grant(['delegate']);
  helper.received.length = 0;
  const line = {
    url: `${one.url}/agents/${helperSlug}/a2a/jsonrpc`,
    token: await tokenFor(one.url, person, helperSlug),
  };
  await rpc(line, 'message/send', message03('help me'));
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: String(helper.messages[0]?.headers.authorization).replace('Bearer ', ''),
    resource: `${one.url}/agents/${slug}`,
  };
  const answer = await postForm(`${one.url}/api/auth/token`, form, helperApp);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function suspendPerson(): Promise<void> {
  await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [person.userId]);
  await publish('user', person.userId);
}

interface Ending {
  token: string;
  end: () => Promise<unknown>;
}

/** Every way in which a token's credential ends. */
const endings: Record<string, () => Promise<Ending>> = {
  'a session that is signed out': async () => {
    const other = await send(`${one.url}/api/auth/local`, {
      body: { email: person.email, password: 'correct horse battery' },
      origin: one.url,
    });
    const cookie = other.headers.get('set-cookie')?.split(';', 1)[0];
    const call = { cookie, origin: one.url };
    const { items } = (await (await send(`${one.url}/api/auth/sessions`, call)).json()) as {
      items: { id: string; current: boolean }[];
    };
    const id = items.find(({ current }) => current)?.id;
    const end = () => send(`${one.url}/api/auth/sessions/${id}`, { method: 'DELETE', ...session() });
    return { token: await handshake(call), end };
  },
  'an access token that is revoked': async () => {
    const { id, token } = await newAccessToken();
    const end = () => send(`${one.url}/api/auth/access-tokens/${id}`, { method: 'DELETE', ...session() });
    return { token: await handshake({ bearer: token }), end };
  },
  'a device that is signed out': async () => {
    const { access_token, refresh_token } = await signInDevice(one.url, person);
    const form = { client_id: 'parley-cli', token: refresh_token };
    return {
      token: await handshake({ bearer: access_token }),
      end: () => postForm(`${one.url}/api/auth/revoke`, form),
    };
  },
  'a secret of an app that is removed': async () => {
    const app = await createApp(one.url, developer, 'Short-lived');
    const form = { grant_type: 'client_credentials', resource: `${one.url}/agents/${slug}` };
    const answer = await postForm(`${one.url}/api/auth/token`, form, app);
    const { access_token } = (await answer.json()) as { access_token: string };
    const path = `${one.url}/api/apps/${app.id}/secrets/${app.secrets[0]?.id}`;
    return { token: access_token, end: () => send(path, { method: 'DELETE', bearer: developer.accessToken }) };
  },
  'a grant that is revoked': async () => ({ token: await delegatedToken(), end: () => grant([]) }),
  'a user who is suspended': async () => ({
    token: await tokenFor(one.url, person, slug),
    end: suspendPerson,
  }),
};

async function rowsOf(taskId: string): Promise<string[]> {
  const sql = 'SELECT id FROM push_config WHERE task_id = $1 ORDER BY id';
  return (await query<{ id: string }>('test-receivers-of', sql, [taskId])).map(({ id }) => id);
}

/** A running task with an open stream on the second node, and a push receiver. */
async function startTask(token: string): Promise<{ id: string; name: string; path: string; over: Promise<unknown> }> {
  const name = newUuid();
  const path = `/${name}`;
  const configuration = { pushNotificationConfig: { id: 'mine', url: `${receiver.url}${path}` } };
  const body = { jsonrpc: '2.0', id: 'q', method: 'message/stream', params: { ...message03(name), configuration } };
  const response = await post(on(two, token), body);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let id = '';
  const ended = readEvents(response, (events) => {
    id ||= (events[0]?.data as { result: { id: string } } | undefined)?.result.id ?? '';
    return false;
  });
  await waitFor(() => id, { what: 'the task' });
  await waitFor(() => receiver.on(path).length > 0, { what: 'the first push' });
  return { id, name, path, over: ended };
}

describe.each(Object.entries(endings))('%s', (_name, prepare) => {
  test('REV-2 ends its push receivers and streams on every node within a second, and no others', async () => {
    const { token, end } = await prepare();
    const task = await startTask(token);
    const bystander = await createPerson(one.url, 'Bea');
    const other = await startTask(await tokenFor(one.url, bystander, slug));
    let isFinished = false;
    void task.over.then(() => {
      isFinished = true;
    });
    const before = receiver.on(task.path).length;
    await end();
    await expect.poll(() => isFinished, bound).toBe(true);
    await expect.poll(() => rowsOf(task.id), bound).toEqual([]);
    expect((await rpc(on(two, token), 'tasks/get', { id: task.id })).status).toBe(401);
    for (const { name: text } of [task, other]) {
      for (const chunk of ['a', 'b']) held.get(text)?.result(agent03.artifact(text, chunk, { append: chunk === 'b' }));
      held.get(text)?.result(agent03.status(text, 'completed'));
      held.get(text)?.end();
    }
    await other.over;
    await waitFor(() => receiver.on(other.path).some(({ text }) => text.includes('completed')), { what: 'its pushes' });
    expect(receiver.on(task.path)).toHaveLength(before);
  });
});

test('REV-2 withdrawing an agent ends its push receivers and streams', async () => {
  const own = await ScriptedAgent.start({ name: 'To be withdrawn' });
  own.answer((exchange) => {
    held.set(exchange.received.params.message?.parts[0]?.text ?? '', exchange);
    exchange.result(agent03.status('up', 'working'));
  });
  const before = slug;
  slug = await listAgent(one.url, developer, { url: own.url });
  const task = await startTask(await tokenFor(one.url, person, slug));
  await send(`${one.url}/api/agents/${slug}`, { method: 'DELETE', bearer: developer.accessToken });
  await task.over;
  await expect.poll(() => rowsOf(task.id), bound).toEqual([]);
  slug = before;
  await own.stop();
});

test('a push that is waiting for a retry is not sent after its credential ends', async () => {
  const { id: tokenId, token } = await newAccessToken();
  const task = await startTask(await handshake({ bearer: token }));
  receiver.answers.set(
    task.path,
    Array.from({ length: 50 }, () => 500),
  );
  held.get(task.name)?.result(agent03.status(task.name, 'input-required', 'unwanted'));
  await waitFor(() => receiver.on(task.path).some(({ text }) => text.includes('unwanted')), { what: 'an attempt' });
  await send(`${one.url}/api/auth/access-tokens/${tokenId}`, { method: 'DELETE', ...session() });
  await expect.poll(() => rowsOf(task.id), bound).toEqual([]);
  expect(await (await send(`${one.url}/api/push/deliveries`, session())).json()).toMatchObject({ failing: [] });
});

test('a token that an agent exchanged remains invalid if its grant is given again', async () => {
  const token = await delegatedToken();
  const before = await startTask(token);
  await grant([]);
  await grant(['delegate']);
  for (const node of [one, two])
    await expect.poll(async () => (await rpc(on(node, token), 'tasks/get', { id: before.id })).status, bound).toBe(401);
  const again = await delegatedToken();
  expect((await rpc(on(two, again), 'tasks/get', { id: before.id })).body.result).toMatchObject({ id: before.id });
  expect(await rowsOf(before.id)).toEqual([]);
});

test('a device code approved in a session is invalid after that session is signed out (RFC 8628)', async () => {
  const client = { client_id: 'parley-cli' };
  const started = await postForm(`${one.url}/api/auth/device`, client);
  const { device_code, user_code } = (await started.json()) as { device_code: string; user_code: string };
  const body = { userCode: user_code, allow: true };
  expect((await send(`${one.url}/api/auth/device/decide`, { body, ...session() })).status).toBe(204);
  const [{ id } = { id: '' }] = await query<{ id: string }>(
    'test-session',
    'SELECT id FROM session WHERE user_id = $1',
    [person.userId],
  );
  expect((await send(`${one.url}/api/auth/sessions/${id}`, { method: 'DELETE', ...session() })).status).toBe(204);
  const form = { ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code };
  await expect
    .poll(async () => (await (await postForm(`${two.url}/api/auth/token`, form)).json()) as object, bound)
    .toMatchObject({ error: 'access_denied' });
});

describe('a user’s push receivers', () => {
  test('are listed and deleted only by that user, with host, task, agent, credential and time', async () => {
    const task = await startTask(await delegatedToken());
    const byToken = await startTask(await tokenFor(one.url, person, slug));
    const list = async (who: { cookie?: string; bearer?: string }): Promise<{ id: string; taskId: string }[]> => {
      const response = await send(`${two.url}/api/push/receivers`, { ...who });
      expect(response.status).toBe(200);
      return ((await response.json()) as { items: { id: string; taskId: string }[] }).items;
    };
    const items = await list({ bearer: person.accessToken });
    expect(items).toEqual([
      {
        id: expect.any(String),
        host: new URL(receiver.url).host,
        taskId: byToken.id,
        agent: { slug, name: 'Long work' },
        credential: { kind: 'access-token', name: 'test' },
        createdAt: expect.any(String),
        isOver: false,
        lastStatus: null,
        failing: null,
      },
      expect.objectContaining({ taskId: task.id, credential: { kind: 'agent', name: 'Helper' } }),
    ]);
    expect(JSON.stringify(items)).not.toContain(task.path);
    const otherUser = await createPerson(one.url, 'Eve');
    expect(await list({ bearer: otherUser.accessToken })).toEqual([]);
    const path = `${one.url}/api/push/receivers/${items[1]?.id}`;
    const remove = (bearer: string) => send(path, { method: 'DELETE', bearer });
    expect((await remove(otherUser.accessToken)).status).toBe(404);
    expect((await send(`${one.url}/api/push/receivers/x`, { method: 'DELETE', ...session() })).status).toBe(404);
    expect((await remove(person.accessToken)).status).toBe(204);
    expect((await remove(person.accessToken)).status).toBe(404);
    expect((await list({ bearer: person.accessToken })).map(({ taskId }) => taskId)).toEqual([byToken.id]);
    expect((await send(`${one.url}/api/push/receivers`, {})).status).toBe(401);
  });
});
