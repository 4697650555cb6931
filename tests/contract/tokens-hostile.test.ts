import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message03, rpc, send, tokenFor } from '../support/fixtures';
import { type Forge, goodToken, type HostileToken, hostileTokens } from '../unit/tokens/hostile-tokens';
import { createTokensFixture, introspect, postForm, signingKey, type TokensFixture } from './tokens-fixture';

const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

describe('hostile tokens', () => {
  let fixture: TokensFixture;
  let resource: string;
  let good: string;
  let corpus: HostileToken[];

  beforeAll(async () => {
    fixture = await createTokensFixture();
    resource = `${fixture.url}/agents/${fixture.slug}`;
    good = await tokenFor(fixture.url, fixture.caller, fixture.slug);
    const from: Forge = { ...(await signingKey()), claims: decodeJwt(good), canary: 'http://127.0.0.1:9' };
    expect((await call(goodToken(from))).status).toBe(200);
    corpus = hostileTokens(from).filter(({ token }) => isHeaderText(token));
  });

  afterAll(async () => {
    await fixture?.close();
  });

  /** Others cannot be sent in a header at all. */
  function isHeaderText(token: string): boolean {
    return /^[\x21-\x7e]{1,10000}$/.test(token);
  }

  function call(token: string): ReturnType<typeof rpc> {
    return rpc({ url: `${resource}/a2a/jsonrpc`, token }, 'tasks/list', {});
  }

  async function isActive(token: string): Promise<boolean> {
    return ((await (await introspect(fixture, { token })).json()) as { active: boolean }).active;
  }

  it('KEY-1 KEY-2 KEY-3 KEY-4 KEY-5 of any class cannot call an agent', { timeout: 60_000 }, async () => {
    expect(corpus.length).toBeGreaterThan(150);
    for (const { name, token } of corpus) expect((await call(token)).status, name).toBe(401);
  });

  it('KEY-1 KEY-2 KEY-3 KEY-4 cannot be exchanged or used as access tokens', { timeout: 60_000 }, async () => {
    for (const { name, token } of corpus) {
      const form = { ...exchange, subject_token: token, resource };
      const exchanged = await postForm(`${fixture.url}/api/auth/token`, form, fixture.app);
      expect([exchanged.status, ((await exchanged.json()) as { error: string }).error], name).toEqual([
        400,
        'invalid_request',
      ]);
      expect((await send(`${fixture.url}/api/auth/token`, { method: 'POST', bearer: token })).status, name).toBe(401);
    }
  });

  it('KEY-5 REV-1 cannot revoke any token, and the response does not reveal this', { timeout: 60_000 }, async () => {
    // A token we signed whose agent is gone may be revoked, and has the valid one's id here.
    for (const { name, token } of corpus.filter((hostile) => !hostile.name.endsWith('agent_id of nobody'))) {
      const response = await postForm(`${fixture.url}/api/auth/revoke`, { token, client_id: 'parley-cli' });
      expect([response.status, await response.text()], name).toEqual([200, '']);
    }
    expect(await isActive(good)).toBe(true);
  });

  it('KEY-5 cannot bypass a revocation with another spelling, because tokens are revoked by id', async () => {
    const token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
    await postForm(`${fixture.url}/api/auth/revoke`, { token, client_id: 'parley-cli' });
    const { kid, privateKey } = await signingKey();
    const again = goodToken({ kid, privateKey, claims: decodeJwt(token), canary: '' });
    const respelled = goodToken({ kid, privateKey, claims: { ...decodeJwt(token), scope: 'agent:call ' }, canary: '' });
    for (const text of [token, again, respelled, `${token}=`, `${token}==`]) {
      expect(await isActive(text)).toBe(false);
      expect((await call(text)).status).toBe(401);
    }
  });

  it('are rejected by our own endpoints even if the gateway forwarded them', async () => {
    fixture.agent.received.length = 0;
    await rpc({ url: `${resource}/a2a/jsonrpc`, token: good }, 'message/send', message03('hello'));
    const upstream = String(fixture.agent.messages[0]?.headers.authorization).replace('Bearer ', '');
    expect(await isActive(upstream)).toBe(true);
    expect((await call(upstream)).status).toBe(401);
    const doors: [string, string, object?][] = [
      ['POST', '/api/auth/handshake', { agentSlug: fixture.slug }],
      ['POST', '/api/auth/token', {}],
      ['POST', '/api/auth/device/decide', { userCode: 'BCDF-GHJK', allow: true }],
      ['GET', '/api/auth/access-tokens'],
      ['GET', '/api/auth/sessions'],
      ['GET', '/api/grants'],
      ['PUT', `/api/grants/${fixture.slug}`, { scopes: ['delegate'] }],
      ['GET', '/api/apps'],
      ['POST', '/api/agents', { url: 'https://agent.example' }],
      ['GET', '/api/chat/conversations'],
    ];
    for (const [method, path, body] of doors) {
      expect((await send(`${fixture.url}${path}`, { method, body, bearer: upstream })).status, path).toBe(401);
    }
    const own = { ...fixture.app, clientSecret: upstream };
    expect((await introspect({ url: fixture.url, app: own }, { token: good })).status).toBe(401);
    const form = { ...exchange, subject_token: upstream, resource };
    const exchanged = await postForm(`${fixture.url}/api/auth/token`, form, fixture.app);
    // The agent of the token is already working.
    expect(await exchanged.json()).toMatchObject({ error: 'invalid_target' });
    const revoked = await postForm(`${fixture.url}/api/auth/revoke`, { token: upstream }, fixture.app);
    expect([revoked.status, await isActive(upstream)]).toEqual([200, true]);
  });
});
