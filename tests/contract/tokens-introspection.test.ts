import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '@/lib/platform/bus';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, send, tokenFor } from '../support/fixtures';
import { query } from '../support/sql';
import { type Forge, goodToken, hostileTokens, twin } from '../unit/tokens/hostile-tokens';
import { basic, createApp, createTokensFixture, introspect, signingKey, type TokensFixture } from './tokens-fixture';

/** Header names of a response; values such as the date and the request id differ from call to call. */
function headerNames(response: Response): string[] {
  return [...response.headers.keys()].sort();
}

describe('introspection', () => {
  let fixture: TokensFixture;
  let token: string;

  beforeAll(async () => {
    fixture = await createTokensFixture();
    token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
  });

  afterAll(async () => {
    await fixture?.close();
  });

  async function answer(given: string): Promise<unknown> {
    const response = await introspect(fixture, { token: given });
    expect(response.status).toBe(200);
    return response.json();
  }

  /** A token that only the holder of the signing key could make: a valid one with other claims. */
  async function signed(changes: Record<string, unknown>): Promise<string> {
    return goodToken({ ...(await forge()), claims: { ...decodeJwt(token), ...changes } });
  }

  async function forge(canary = 'http://127.0.0.1:9'): Promise<Forge> {
    return {
      ...(await signingKey()),
      claims: decodeJwt(await tokenFor(fixture.url, fixture.caller, fixture.slug)),
      canary,
    };
  }

  describe('response', () => {
    it('INT-9 contains the caller for an agent’s own app, and no further data', async () => {
      const claims = decodeJwt(token);
      expect(await answer(token)).toEqual({
        active: true,
        iss: fixture.url,
        sub: claims.sub,
        aud: `${fixture.url}/agents/${fixture.slug}`,
        client_id: 'parley-cli',
        agent_id: expect.stringMatching(/^agt_/),
        agent_slug: fixture.slug,
        scope: 'agent:call',
        token_type: 'Bearer',
        exp: claims.exp,
        iat: claims.iat,
        jti: claims.jti,
      });
    });

    it('INT-9 contains neither email address nor account id', async () => {
      const text = JSON.stringify(await answer(token));
      expect(text).not.toContain(fixture.caller.email);
      expect(text).not.toContain(fixture.caller.userId);
    });

    it('INT-10 is JSON that is never cached', async () => {
      const response = await introspect(fixture, { token });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('content-type')).toBe('application/json');
    });

    it('is accepted by oauth4webapi, a strict client', async () => {
      const as: oauth.AuthorizationServer = {
        issuer: fixture.url,
        introspection_endpoint: `${fixture.url}/api/auth/introspect`,
      };
      const client: oauth.Client = { client_id: fixture.app.clientId };
      const options = { [oauth.allowInsecureRequests]: true };
      for (const authentication of [
        oauth.ClientSecretBasic(fixture.app.clientSecret),
        oauth.ClientSecretPost(fixture.app.clientSecret),
      ]) {
        const ask = async (what: string) => {
          const response = await oauth.introspectionRequest(as, client, authentication, what, options);
          return oauth.processIntrospectionResponse(as, client, response);
        };
        expect(await ask(token)).toMatchObject({ active: true, agent_slug: fixture.slug });
        expect(await ask(`${token}x`)).toEqual({ active: false });
      }
    });

    it('INT-11 is signed on request, and oauth4webapi verifies the signature', async () => {
      const issuer = new URL(fixture.url);
      const options = { [oauth.allowInsecureRequests]: true };
      const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(issuer, discovered);
      const client: oauth.Client = { client_id: fixture.app.clientId, introspection_signed_response_alg: 'RS256' };
      const authentication = oauth.ClientSecretBasic(fixture.app.clientSecret);
      const ask = async (what: string) => {
        const asked = { ...options, requestJwtResponse: true };
        const response = await oauth.introspectionRequest(as, client, authentication, what, asked);
        expect(response.headers.get('content-type')).toBe('application/token-introspection+jwt');
        expect(response.headers.get('cache-control')).toBe('no-store');
        const jwt = await response.clone().text();
        const { token_introspection, ...rest } = decodeJwt(jwt);
        expect(rest).toEqual({ iss: fixture.url, aud: fixture.app.clientId, iat: expect.any(Number) });
        const answer = await oauth.processIntrospectionResponse(as, client, response);
        await oauth.validateApplicationLevelSignature(as, response, options);
        expect(answer).toEqual(token_introspection);
        return { jwt, answer };
      };
      const { jwt, answer } = await ask(token);
      expect(answer).toMatchObject({ active: true, agent_slug: fixture.slug });
      expect((await ask(`${token}x`)).answer).toEqual({ active: false });

      expect(await (await introspect(fixture, { token: jwt })).json()).toEqual({ active: false });
      for (const path of [`/agents/${fixture.slug}/a2a/jsonrpc`, '/api/auth/handshake', '/api/auth/token']) {
        const body = { agentSlug: fixture.slug };
        expect((await send(`${fixture.url}${path}`, { body, bearer: jwt })).status, path).toBe(401);
      }
    });

    it.each(['access_token', 'refresh_token', 'agent', '💥'])('INT-7 is the same with the hint %s', async (hint) => {
      const given = await introspect(fixture, { token, token_type_hint: hint });
      expect(await given.json()).toMatchObject({ active: true });
      const bad = await introspect(fixture, { token: 'x', token_type_hint: hint });
      expect(await bad.json()).toEqual({ active: false });
    });
  });

  describe('request', () => {
    it('INT-1 cannot be a GET', async () => {
      const response = await fetch(`${fixture.url}/api/auth/introspect?token=${token}`, {
        headers: { authorization: basic(fixture.app) },
      });
      expect(response.status).toBe(405);
    });

    it.each([
      ['JSON', 'application/json', (given: string) => JSON.stringify({ token: given })],
      ['plain text', 'text/plain', (given: string) => `token=${given}`],
      ['multipart', 'multipart/form-data; boundary=b', (given: string) => `--b\r\n\r\n${given}\r\n--b--`],
    ])('INT-1 must be a form, and is rejected with %s', async (_name, type, body) => {
      const response = await introspect(fixture, body(token), { 'content-type': type });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    });

    it('INT-1 contains its token in the body, never in the URL', async () => {
      const response = await fetch(`${fixture.url}/api/auth/introspect?token=${token}`, {
        method: 'POST',
        headers: { authorization: basic(fixture.app), 'content-type': 'application/x-www-form-urlencoded' },
        body: 'token=x',
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    });

    it.each(['', 'token=', 'other=1', 'token=a&token=b', 'token=a&token=a', 'token=a&client_id=x&client_id=y'])(
      'INT-6 is rejected with the body %j',
      async (form) => {
        const response = await introspect(fixture, form);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: 'invalid_request' });
      },
    );

    it('INT-6 may contain two hundred unknown parameters', async () => {
      const rest = Array.from({ length: 200 }, (_, index) => `unknown${index}=1`).join('&');
      const response = await introspect(fixture, `${rest}&token=${token}&unknown1=2`);
      expect(await response.json()).toMatchObject({ active: true });
    });

    it('LIM-1 is rejected if it is larger than 1 MB', async () => {
      const response = await introspect(fixture, `token=${'A'.repeat(1_100_000)}`);
      expect(response.status).toBe(413);
    });
  });

  describe('client', () => {
    const wrong = `parley_cs_${'A'.repeat(43)}`;

    async function refused(headers: Record<string, string>, form = `token=${token}`): Promise<Response> {
      const response = await introspect(fixture, form, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm="parley"/);
      return response;
    }

    it('INT-2 receives the same response for unknown and wrong credentials', async () => {
      const { clientId, clientSecret } = fixture.app;
      const unknown = {
        clientId: clientId.replace(/^app_(.)/, (_all, first) => `app_${first === '0' ? 1 : 0}`),
        clientSecret,
      };
      const responses = await Promise.all([
        refused({ authorization: basic({ clientId, clientSecret: wrong }) }),
        refused({ authorization: basic({ clientId, clientSecret: `${clientSecret.slice(0, -1)}!` }) }),
        refused({ authorization: basic(unknown) }),
        refused({ authorization: basic({ clientId: 'nobody', clientSecret }) }),
        refused({ authorization: basic({ clientId: fixture.app.id, clientSecret }) }),
      ]);
      const bodies = await Promise.all(responses.map((response) => response.text()));
      expect(new Set(bodies).size).toBe(1);
      expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ error: 'invalid_client' });
      expect(new Set(responses.map((response) => headerNames(response).join()))).toHaveProperty('size', 1);
    });

    it.each([
      ['nothing', { authorization: '' }],
      ['a bearer token', { authorization: 'Bearer abc' }],
      ['only its id', { authorization: `Basic ${Buffer.from('app').toString('base64')}` }],
      ['text that is not Base64', { authorization: 'Basic §§' }],
    ])('INT-2 is rejected with %s', async (_name, headers) => {
      await refused(headers);
    });

    it('INT-2 is rejected without credentials', async () => {
      const response = await fetch(`${fixture.url}/api/auth/introspect`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${token}`,
      });
      expect(response.status).toBe(401);
    });

    it('INT-2 is rejected while its app’s owner is suspended', async () => {
      const person = await createPerson(fixture.url, 'Sue');
      const authorization = basic(await createApp(fixture.url, person));
      const status = async () => (await introspect(fixture, `token=${token}`, { authorization })).status;
      expect(await status()).toBe(200);
      await query('test-suspend-user', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [person.userId]);
      await publish('user', person.userId);
      await expect.poll(status, { timeout: 1_000, interval: 10 }).toBe(401);
      await refused({ authorization });
      await query('test-resume-user', 'UPDATE "user" SET suspended_at = NULL WHERE id = $1', [person.userId]);
      await publish('user', person.userId);
      await expect.poll(status, { timeout: 1_000, interval: 10 }).toBe(200);
    });

    it('INT-2 is rejected with a user’s credentials', async () => {
      await refused({ authorization: `Bearer ${fixture.developer.accessToken}`, cookie: fixture.developer.cookie });
    });

    it('INT-3 may percent-encode its id and secret', async () => {
      const { clientId, clientSecret } = fixture.app;
      const encoded = [clientId, clientSecret].map((text) =>
        [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
      );
      const authorization = `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
      const response = await introspect(fixture, { token }, { authorization });
      expect(await response.json()).toMatchObject({ active: true });
    });

    it('INT-3 must use exactly one authentication method', async () => {
      const { clientId, clientSecret } = fixture.app;
      const response = await introspect(fixture, { token, client_id: clientId, client_secret: clientSecret });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: 'invalid_request' });
    });
  });

  describe('of an invalid token', () => {
    it('INT-4 INT-5 KEY-1 KEY-2 KEY-3 KEY-4 KEY-5 always returns the same response', {
      timeout: 60_000,
    }, async () => {
      let hits = 0;
      const canary = createServer((_request, response) => {
        hits++;
        response.end('{}');
      });
      await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
      const from = await forge(`http://127.0.0.1:${(canary.address() as AddressInfo).port}`);
      expect(await answer(goodToken(from))).toMatchObject({ active: true });
      const reference = headerNames(await introspect(fixture, { token: 'reference' }));
      for (const hostile of hostileTokens(from)) {
        const response = await introspect(fixture, { token: hostile.token });
        const found = { status: response.status, body: await response.text(), headers: headerNames(response) };
        expect(found, hostile.name).toEqual({ status: 200, body: '{"active":false}', headers: reference });
      }
      canary.closeAllConnections();
      await new Promise((resolve) => canary.close(resolve));
      expect(hits).toBe(0);
    });

    it.each([
      ['expired', { iat: Math.floor(Date.now() / 1000) - 1_000, exp: Math.floor(Date.now() / 1000) - 100 }],
      ['not yet valid', { nbf: Math.floor(Date.now() / 1000) + 300 }],
      ['issued by another issuer', { iss: 'https://evil.example' }],
      ['for another audience', { aud: 'https://evil.example' }],
      ['of an agent that does not exist', { agent_id: 'agt_00000000000000000000' }],
      ['without a parent', { jti: 'A'.repeat(54) }],
    ])('INT-4 (%s) reports it as inactive even with our own signature', async (_name, changes) => {
      expect(await answer(await signed({}))).toMatchObject({ active: true });
      expect(await answer(await signed(changes))).toEqual({ active: false });
    });

    it('INT-4 reports it as inactive if it is another Parley credential', async () => {
      for (const other of [
        fixture.caller.accessToken,
        fixture.caller.cookie,
        fixture.app.clientSecret,
        fixture.app.clientId,
      ]) {
        expect(await answer(other)).toEqual({ active: false });
      }
    });

    it('INT-4 reports it as inactive if it is one megabyte of text', async () => {
      expect(await answer('A'.repeat(1_000_000))).toEqual({ active: false });
    });

    it('INT-8 reports it as inactive if it is valid only for another user’s agent', async () => {
      const otherUser = await createPerson(fixture.url, 'Eve');
      const app = await createApp(fixture.url, otherUser);
      const response = await introspect({ url: fixture.url, app }, { token });
      expect(await response.text()).toBe('{"active":false}');
      expect(await answer(token)).toMatchObject({ active: true });
    });

    it('INT-10 REV-2 reports it as inactive once its access token is revoked', async () => {
      const person = await createPerson(fixture.url, 'Pat');
      const theirs = await tokenFor(fixture.url, person, fixture.slug);
      expect(await answer(theirs)).toMatchObject({ active: true });
      const session = { cookie: person.cookie, origin: fixture.url };
      const list = await send(`${fixture.url}/api/auth/access-tokens`, session);
      const { items } = (await list.json()) as { items: { id: string }[] };
      const removed = await send(`${fixture.url}/api/auth/access-tokens/${items[0]?.id}`, {
        method: 'DELETE',
        ...session,
      });
      expect(removed.status).toBe(204);
      expect(await answer(theirs)).toEqual({ active: false });
      expect(await answer(twin(theirs))).toEqual({ active: false });
    });

    it('INT-4 reports it as inactive if its user is suspended, or its agent suspended or withdrawn', async () => {
      const server = await ScriptedAgent.start({ name: 'Comes and goes' });
      const slug = await listAgent(fixture.url, fixture.developer, { url: server.url, appId: fixture.app.id });
      const person = await createPerson(fixture.url, 'Sue');
      const theirs = await tokenFor(fixture.url, person, slug);
      expect(await answer(theirs)).toMatchObject({ active: true });

      await query('test-suspend-user', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [person.userId]);
      await publish('user', person.userId);
      await expect.poll(() => answer(theirs), { timeout: 1_000, interval: 10 }).toEqual({ active: false });
      await query('test-resume-user', 'UPDATE "user" SET suspended_at = NULL WHERE id = $1', [person.userId]);
      await publish('user', person.userId);
      await expect.poll(() => answer(theirs), { timeout: 1_000, interval: 10 }).toMatchObject({ active: true });

      const agentId = String(decodeJwt(theirs).agent_id);
      await query('test-suspend-agent', `UPDATE agent SET status = 'suspended' WHERE id = $1`, [agentId]);
      await publish('agent', agentId);
      await expect.poll(() => answer(theirs), { timeout: 1_000, interval: 10 }).toEqual({ active: false });
      await query('test-resume-agent', `UPDATE agent SET status = 'active' WHERE id = $1`, [agentId]);
      await publish('agent', agentId);
      await publish('agent', slug);
      await expect.poll(() => answer(theirs), { timeout: 1_000, interval: 10 }).toMatchObject({ active: true });

      const withdrawn = await send(`${fixture.url}/api/agents/${slug}`, {
        method: 'DELETE',
        bearer: fixture.developer.accessToken,
      });
      expect(withdrawn.ok).toBe(true);
      expect(await answer(theirs)).toEqual({ active: false });
      await server.stop();
    });
  });

  it('reports tokens that the gateway forwards to agents as active (token_use upstream)', async () => {
    const upstream = await signed({ token_use: 'upstream' });
    expect(await answer(upstream)).toMatchObject({ active: true, agent_slug: fixture.slug });
  });

  it('INT-12 makes an app that guesses tokens wait, while valid tokens still work', { timeout: 60_000 }, async () => {
    const server = await ScriptedAgent.start({ name: 'Guesser' });
    const app = await createApp(fixture.url, fixture.developer, 'guesser');
    const slug = await listAgent(fixture.url, fixture.developer, { url: server.url, appId: app.id });
    const good = await tokenFor(fixture.url, fixture.caller, slug);
    const guesser = { url: fixture.url, app };
    const seen = new Map<number, number>();
    let slowed: Response | undefined;
    for (let guess = 0; guess < 1_300 && !slowed; guess += 20) {
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, index) => introspect(guesser, { token: `guess-${guess + index}` })),
      );
      for (const response of responses) seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
      slowed = responses.find(({ status }) => status === 429);
    }
    expect(seen.get(200)).toBeGreaterThan(500);
    expect(Number(slowed?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await (await introspect(guesser, { token: good })).json()).toMatchObject({ active: true });
    expect(await answer('somebody else is not affected')).toEqual({ active: false });
    await server.stop();
  });
});
