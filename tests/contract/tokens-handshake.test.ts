import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '@/lib/platform/bus';
import type { Handshake } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person, send, tokenFor } from '../support/fixtures';
import { query } from '../support/sql';
import { goodToken } from '../unit/tokens/hostile-tokens';
import { createTokensFixture, signingKey, type TokensFixture } from './tokens-fixture';

describe('the handshake', () => {
  let fixture: TokensFixture;

  beforeAll(async () => {
    fixture = await createTokensFixture();
  });

  afterAll(async () => {
    await fixture?.close();
  });

  function handshake(call: Parameters<typeof send>[1]): Promise<Response> {
    return send(`${fixture.url}/api/auth/handshake`, { method: 'POST', body: { agentSlug: fixture.slug }, ...call });
  }

  it('TOK-1 returns a token for one agent, with the agent’s address, to the holder of an access token', async () => {
    const response = await handshake({ bearer: fixture.caller.accessToken });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as Handshake;
    const agentUrl = `${fixture.url}/agents/${fixture.slug}`;
    expect(body).toEqual({
      token: body.token,
      tokenType: 'Bearer',
      agentUrl,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
      expiresIn: 900,
      scope: 'agent:call',
    });
    expect(Date.parse(body.expiresAt) / 1000).toBe(decodeJwt(body.token).exp);
  });

  it('TOK-1 KEY-6 signs the token so that any verifier with our JWKS accepts it', async () => {
    const token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
    const keys = createRemoteJWKSet(new URL(`${fixture.url}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: fixture.url,
      audience: `${fixture.url}/agents/${fixture.slug}`,
      algorithms: ['RS256'],
      typ: 'at+jwt',
      requiredClaims: ['iss', 'sub', 'aud', 'client_id', 'iat', 'exp', 'jti', 'scope'],
    });
    expect(protectedHeader.kid).toMatch(/^tok-/);
    expect(payload.client_id).toBe('parley-cli');
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(900);
    expect(payload).not.toHaveProperty('email');
  });

  it('accepts a session from the same origin, and names the web client in client_id', async () => {
    const response = await handshake({ cookie: fixture.caller.cookie, origin: fixture.url });
    expect(response.status).toBe(200);
    const { token } = (await response.json()) as Handshake;
    expect(decodeJwt(token).client_id).toBe('parley-web');
  });

  it.each([undefined, 'https://evil.example', 'null'])(
    'CSRF-1 rejects a session with the origin %s',
    async (origin) => {
      const response = await handshake({ cookie: fixture.caller.cookie, ...(origin && { origin }) });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'origin_required' });
    },
  );

  it('accepts a trailing slash in the path', async () => {
    const response = await send(`${fixture.url}/api/auth/handshake/`, {
      body: { agentSlug: fixture.slug },
      bearer: fixture.caller.accessToken,
    });
    expect(response.status).toBe(200);
  });

  describe('TOK-2 rejects', () => {
    const metadata = (): string =>
      `resource_metadata="${fixture.url}/.well-known/oauth-protected-resource/api/auth/handshake"`;

    it.each([{}, { agentSlug: '' }, { agentSlug: 7 }, { agentSlug: ['a'] }, { slug: 'a' }, [], null])(
      'a body without a slug: %j',
      async (body) => {
        const response = await handshake({ bearer: fixture.caller.accessToken, body });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ code: 'invalid_request' });
      },
    );

    it('RS-1 a request without credentials, with 401 and a challenge that names no error', async () => {
      const response = await handshake({});
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(`Bearer realm="parley", ${metadata()}`);
    });

    it.each([
      ['garbage', 'garbage'],
      ['an unknown access token', `parley_pat_${'0'.repeat(20)}${'A'.repeat(43)}`],
      ['quotes', 'a"b'],
      ['a nested scheme', 'Basic abc'],
    ])('RS-1 %s as a bearer token, with 401 invalid_token and without repeating the value', async (_name, bearer) => {
      const response = await handshake({ bearer });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="parley", error="invalid_token", ${metadata()}`,
      );
      expect(await response.json()).toMatchObject({ code: 'invalid_token' });
    });

    it('RS-1 a wrong secret with a known id', async () => {
      const { accessToken } = fixture.caller;
      const changed = accessToken.slice(0, -2) + (accessToken.endsWith('AA') ? 'BB' : 'AA');
      expect((await handshake({ bearer: changed })).status).toBe(401);
    });

    it('RS-1 an access token without the scope, with 403 insufficient_scope', async () => {
      const limited = await accessToken(fixture.caller, ['agents:read']);
      const response = await handshake({ bearer: limited });
      expect(response.status).toBe(403);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer realm="parley", error="insufficient_scope", scope="handshake", ${metadata()}`,
      );
      expect(await response.json()).toMatchObject({ code: 'insufficient_scope' });
    });

    it('RS-2 a token outside the Authorization header', async () => {
      const { accessToken: token } = fixture.caller;
      const inQuery = await send(`${fixture.url}/api/auth/handshake?access_token=${token}`, {
        body: { agentSlug: fixture.slug },
      });
      const inBody = await handshake({ body: { agentSlug: fixture.slug, access_token: token } });
      expect([inQuery.status, inBody.status]).toEqual([401, 401]);
    });

    it('an agent token, even one forwarded by the gateway', async () => {
      const token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
      const claims = { ...decodeJwt(token), token_use: 'upstream' };
      const upstream = goodToken({ ...(await signingKey()), claims, canary: '' });
      for (const bearer of [token, upstream]) expect((await handshake({ bearer })).status).toBe(401);
    });

    it('unknown, private, suspended and withdrawn agents, with the same 404', async () => {
      const owner = await createPerson(fixture.url, 'Olga');
      const agents = await Promise.all(['Hidden', 'Gone', 'Stopped'].map((name) => ScriptedAgent.start({ name })));
      const [hidden, gone, stopped] = agents.map(({ url }) => url);
      const privateSlug = await listAgent(fixture.url, owner, { url: hidden ?? '', visibility: 'private' });
      const withdrawnSlug = await listAgent(fixture.url, owner, { url: gone ?? '' });
      await send(`${fixture.url}/api/agents/${withdrawnSlug}`, { method: 'DELETE', bearer: owner.accessToken });
      const stoppedSlug = await listAgent(fixture.url, owner, { url: stopped ?? '' });
      await query('test-suspend', `UPDATE agent SET status = 'suspended' WHERE slug = $1`, [stoppedSlug]);
      await publish('agent', stoppedSlug);
      const ask = (agentSlug: string): Promise<Response> =>
        handshake({ bearer: fixture.caller.accessToken, body: { agentSlug } });
      // The server is notified of the suspension a moment later.
      await expect.poll(async () => (await ask(stoppedSlug)).status).toBe(404);
      const seen = new Set<string>();
      const strange = ['../etc/passwd', "' or 1=1", 'ä'.repeat(50)];
      for (const agentSlug of ['no-such-agent', privateSlug, withdrawnSlug, stoppedSlug, ...strange]) {
        const response = await ask(agentSlug);
        const { requestId: _differs, ...body } = (await response.json()) as { requestId: string };
        seen.add(JSON.stringify({ status: response.status, body }));
      }
      expect([...seen]).toEqual([expect.stringContaining('"code":"invalid_target"')]);
      expect([...seen][0]).toContain('"status":404');
      const own = await handshake({ bearer: owner.accessToken, body: { agentSlug: privateSlug } });
      expect(own.status).toBe(200);
      await Promise.all(agents.map((agent) => agent.stop()));
    });
  });

  async function accessToken(person: Person, scopes: string[]): Promise<string> {
    const session = { cookie: person.cookie, origin: fixture.url };
    const body = { name: 'limited', scopes };
    const response = await send(`${fixture.url}/api/auth/access-tokens`, { body, ...session });
    return ((await response.json()) as { token: string }).token;
  }
});
