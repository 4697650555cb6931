import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import type { NewClientSecret } from '@/lib/tokens/schema';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  createPerson,
  listAgent,
  message03,
  message10,
  type Person,
  post as postOnce,
  readEvents,
  type rpc as rpcOnce,
  send,
  tokenFor,
} from '../support/fixtures';
import { rest as restOnce } from '../support/rest';
import { query } from '../support/sql';
import { createApp, createTokensFixture, postForm, signInDevice, type TokensFixture } from './tokens-fixture';

/** An agent with its own app, as a developer runs it. */
interface OwnedAgent {
  agent: ScriptedAgent;
  slug: string;
  app: NewClientSecret;
}

/** The table in docs/site/tokens.mdx: a credential, and the owners of the tasks that it reaches. */
const own = ['session', 'access token', 'handshake only', 'device'] as const;
const delegated = ['alpha', 'beta', 'alpha through beta', 'alpha by session'] as const;
const others = ['app', 'bob', 'alpha for bob'] as const;
const credentials = [...own, ...delegated, ...others] as const;
type Credential = (typeof credentials)[number];

const reach: Record<Credential, readonly Credential[]> = {
  session: [...own, ...delegated],
  'access token': [...own, ...delegated],
  'handshake only': [...own, ...delegated],
  device: [...own, ...delegated],
  alpha: ['alpha'],
  beta: ['beta'],
  'alpha through beta': ['alpha through beta'],
  'alpha by session': ['alpha by session'],
  app: ['app'],
  bob: ['bob', 'alpha for bob'],
  'alpha for bob': ['alpha for bob'],
};

let fixture: TokensFixture;
let target: OwnedAgent;
let alpha: OwnedAgent;
let beta: OwnedAgent;

/** A user with every credential of the table, and the results of the tests with them. */
interface UserGroup {
  ada: Person;
  tokens: Record<Credential, string>;
  waiting: Map<Credential, Promise<Made>>;
  answersToUnknown: Map<string, Promise<string>>;
}

/** Tests take turns with groups, because the sends of a user per minute are limited. */
const groups: UserGroup[] = [];
const GROUPS = 6;
let group: UserGroup;
let turn = 0;

/** Retries a request refused by the user's limit of sends per minute. */
async function withinLimits(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask();
    if (response.status !== 429) return response;
    await response.body?.cancel();
    await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
  }
}

function post(connection: Connection, body: unknown): Promise<Response> {
  return withinLimits(() => postOnce(connection, body));
}

function rest(...call: Parameters<typeof restOnce>): Promise<Response> {
  return withinLimits(() => restOnce(...call));
}

async function rpc(connection: Connection, method: string, params: object): ReturnType<typeof rpcOnce> {
  const response = await post(connection, { jsonrpc: '2.0', id: 'q', method, params });
  const body = (await response.json()) as Awaited<ReturnType<typeof rpcOnce>>['body'];
  return { status: response.status, headers: response.headers, body };
}

async function stand(name: string): Promise<OwnedAgent> {
  const agent = await ScriptedAgent.start({ name });
  agent.answer(({ received, result, end, json }) => {
    if (received.method === 'tasks/get')
      return json({
        jsonrpc: '2.0',
        id: received.id,
        result: { ...agent03.status(received.params.id ?? '', 'input-required'), kind: 'task' },
      });
    result(agent03.status(received.params.message?.taskId ?? newUuid(), 'input-required', 'what?'));
    end();
  });
  const app = await createApp(fixture.url, fixture.developer, name);
  const slug = await listAgent(fixture.url, fixture.developer, { url: agent.url, appId: app.id });
  return { agent, slug, app };
}

function connectTo({ slug }: OwnedAgent, token: string): Connection {
  return { url: `${fixture.url}/agents/${slug}/a2a/jsonrpc`, token };
}

function connectToRest({ slug }: OwnedAgent, token: string): Connection {
  return { url: `${fixture.url}/agents/${slug}/a2a/rest`, token };
}

async function bySession(person: Person, { slug }: OwnedAgent): Promise<string> {
  const session = { cookie: person.cookie, origin: fixture.url };
  const response = await send(`${fixture.url}/api/auth/handshake`, { body: { agentSlug: slug }, ...session });
  return ((await response.json()) as { token: string }).token;
}

/** Calls the agent with the token, and has its app exchange the forwarded token for one for `to`. */
async function passOn(
  from: OwnedAgent,
  token: string,
  { to, app = from.app }: { to: OwnedAgent; app?: NewClientSecret },
) {
  from.agent.received.length = 0;
  const { body } = await rpc(connectTo(from, token), 'message/send', message03('call somebody for me'));
  expect(body.error).toBeUndefined();
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    subject_token: String(from.agent.messages[0]?.headers.authorization).replace('Bearer ', ''),
    resource: `${fixture.url}/agents/${to.slug}`,
  };
  const response = await postForm(`${fixture.url}/api/auth/token`, form, app);
  expect(response.status).toBe(200);
  return ((await response.json()) as { access_token: string }).access_token;
}

async function grant(person: Person, { slug }: OwnedAgent): Promise<void> {
  const session = { cookie: person.cookie, origin: fixture.url };
  const response = await send(`${fixture.url}/api/grants/${slug}`, {
    method: 'PUT',
    body: { scopes: ['delegate'] },
    ...session,
  });
  expect(response.status).toBe(204);
}

beforeAll(async () => {
  fixture = await createTokensFixture();
  [target, alpha, beta] = [await stand('Target'), await stand('Alpha'), await stand('Beta')];
  for (let at = 0; at < GROUPS; at++) groups.push(await createGroup());
});

beforeEach(() => {
  group = groups[turn++ % GROUPS] as UserGroup;
});

async function createGroup(): Promise<UserGroup> {
  const ada = await createPerson(fixture.url, 'Ada');
  const bob = await createPerson(fixture.url, 'Bob');
  for (const [person, agent] of [
    [ada, alpha],
    [ada, beta],
    [bob, alpha],
  ] as const)
    await grant(person, agent);
  const scoped = await send(`${fixture.url}/api/auth/access-tokens`, {
    body: { name: 'narrow', scopes: ['handshake'] },
    cookie: ada.cookie,
    origin: fixture.url,
  });
  const narrow = ((await scoped.json()) as { token: string }).token;
  const device = await signInDevice(fixture.url, ada);
  const asApp = await postForm(
    `${fixture.url}/api/auth/token`,
    { grant_type: 'client_credentials', resource: `${fixture.url}/agents/${target.slug}` },
    alpha.app,
  );
  const toBeta = await passOn(alpha, await tokenFor(fixture.url, ada, alpha.slug), { to: beta });
  const tokens: Record<Credential, string> = {
    session: await bySession(ada, target),
    'access token': await tokenFor(fixture.url, ada, target.slug),
    'handshake only': await tokenFor(fixture.url, { accessToken: narrow }, target.slug),
    device: await tokenFor(fixture.url, { accessToken: device.access_token }, target.slug),
    alpha: await passOn(alpha, await tokenFor(fixture.url, ada, alpha.slug), { to: target }),
    beta: await passOn(beta, await tokenFor(fixture.url, ada, beta.slug), { to: target }),
    'alpha through beta': await passOn(beta, toBeta, { to: target }),
    'alpha by session': await passOn(alpha, await bySession(ada, alpha), { to: target }),
    app: ((await asApp.json()) as { access_token: string }).access_token,
    bob: await tokenFor(fixture.url, bob, target.slug),
    'alpha for bob': await passOn(alpha, await tokenFor(fixture.url, bob, alpha.slug), { to: target }),
  };
  // The sends of these tests are more than a chain allows.
  await query(
    'test-wide-chains',
    `INSERT INTO chain (root_task_id, principal, max_calls, max_open, ends_at, created_at)
     SELECT id, principal, 10000, 100, now() + interval '1 day', now() FROM task WHERE principal = ANY($1)
     ON CONFLICT ON CONSTRAINT chain_pkey DO UPDATE SET max_calls = excluded.max_calls`,
    [[ada.userId, bob.userId]],
  );
  return { ada, tokens, waiting: new Map(), answersToUnknown: new Map() };
}

afterAll(async () => {
  await Promise.all([target, alpha, beta].map((standing) => standing?.agent.stop()));
  await fixture?.close();
});

function line(credential: Credential, headers?: Record<string, string>): Connection {
  return { ...connectTo(target, group.tokens[credential]), headers };
}

function restConnection(credential: Credential): Connection {
  return connectToRest(target, group.tokens[credential]);
}

interface Made {
  id: string;
  contextId: string;
}

/** A task that waits for a reply. */
async function startTask(
  credential: Credential,
  extra: { messageId?: string; contextId?: string } = {},
  headers: Record<string, string> = {},
): Promise<Made> {
  // A chain refuses the same request twice.
  const text = `hello ${headers['idempotency-key'] ?? extra.messageId ?? newUuid()}`;
  const { body } = await rpc(line(credential, headers), 'message/send', message03(text, extra));
  expect(body.error).toBeUndefined();
  return body.result as Made;
}

const url = 'https://example.com/hook';
const v10 = { 'a2a-version': '1.0' };

/** The response about the task as text, without parts that differ from call to call. */
async function normalized(response: Response): Promise<string> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const [first] = await readEvents(response, (events) => events.length > 0);
    return JSON.stringify([response.status, first?.data]);
  }
  return JSON.stringify([response.status, await response.text()]);
}

function call(method: string, params: object, headers?: Record<string, string>) {
  return async (credential: Credential): Promise<string> =>
    normalized(await post(line(credential, headers), { jsonrpc: '2.0', id: 'q', method, params }));
}

function overRest(request: string, body?: object) {
  return async (credential: Credential): Promise<string> =>
    normalized(await rest(restConnection(credential), request, { body, headers: v10 }));
}

/** Every operation on a task. Cancel is last: it ends the task. */
const operations: Record<string, (id: string) => (credential: Credential) => Promise<string>> = {
  'tasks/get': (id) => call('tasks/get', { id }),
  'message/send': (taskId) => call('message/send', message03('go on', { taskId })),
  'message/stream': (taskId) => call('message/stream', message03('go on', { taskId })),
  'tasks/resubscribe': (id) => call('tasks/resubscribe', { id }),
  'tasks/pushNotificationConfig/set': (taskId) =>
    call('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id: newUuid(), url } }),
  'tasks/pushNotificationConfig/get': (id) => call('tasks/pushNotificationConfig/get', { id }),
  'tasks/pushNotificationConfig/list': (id) => call('tasks/pushNotificationConfig/list', { id }),
  'tasks/pushNotificationConfig/delete': (id) =>
    call('tasks/pushNotificationConfig/delete', { id, pushNotificationConfigId: 'x' }),
  GetTask: (id) => call('GetTask', { id }, v10),
  SendMessage: (taskId) => call('SendMessage', message10('go on', { taskId }), v10),
  SendStreamingMessage: (taskId) => call('SendStreamingMessage', message10('go on', { taskId }), v10),
  SubscribeToTask: (id) => call('SubscribeToTask', { id }, v10),
  CreateTaskPushNotificationConfig: (taskId) => call('CreateTaskPushNotificationConfig', { taskId, url }, v10),
  GetTaskPushNotificationConfig: (taskId) => call('GetTaskPushNotificationConfig', { taskId, id: 'x' }, v10),
  ListTaskPushNotificationConfigs: (taskId) => call('ListTaskPushNotificationConfigs', { taskId }, v10),
  DeleteTaskPushNotificationConfig: (taskId) => call('DeleteTaskPushNotificationConfig', { taskId, id: 'x' }, v10),
  'GET /tasks/{id}': (id) => overRest(`GET /tasks/${id}`),
  'POST /message:send': (taskId) => overRest('POST /message:send', message10('go on', { taskId })),
  'POST /message:stream': (taskId) => overRest('POST /message:stream', message10('go on', { taskId })),
  'GET /tasks/{id}:subscribe': (id) => overRest(`GET /tasks/${id}:subscribe`),
  'POST /tasks/{id}/pushNotificationConfigs': (id) => overRest(`POST /tasks/${id}/pushNotificationConfigs`, { url }),
  'GET /tasks/{id}/pushNotificationConfigs': (id) => overRest(`GET /tasks/${id}/pushNotificationConfigs`),
  'DELETE /tasks/{id}/pushNotificationConfigs/x': (id) => overRest(`DELETE /tasks/${id}/pushNotificationConfigs/x`),
  'POST /tasks/{id}:cancel': (id) => overRest(`POST /tasks/${id}:cancel`),
  CancelTask: (id) => call('CancelTask', { id }, v10),
  'tasks/cancel': (id) => call('tasks/cancel', { id }),
};

/** A task of the credential that no test changes. */
function waitingTaskOf(owner: Credential): Promise<Made> {
  const made = group.waiting.get(owner) ?? startTask(owner);
  group.waiting.set(owner, made);
  return made;
}

const unknownId = newUuid();

/** The response to the credential about a task that does not exist. */
function answerToUnknown(name: string, credential: Credential): Promise<string> {
  const key = `${name} ${credential}`;
  const answer = group.answersToUnknown.get(key) ?? operations[name]?.(unknownId)(credential) ?? Promise.resolve('');
  group.answersToUnknown.set(key, answer);
  return answer;
}

const unauthorized = credentials.flatMap((credential) =>
  credentials.filter((owner) => !reach[credential].includes(owner)).map((owner) => ({ credential, owner })),
);
const reached = credentials.flatMap((credential) => reach[credential].map((owner) => ({ credential, owner })));

// A2A 1.0 §13.1: a task that a caller may not access is reported as missing.
describe('a credential that requests a task of another credential', () => {
  test.each(unauthorized)(
    'AUZ-1 "$credential" gets the same response for a task of "$owner" as for a missing task',
    async (pair) => {
      const { id } = await waitingTaskOf(pair.owner);
      target.agent.received.length = 0;
      for (const [name, operation] of Object.entries(operations)) {
        const answered = await operation(id)(pair.credential);
        const expected = await answerToUnknown(name, pair.credential);
        expect(answered.replaceAll(id, 'ID'), name).toBe(expected.replaceAll(unknownId, 'ID'));
        expect(answered, name).toMatch(/-32001|404/);
      }
      // Parley itself polls waiting tasks.
      expect(target.agent.received.filter(({ method }) => method !== 'tasks/get')).toEqual([]);
      const { body } = await rpc(line(pair.owner), 'tasks/get', { id });
      expect(body.result).toMatchObject({ status: { state: 'input-required' } });
    },
  );

  test.each(reached)(
    'AUZ-1 "$credential" can use every operation on a task of "$owner"',
    async ({ credential, owner }) => {
      const { id } = await startTask(owner);
      for (const [name, operation] of Object.entries(operations)) {
        if (/cancel/i.test(name)) continue;
        const answered = await operation(id)(credential);
        // Configurations that do not exist are unknown, also on one's own task.
        if (!/NotificationConfigs?(\/get|$)/.test(name)) expect(answered, name).not.toMatch(/-32001|\[404/);
      }
      const { body } = await rpc(line(credential), 'tasks/cancel', { id });
      expect(body.result).toMatchObject({ id, status: { state: 'canceled' } });
    },
  );

  test.each(credentials)('AUZ-1 "%s" lists and counts exactly the tasks that it can access', async (credential) => {
    const made = new Map<string, Credential>();
    for (const owner of credentials) made.set((await startTask(owner)).id, owner);
    const { body } = await rpc(line(credential, v10), 'ListTasks', { pageSize: 100 });
    const { tasks, totalSize } = body.result as { tasks: { id: string }[]; totalSize: number };
    const seen = tasks.flatMap(({ id }) => made.get(id) ?? []);
    expect(seen.sort()).toEqual([...reach[credential]].sort());
    const all = [];
    for (let pageToken = ''; ; ) {
      const page = await rpc(line(credential, v10), 'ListTasks', { pageSize: 50, pageToken });
      const { tasks: items, nextPageToken } = page.body.result as { tasks: object[]; nextPageToken: string };
      all.push(...items);
      pageToken = nextPageToken;
      if (!pageToken) break;
    }
    expect(all).toHaveLength(totalSize);
  });
});

describe('an id sent with a delegated token', () => {
  test.each([
    ['alpha', 'session'],
    ['session', 'alpha'],
    ['beta', 'alpha'],
    ['alpha through beta', 'alpha'],
  ] as const)('AUZ-2 opens a new context for "%s" if it is the context id of "%s"', async (credential, owner) => {
    const theirs = await startTask(owner);
    target.agent.received.length = 0;
    await startTask(owner, { contextId: theirs.contextId });
    const mine = await startTask(credential, { contextId: theirs.contextId });
    expect(mine.contextId).toBe(theirs.contextId);
    const [known, opened] = target.agent.received.map(({ params }) => params.message?.contextId ?? null);
    expect(opened === null || opened !== known).toBe(true);
    const listed = async (whose: Credential): Promise<string[]> => {
      const { body } = await rpc(line(whose, v10), 'ListTasks', { contextId: theirs.contextId });
      return (body.result as { tasks: { id: string }[] }).tasks.map(({ id }) => id);
    };
    if (credential !== 'session') {
      expect(await listed(credential)).toEqual([mine.id]);
      expect(await listed(owner)).not.toContain(mine.id);
    }
    expect(await listed(owner)).toContain(theirs.id);
  });

  test.each([
    ['alpha', 'session'],
    ['beta', 'alpha'],
    ['session', 'alpha'],
  ] as const)('AUZ-2 is a separate idempotency key for "%s" and for "%s"', async (credential, owner) => {
    const messageId = newUuid();
    const key = { 'idempotency-key': `key-${newUuid()}` };
    const first = [await startTask(owner, { messageId }), await startTask(owner, {}, key)];
    const second = [await startTask(credential, { messageId }), await startTask(credential, {}, key)];
    const other = await rpc(line(credential, key), 'message/send', message03('something else'));
    expect(other.body.error).toMatchObject({ code: -32602 });
    for (const { id } of first) expect(second.map((made) => made.id)).not.toContain(id);
    const again = [await startTask(owner, { messageId }), await startTask(owner, {}, key)];
    expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  test.each(unauthorized)(
    'AUZ-1 does not let "$credential" reference a task of "$owner"',
    async ({ credential, owner }) => {
      const { id } = await waitingTaskOf(owner);
      const normalized = async (referenced: string): Promise<string> => {
        const { body } = await rpc(
          line(credential),
          'message/send',
          message03('see', { referenceTaskIds: [referenced] }),
        );
        expect(body.error?.code).toBe(-32602);
        return JSON.stringify(body.error).replaceAll(referenced, 'ID');
      };
      expect(await normalized(id)).toBe(await normalized(unknownId));
    },
  );

  test('AUZ-2 identifies separate tasks for two credentials with the same client id (A2A 0.1)', async () => {
    const id = `order-${newUuid()}`;
    const params = { id, message: { role: 'user', parts: [{ type: 'text', text: 'one pizza' }] } };
    const ask = (credential: Credential, text: string) =>
      rpc(line(credential), 'tasks/send', {
        ...params,
        message: { role: 'user', parts: [{ type: 'text', text }] },
      });
    expect((await ask('session', 'hers')).body.result).toMatchObject({ id });
    target.agent.received.length = 0;
    expect((await rpc(line('alpha'), 'tasks/get', { id })).body.error).toMatchObject({ code: -32001 });
    expect((await ask('alpha', 'its own')).body.result).toMatchObject({ id });
    expect((await ask('beta', 'another')).body.result).toMatchObject({ id });
    // Parley also polls tasks of earlier tests.
    const sent = target.agent.received.filter(({ method }) => method !== 'tasks/get');
    expect(sent.map(({ params: { message } }) => message?.taskId)).toEqual([undefined, undefined]);
    const { body } = await rpc(line('session'), 'tasks/get', { id, historyLength: 10 });
    expect(JSON.stringify(body.result)).toContain('hers');
    expect(JSON.stringify(body.result)).not.toContain('its own');
  });

  test('AUZ-1 does not let the token read, replace or delete a push receiver that the user registered', async () => {
    const { id } = await startTask('alpha');
    const secret = {
      id: 'mine',
      url,
      token: 'for-her-receiver',
      authentication: { schemes: ['Bearer'], credentials: 'x' },
    };
    const set = { taskId: id, pushNotificationConfig: secret };
    await rpc(line('session'), 'tasks/pushNotificationConfig/set', set);
    const get = { id, pushNotificationConfigId: 'mine' };
    expect((await rpc(line('alpha'), 'tasks/pushNotificationConfig/get', get)).body.error?.code).toBe(-32001);
    expect((await rpc(line('alpha'), 'tasks/pushNotificationConfig/list', { id })).body.result).toEqual([]);
    await rpc(line('alpha'), 'tasks/pushNotificationConfig/delete', get);
    const overRest = { taskId: id, pushNotificationConfig: { ...secret, url: 'https://example.org/theirs' } };
    expect((await rpc(line('alpha'), 'tasks/pushNotificationConfig/set', overRest)).body.error?.code).toBe(-32602);
    const { body } = await rpc(line('session'), 'tasks/pushNotificationConfig/get', get);
    expect(body.result).toMatchObject({ pushNotificationConfig: { url, token: 'for-her-receiver' } });
  });

  test('belongs to the same delegation after the app’s secret is rotated or fewer scopes are requested', async () => {
    const { id } = await startTask('alpha');
    const added = await send(`${fixture.url}/api/apps/${alpha.app.id}/secrets`, {
      method: 'POST',
      bearer: fixture.developer.accessToken,
    });
    const { clientSecret } = (await added.json()) as NewClientSecret;
    const app = { ...alpha.app, clientSecret };
    const token = await passOn(alpha, await tokenFor(fixture.url, group.ada, alpha.slug), { to: target, app });
    expect((await rpc(connectTo(target, token), 'tasks/get', { id })).body.result).toMatchObject({ id });
  });
});
