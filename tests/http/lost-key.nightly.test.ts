import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  rpc,
  send,
  testPassword,
  tokenFor,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
const page = 'docs/operations/keys.md';
const statements = /If it is lost[\s\S]*?```sql\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8'))?.[1] ?? '';

let agent: ScriptedAgent;
let parley: Parley;
/** The origin of both nodes. The second one has another port. */
let origin: string;
let person: Person;
let app: NewClientSecret;
let slug: string;
let oldToken: string;
let oldTask: string;

const endpoint = (): string => `${parley.url}/agents/${slug}/a2a/jsonrpc`;

const subjectOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;

function introspect(token: string, { clientId, clientSecret }: NewClientSecret): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const body = new URLSearchParams({ token });
  return fetch(`${parley.url}/api/auth/introspect`, { method: 'POST', headers: { authorization }, body });
}

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Lost key' });
  parley = await startParley({ env });
  origin = parley.url;
  person = await createPerson(origin, 'Kim');
  const made = await send(`${parley.url}/api/apps`, { body: { name: 'lost' }, bearer: person.accessToken });
  app = (await made.json()) as NewClientSecret;
  slug = await listAgent(parley.url, person, { url: agent.url, appId: app.id });
  await send(`${parley.url}/api/agents/${slug}/credentials`, {
    method: 'PUT',
    body: { kind: 'bearer', token: 'only the old key decrypts this' },
    bearer: person.accessToken,
  });
  oldToken = await tokenFor(parley.url, person, slug);
  const connection = { url: endpoint(), token: oldToken };
  const sent = await rpc(connection, 'message/send', message03('before'));
  oldTask = (sent.body.result as { id: string }).id;
  const pushNotificationConfig = { url: agent.url, token: 'secret' };
  await rpc(connection, 'tasks/pushNotificationConfig/set', { taskId: oldTask, pushNotificationConfig });
  const { databaseUrl } = parley;
  await parley.kill('SIGTERM');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statements);
  await client.end();
  parley = await startParley({
    databaseUrl,
    env: { ...env, KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url'), APP_URL: origin },
  });
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

test('the docs page about a lost key lists the required SQL statements', () => {
  expect(statements.match(/DELETE FROM \w+;/g)).toEqual(
    ['signing_key', 'agent_credential', 'push_config', 'web_push_device', 'root_secret'].map(
      (table) => `DELETE FROM ${table};`,
    ),
  );
});

test('the lost key’s tokens and secrets are rejected: agent tokens, access tokens, client secrets', async () => {
  expect((await post({ url: endpoint(), token: oldToken }, '{}')).status).toBe(401);
  expect((await send(`${parley.url}/api/apps`, { method: 'GET', bearer: person.accessToken })).status).toBe(401);
  expect((await introspect(oldToken, app)).status).toBe(401);
});

test('accounts, listings and tasks survive the replacement of a lost key, and new tokens and secrets work', async () => {
  const signedIn = await send(`${parley.url}/api/auth/local`, {
    body: { email: person.email, password: testPassword },
    origin,
  });
  expect([signedIn.status, await signedIn.text()]).toEqual([204, '']);
  const created = await send(`${parley.url}/api/auth/access-tokens`, {
    body: { name: 'new' },
    cookie: person.cookie,
    origin,
  });
  expect(created.status, await created.clone().text()).toBe(201);
  const { token: accessToken } = (await created.json()) as { token: string };
  const token = await tokenFor(parley.url, { accessToken }, slug);
  expect(subjectOf(token)).not.toBe(subjectOf(oldToken));
  const connection = { url: endpoint(), token };
  expect((await rpc(connection, 'tasks/get', { id: oldTask })).body.result).toMatchObject({ id: oldTask });
  const { body } = await rpc(connection, 'message/send', message03('after'));
  expect(body.error).toBeUndefined();
  expect(JSON.stringify(agent.received.at(-1)?.headers)).not.toContain('only the old key');
  const secret = await send(`${parley.url}/api/apps`, { body: { name: 'new' }, bearer: accessToken });
  expect((await introspect(token, (await secret.json()) as NewClientSecret)).status).toBe(200);
});
