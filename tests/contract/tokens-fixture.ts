import { createPrivateKey, type KeyObject } from 'node:crypto';
import { unseal } from '@/lib/platform/secrets/crypto';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

/** A developer who has an app and an agent, and a user who calls it. */
export interface TokensFixture {
  url: string;
  agent: ScriptedAgent;
  slug: string;
  developer: Person;
  caller: Person;
  app: NewClientSecret;
  close(): Promise<void>;
}

/** A fixture with a Parley of its own, which a file may restart. */
export interface OwnTokensFixture extends TokensFixture {
  parley: Parley;
}

/** The fixture in the Parley that the files of this worker share. */
export async function createTokensFixture(): Promise<TokensFixture> {
  return createFixtureIn(await sharedParley());
}

/** The fixture in a Parley of its own, which `close` stops. */
export async function startTokensFixture(): Promise<OwnTokensFixture> {
  const parley = await startParley({
    env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', TRUSTED_PROXIES: '127.0.0.1,::1' },
  });
  const fixture = await createFixtureIn(parley);
  const close = async (): Promise<void> => {
    await parley.stop();
    await fixture.close();
  };
  return { ...fixture, parley, close };
}

async function createFixtureIn({ url }: { url: string }): Promise<TokensFixture> {
  const agent = await ScriptedAgent.start({ name: 'Who calls' });
  const developer = await createPerson(url, 'Dora');
  const caller = await createPerson(url, 'Carl');
  const app = await createApp(url, developer);
  const slug = await listAgent(url, developer, { url: agent.url, appId: app.id });
  return { url, agent, slug, developer, caller, app, close: () => agent.stop() };
}

export async function createApp(url: string, owner: Person, name = 'My agents'): Promise<NewClientSecret> {
  const response = await send(`${url}/api/apps`, { body: { name }, bearer: owner.accessToken });
  if (response.status !== 201) throw new Error(`app: ${response.status} ${await response.text()}`);
  return (await response.json()) as NewClientSecret;
}

/** The credentials of an app as `Authorization` header (RFC 6749 §2.3.1). */
export function basic({ clientId, clientSecret }: { clientId: string; clientSecret: string }): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** One introspection; `form` and `headers` replace or extend the request of a valid client. */
export function introspect(
  { url, app }: Pick<TokensFixture, 'url' | 'app'>,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/api/auth/introspect`, {
    method: 'POST',
    headers: { authorization: basic(app), 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  });
}

/** One form posted to an OAuth endpoint, by an app or by a public client. */
export function postForm(
  address: string,
  form: Record<string, string>,
  app?: { clientId: string; clientSecret: string },
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(app && { authorization: basic(app) }),
    },
    body: new URLSearchParams(form).toString(),
  });
}

/** The tokens of a device that `person` approves. */
export async function signInDevice(url: string, person: Person, scope?: string): Promise<DeviceTokens> {
  const client = { client_id: 'parley-cli' };
  const started = await postForm(`${url}/api/auth/device`, { ...client, ...(scope && { scope }) });
  const { device_code, user_code } = (await started.json()) as { device_code: string; user_code: string };
  const decided = await send(`${url}/api/auth/device/decide`, {
    body: { userCode: user_code, allow: true },
    cookie: person.cookie,
    origin: url,
  });
  if (decided.status !== 204) throw new Error(`decide: ${decided.status} ${await decided.text()}`);
  const form = { ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code };
  const response = await postForm(`${url}/api/auth/token`, form);
  if (response.status !== 200) throw new Error(`token: ${response.status} ${await response.text()}`);
  return (await response.json()) as DeviceTokens;
}

export interface DeviceTokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

/** The current signing key, read from the database as an operator with both secrets could. */
export async function signingKey(): Promise<{ kid: string; privateKey: KeyObject }> {
  const [row] = await query<{ kid: string; sealed: string }>(
    'test-signing-key',
    `SELECT kid, private_sealed AS sealed FROM signing_key
     WHERE purpose = 'token' AND signs_from <= now() ORDER BY signs_from DESC LIMIT 1`,
  );
  if (!row) throw new Error('there is no signing key');
  return { kid: row.kid, privateKey: createPrivateKey(unseal('signing-key', row.sealed)) };
}
