import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessTokenView, NewClientSecret } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message03, type Person, post, send, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';

/** The maximum time until a node sees another's change. */
const bound = { timeout: 1_000, interval: 10 };

let agent: ScriptedAgent;
let one: Parley;
let two: Parley;
let developer: Person;
let app: NewClientSecret;
let slug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Two nodes' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'debug' };
  one = await startParley({ env });
  // One origin for both, as behind a load balancer: tokens of one node are valid at the other too.
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  developer = await createPerson(one.url, 'Dora');
  const made = await send(`${one.url}/api/apps`, { body: { name: 'both nodes' }, bearer: developer.accessToken });
  app = (await made.json()) as NewClientSecret;
  slug = await listAgent(one.url, developer, { url: agent.url, appId: app.id });
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
});

/** A node's introspection of a token, or the status of its refusal. */
async function ask(node: Parley, token: string, client: NewClientSecret = app): Promise<unknown> {
  const pair = `${client.clientId}:${client.clientSecret}`;
  const response = await fetch(`${node.url}/api/auth/introspect`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ token }).toString(),
  });
  return response.status === 200 ? ((await response.json()) as { active: boolean }).active : response.status;
}

function bySession(person: Person, path: string, call: { method?: string; body?: object } = {}): Promise<Response> {
  return send(`${one.url}${path}`, { ...call, cookie: person.cookie, origin: one.url });
}

describe('a revocation on one node', () => {
  it('REV-2 GDPR-1 ends all of a deleted account’s credentials on the other within a second', async () => {
    const person = await createPerson(one.url, 'Gone');
    const made = await send(`${one.url}/api/apps`, { body: { name: 'gone' }, bearer: person.accessToken });
    const own = (await made.json()) as NewClientSecret;
    const token = await tokenFor(one.url, person, slug);
    const apps = () => send(`${two.url}/api/apps`, { bearer: person.accessToken });
    const sessions = () => send(`${two.url}/api/auth/sessions`, { cookie: person.cookie });
    expect([await ask(two, token), await ask(two, 'x', own)]).toEqual([true, false]);
    expect([(await apps()).status, (await sessions()).status]).toEqual([200, 200]);
    const body = { email: person.email, password: 'correct horse battery' };
    expect((await bySession(person, '/api/account/deletion', { body })).status).toBe(204);
    expect([await ask(one, token), await ask(one, 'x', own)]).toEqual([false, 401]);
    const dead = async (): Promise<unknown[]> => [
      await ask(two, token),
      await ask(two, 'x', own),
      (await apps()).status,
      (await sessions()).status,
    ];
    await expect.poll(dead, bound).toEqual([false, 401, 401, 401]);
  });

  it('INT-10 makes an access token’s agent tokens inactive on the other within a second', async () => {
    const person = await createPerson(one.url, 'Pat');
    const token = await tokenFor(one.url, person, slug);
    expect([await ask(one, token), await ask(two, token)]).toEqual([true, true]);
    const { items } = (await (await bySession(person, '/api/auth/access-tokens')).json()) as {
      items: AccessTokenView[];
    };
    expect((await bySession(person, `/api/auth/access-tokens/${items[0]?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await ask(one, token)).toBe(false);
    await expect.poll(() => ask(two, token), bound).toBe(false);
    const again = await send(`${two.url}/api/auth/handshake`, {
      body: { agentSlug: slug },
      bearer: person.accessToken,
    });
    expect(again.status).toBe(401);
  });

  it('INT-10 makes a withdrawn agent’s tokens inactive on the other within a second', async () => {
    const server = await ScriptedAgent.start({ name: 'Withdrawn' });
    const gone = await listAgent(one.url, developer, { url: server.url, appId: app.id });
    const token = await tokenFor(two.url, developer, gone);
    expect([await ask(one, token), await ask(two, token)]).toEqual([true, true]);
    await bySession(developer, `/api/agents/${gone}`, { method: 'DELETE' });
    await expect.poll(() => ask(two, token), bound).toBe(false);
    await server.stop();
  });

  it('TOK-10 makes a secret invalid on the other within a second', async () => {
    const made = await bySession(developer, '/api/apps', { body: { name: 'leaked' } });
    const leaked = (await made.json()) as NewClientSecret;
    expect(await ask(two, 'x', leaked)).toBe(false);
    await bySession(developer, `/api/apps/${leaked.id}/secrets/${leaked.secrets[0]?.id}`, { method: 'DELETE' });
    expect(await ask(one, 'x', leaked)).toBe(401);
    await expect.poll(() => ask(two, 'x', leaked), bound).toBe(401);
  });
});

describe('a node that receives no data from the database', () => {
  it('returns no wrong result, and is correct again once the database responds', async () => {
    const person = await createPerson(one.url, 'Lisa');
    const token = await tokenFor(one.url, person, slug);
    expect(await ask(two, token)).toBe(true);
    await query(
      'test-deaf',
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    const { items } = (await (await bySession(person, '/api/auth/access-tokens')).json()) as {
      items: AccessTokenView[];
    };
    await bySession(person, `/api/auth/access-tokens/${items[0]?.id}`, { method: 'DELETE' });
    await expect.poll(() => ask(two, token), bound).toBe(false);
    await expect.poll(() => ask(one, token), bound).toBe(false);
  });
});

describe('a token forwarded to an agent', () => {
  it('is valid only for introspection', async () => {
    const person = await createPerson(one.url, 'Uma');
    const line = { url: `${one.url}/agents/${slug}/a2a/jsonrpc`, token: await tokenFor(one.url, person, slug) };
    agent.received.length = 0;
    await (await post(line, call())).text();
    const upstream = String(agent.messages[0]?.headers.authorization).replace('Bearer ', '');
    expect(upstream).not.toBe(line.token);
    expect([await ask(one, upstream), await ask(two, upstream)]).toEqual([true, true]);

    expect((await post({ ...line, token: upstream }, call())).status).toBe(401);
    expect((await post({ ...line, token: upstream, headers: { 'a2a-version': '1.0' } }, call())).status).toBe(401);
    for (const path of ['/api/auth/handshake', '/api/auth/access-tokens', '/api/apps', '/api/agents']) {
      const refused = await send(`${one.url}${path}`, {
        body: { agentSlug: slug, name: 'x', url: 'x' },
        bearer: upstream,
      });
      expect(refused.status, path).toBe(401);
    }
    const asClient = { ...app, clientSecret: upstream };
    expect(await ask(one, line.token, asClient)).toBe(401);
  });
});

describe('the data that a node stores', () => {
  it('TOK-9 LOG-1 INT-1 contains no token or secret in any table or log line', async () => {
    const person = await createPerson(one.url, 'Max');
    const token = await tokenFor(one.url, person, slug);
    expect(await ask(one, token)).toBe(true);
    expect(await ask(one, `${token}tampered`)).toBe(false);
    await send(`${one.url}/api/auth/introspect?token=${token}`, {});
    await send(`${one.url}/api/auth/introspect?token=${token}`, { method: 'POST', bearer: token, body: { token } });
    agent.received.length = 0;
    await (await post({ url: `${one.url}/agents/${slug}/a2a/jsonrpc`, token }, call())).text();
    const upstream = agent.received.map(({ headers }) => String(headers.authorization ?? '').replace('Bearer ', ''));
    expect(upstream.length).toBeGreaterThan(0);

    const secrets = {
      'client secret': app.clientSecret,
      'access token': person.accessToken,
      'session cookie': person.cookie.split('=')[1] ?? '',
      'agent token': token,
      'upstream token': upstream[0] ?? '',
    };
    const dumped = `${await dump()}\n${one.output()}\n${two.output()}`;
    expect(dumped).toContain(app.clientId);
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThan(40);
      expect(dumped.includes(secret), name).toBe(false);
      // The part that authenticates it is also missing: a signature, the random part.
      expect(dumped.includes(secret.slice(-40)), `end of the ${name}`).toBe(false);
    }
    expect(dumped).not.toContain('PRIVATE KEY');
    expect(dumped).not.toContain(String(decodeJwt(token).jti));
  });

  it('TOK-9 contains no usable credential', async () => {
    const rows = await query<{ kept: string }>(
      'test-hashes',
      'SELECT secret_hash AS kept FROM app_secret UNION SELECT token_hash FROM access_token',
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { kept } of rows) {
      expect(await ask(one, 'x', { ...app, clientSecret: kept })).toBe(401);
      expect((await send(`${one.url}/api/apps`, { bearer: kept })).status).toBe(401);
    }
  });
});

function call(): object {
  return { jsonrpc: '2.0', id: 1, method: 'message/send', params: message03('who am I') };
}

/** Every row of every table as text. */
async function dump(): Promise<string> {
  const tables = await query<{ name: string }>(
    'test-tables',
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await query<{ row: string }>(`test-dump-${name}`, `SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}
