import { connect } from 'node:net';
import type { ParleyError, ProtectOptions } from '@parley/agent';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, send, tokenFor } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { frameworks, type ProtectedAgent, startProtected } from '../support/protected-agents';
import { goodToken, hostileTokens, twin } from '../unit/tokens/hostile-tokens';
import { createApp, createTokensFixture, signingKey, type TokensFixture } from './tokens-fixture';

let fixture: TokensFixture;
let otherAgent: ScriptedAgent;
/** Every request that a guard sent to Parley. */
const asked: string[] = [];
/** A port on which nothing listens. */
let unused: number;
/** While true, the guards' requests are sent to a port on which nothing listens. */
let isUnreachable = false;

beforeAll(async () => {
  otherAgent = await ScriptedAgent.start({ name: 'Another one' });
  fixture = await createTokensFixture();
  unused = await freePort();
});

afterAll(async () => {
  await fixture?.close();
  await otherAgent?.stop();
});

function options(changes: Partial<ProtectOptions> = {}): ProtectOptions {
  const { url, slug: agent, app } = fixture;
  return {
    url,
    agent,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    fetch(address, init) {
      const target = new URL(address);
      asked.push(target.pathname);
      if (isUnreachable) target.port = String(unused);
      return fetch(target, init);
    },
    onUnavailable: () => undefined,
    ...changes,
  };
}

const newToken = (): Promise<string> => tokenFor(fixture.url, fixture.caller, fixture.slug);

/** A valid token with other claims, signed by Parley's own key. */
async function signed(changes: Record<string, unknown>): Promise<string> {
  const claims = { ...decodeJwt(await newToken()), ...changes };
  return goodToken({ ...(await signingKey()), claims, canary: 'http://127.0.0.1:9' });
}

function call({ url }: ProtectedAgent, headers: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', headers });
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const seconds = (): number => Math.floor(Date.now() / 1000);

/** A token for another agent of the same developer, which their app may introspect too. */
async function tokenOfOtherAgent(): Promise<string> {
  const slug = await listAgent(fixture.url, fixture.developer, { url: otherAgent.url, appId: fixture.app.id });
  return tokenFor(fixture.url, fixture.caller, slug);
}

/** A token of a user who has signed out since. */
async function revokedToken(): Promise<string> {
  const formerUser = await createPerson(fixture.url, 'Gone');
  const list = await send(`${fixture.url}/api/auth/access-tokens`, { cookie: formerUser.cookie });
  const { items } = (await list.json()) as { items: { id: string }[] };
  const token = await tokenFor(fixture.url, formerUser, fixture.slug);
  for (const { id } of items) {
    await send(`${fixture.url}/api/auth/access-tokens/${id}`, {
      method: 'DELETE',
      cookie: formerUser.cookie,
      origin: fixture.url,
    });
  }
  return token;
}

interface Case {
  name: string;
  headers: () => Promise<Record<string, string>> | Record<string, string>;
  status: number;
  /** The challenge between realm and metadata; null: there is none. */
  error: string | null;
}

const invalid =
  'error="invalid_token", error_description="The token is malformed, expired, revoked or issued for another agent.", ';
const malformed =
  'error="invalid_request", error_description="Expected one Authorization header with the scheme Bearer and one token.", ';
const cases: Case[] = [
  { name: 'a valid token', headers: async () => bearer(await newToken()), status: 200, error: null },
  {
    name: 'a valid token with the scheme in lower case',
    headers: async () => ({ authorization: `bearer ${await newToken()}` }),
    status: 200,
    error: null,
  },
  {
    name: 'a valid token next to a credential of the agent’s owner',
    headers: async () => ({ 'parley-token': await newToken(), authorization: 'Bearer for-the-agent-itself' }),
    status: 200,
    error: null,
  },
  {
    name: 'an invalid token and a valid one in the ignored header',
    headers: async () => ({ 'parley-token': 'stolen', ...bearer(await newToken()) }),
    status: 401,
    error: invalid,
  },
  { name: 'no token', headers: () => ({}), status: 401, error: '' },
  { name: 'another scheme', headers: () => ({ authorization: 'Basic YTpi' }), status: 401, error: '' },
  { name: 'a scheme without a token', headers: () => ({ authorization: 'Bearer ' }), status: 400, error: malformed },
  {
    name: 'two tokens in one header',
    headers: async () => ({ authorization: `Bearer ${await newToken()}, Bearer ${await newToken()}` }),
    status: 400,
    error: malformed,
  },
  { name: 'a text that is not a token', headers: () => bearer('stolen'), status: 401, error: invalid },
  { name: 'quotes in the token', headers: () => bearer('a"b\\"c'), status: 401, error: invalid },
  { name: 'a token of 20 kB', headers: () => bearer('x'.repeat(12_000)), status: 401, error: invalid },
  {
    name: 'an expired token',
    headers: async () => bearer(await signed({ iat: seconds() - 1_000, exp: seconds() - 100 })),
    status: 401,
    error: invalid,
  },
  {
    name: 'a token whose lifetime is too long',
    headers: async () => bearer(await signed({ exp: seconds() + 86_400 })),
    status: 401,
    error: invalid,
  },
  {
    name: 'a token for another agent',
    headers: async () => bearer(await tokenOfOtherAgent()),
    status: 401,
    error: invalid,
  },
  {
    name: 'a token of another issuer',
    headers: async () => bearer(await signed({ iss: 'https://evil.example' })),
    status: 401,
    error: invalid,
  },
  {
    name: 'a bearer token that is bound to a key',
    headers: async () => bearer(await signed({ cnf: { jkt: 'x'.repeat(43) } })),
    status: 401,
    error: invalid,
  },
  { name: 'a revoked token', headers: async () => bearer(await revokedToken()), status: 401, error: invalid },
  { name: 'a personal access token', headers: () => bearer(fixture.caller.accessToken), status: 401, error: invalid },
  {
    name: 'a token with another scope',
    headers: async () => bearer(await signed({ scope: 'profile' })),
    status: 403,
    error:
      'error="insufficient_scope", error_description="The token lacks the scope agent:call.", scope="agent:call", ',
  },
];

describe.each(frameworks)('an agent in %s behind protect()', (framework) => {
  let agent: ProtectedAgent;

  beforeAll(async () => {
    agent = await startProtected(framework, options());
  });
  afterAll(() => agent?.stop());

  it.each(cases)('RS-1 RS-2 responds to $name with $status', async ({ headers, status, error }) => {
    const before = agent.calls();
    const response = await call(agent, await headers());
    expect(response.status).toBe(status);
    const metadata = `resource_metadata="${fixture.url}/.well-known/oauth-protected-resource/agents/${fixture.slug}"`;
    const challenge = error === null ? null : `Bearer realm="parley", ${error}${metadata}`;
    expect(response.headers.get('www-authenticate')).toBe(challenge);
    expect(agent.calls() - before).toBe(status === 200 ? 1 : 0);
    if (status !== 200) expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('passes the caller to the handler', async () => {
    const token = await newToken();
    const claims = decodeJwt(token);
    expect(await (await call(agent, bearer(token))).json()).toEqual({
      subject: claims.sub,
      clientId: 'parley-cli',
      scopes: ['agent:call'],
      email: null,
      actors: [],
      expiresAt: claims.exp,
      claims,
    });
  });

  it('RS-2 reads no token from the query', async () => {
    const response = await fetch(`${agent.url}?access_token=${await newToken()}`, { method: 'POST' });
    expect(response.status).toBe(401);
  });

  it('RS-2 rejects two Authorization headers, even if the first is valid', async () => {
    const { hostname, port, pathname } = new URL(agent.url);
    const lines = [`Authorization: Bearer ${await newToken()}`, 'Authorization: Bearer other'];
    const head = [`POST ${pathname} HTTP/1.1`, 'Host: agent', 'Connection: close', 'Content-Length: 0', ...lines];
    const socket = connect(Number(port), hostname);
    socket.end(`${head.join('\r\n')}\r\n\r\n`);
    let reply = '';
    for await (const chunk of socket) reply += chunk;
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('rejects every caller while Parley is unreachable, tells the developer, and recovers afterwards', async () => {
    const errors: ParleyError[] = [];
    const cut = await startProtected(framework, options({ onUnavailable: (error) => errors.push(error) }));
    try {
      const [known, unknown] = [await newToken(), await newToken()];
      expect((await call(cut, bearer(known))).status).toBe(200);
      isUnreachable = true;
      expect((await call(cut, bearer(known))).status).toBe(200);
      const refused = await call(cut, bearer(unknown));
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(refused.headers.get('www-authenticate')).toBeNull();
      expect(errors.map(({ code }) => code)).toEqual(['unreachable']);
      isUnreachable = false;
      expect((await call(cut, bearer(unknown))).status).toBe(200);
      expect(cut.calls()).toBe(3);
    } finally {
      isUnreachable = false;
      await cut.stop();
    }
  });

  it('rejects every caller if its own credentials are wrong', async () => {
    const errors: ParleyError[] = [];
    const changes = { clientSecret: 'wrong', onUnavailable: (error: ParleyError) => errors.push(error) };
    const misconfigured = await startProtected(framework, options(changes));
    expect((await call(misconfigured, bearer(await newToken()))).status).toBe(503);
    expect(errors[0]).toMatchObject({ code: 'invalid_client', status: 401 });
    await misconfigured.stop();
  });
});

describe('a guard’s requests to Parley', () => {
  async function countOf(path: string, work: () => Promise<unknown>): Promise<number> {
    asked.length = 0;
    await work();
    return asked.filter((found) => found === path).length;
  }

  it('fetch the keys once and the token once for a hundred concurrent requests', async () => {
    const agent = await startProtected('fetch', options());
    const token = await newToken();
    const ask = () => Promise.all(Array.from({ length: 100 }, async () => (await call(agent, bearer(token))).status));
    expect(await countOf('/.well-known/jwks.json', ask)).toBe(1);
    expect(asked.filter((path) => path === '/api/auth/introspect')).toHaveLength(1);
    expect(agent.calls()).toBe(100);
    await agent.stop();
  });

  it('are omitted for tokens that fail verification with the cached keys', async () => {
    const agent = await startProtected('fetch', options());
    await call(agent, bearer(await newToken()));
    const refused = [await signed({ iss: 'https://evil.example' }), `${await newToken()}x`, 'stolen'];
    const ask = async () => {
      for (const token of refused) expect((await call(agent, bearer(token))).status).toBe(401);
    };
    expect(await countOf('/api/auth/introspect', ask)).toBe(0);
    await agent.stop();
  });

  it('are repeated if the cached result is too old, and a token revoked since then is rejected', async () => {
    let now = Date.now();
    const agent = await startProtected('fetch', options({ now: () => now }));
    const formerUser = await createPerson(fixture.url, 'Leaves');
    const token = await tokenFor(fixture.url, formerUser, fixture.slug);
    expect((await call(agent, bearer(token))).status).toBe(200);
    const list = await send(`${fixture.url}/api/auth/access-tokens`, { cookie: formerUser.cookie });
    const { items } = (await list.json()) as { items: { id: string }[] };
    const target = `${fixture.url}/api/auth/access-tokens/${items[0]?.id}`;
    await send(target, { method: 'DELETE', cookie: formerUser.cookie, origin: fixture.url });
    now += 29_999;
    expect((await call(agent, bearer(token))).status).toBe(200);
    now += 1;
    expect((await call(agent, bearer(token))).status).toBe(401);
    // A negative result is cached as well: a stolen token cannot use up this agent's limit.
    expect(await countOf('/api/auth/introspect', () => call(agent, bearer(token)))).toBe(0);
    await agent.stop();
  });

  it('lead to a rejection if the caller is authorized only for another developer’s app', async () => {
    const other = await createApp(fixture.url, fixture.caller, 'Another');
    const agent = await startProtected(
      'fetch',
      options({ clientId: other.clientId, clientSecret: other.clientSecret }),
    );
    expect((await call(agent, bearer(await newToken()))).status).toBe(401);
    await agent.stop();
  });
});

it('KEY-1 KEY-2 KEY-3 KEY-4 KEY-5 a guard rejects every hostile token, and fetches no URL from one', async () => {
  // Nothing is cached: most of these claim the id of a valid token.
  const agent = await startProtected('fetch', options({ rememberSeconds: 0 }));
  const claims = decodeJwt(await newToken());
  const forge = { ...(await signingKey()), claims, canary: 'http://127.0.0.1:9' };
  expect((await call(agent, bearer(goodToken(forge)))).status).toBe(200);
  const letIn: string[] = [];
  for (const { name, token } of hostileTokens(forge)) {
    const sendable = /^[\x21-\x7e]+$/.test(token) && token.length < 12_000;
    if (!sendable) continue;
    const { status } = await call(agent, bearer(token));
    if (status !== 401) letIn.push(`${status} ${name}`);
  }
  expect(letIn).toEqual([]);
  expect(new Set(asked)).toEqual(new Set(['/.well-known/jwks.json', '/api/auth/introspect']));
  expect((await call(agent, bearer(twin(goodToken(forge))))).status).toBe(401);
  await agent.stop();
});
