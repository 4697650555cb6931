import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message03, rpc, send, tokenFor } from '../support/world';
import { type Forge, goodToken, type HostileToken, hostileTokens } from '../unit/tokens/hostile-tokens';
import { introspect, openTokensWorld, postForm, signingKey, type TokensWorld } from './tokens-world';

const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

describe('hostile tokens', () => {
  let world: TokensWorld;
  let resource: string;
  let good: string;
  let corpus: HostileToken[];

  beforeAll(async () => {
    world = await openTokensWorld();
    resource = `${world.url}/agents/${world.slug}`;
    good = await tokenFor(world.url, world.caller, world.slug);
    const from: Forge = { ...(await signingKey()), claims: decodeJwt(good), canary: 'http://127.0.0.1:9' };
    expect((await call(goodToken(from))).status).toBe(200);
    corpus = hostileTokens(from).filter(({ token }) => isHeaderText(token));
  });

  afterAll(async () => {
    await world?.close();
  });

  /** Others cannot be sent in a header at all. */
  function isHeaderText(token: string): boolean {
    return /^[\x21-\x7e]{1,10000}$/.test(token);
  }

  function call(token: string): ReturnType<typeof rpc> {
    return rpc({ url: `${resource}/a2a/jsonrpc`, token }, 'tasks/list', {});
  }

  async function isActive(token: string): Promise<boolean> {
    return ((await (await introspect(world, { token })).json()) as { active: boolean }).active;
  }

  it('KEY-1 KEY-2 KEY-3 KEY-4 KEY-5 call no agent, of any class', { timeout: 60_000 }, async () => {
    expect(corpus.length).toBeGreaterThan(150);
    for (const { name, token } of corpus) expect((await call(token)).status, name).toBe(401);
  });

  it('KEY-1 KEY-2 KEY-3 KEY-4 are exchanged for nothing, and are no access token', { timeout: 60_000 }, async () => {
    for (const { name, token } of corpus) {
      const form = { ...exchange, subject_token: token, resource };
      const exchanged = await postForm(`${world.url}/api/auth/token`, form, world.app);
      expect([exchanged.status, ((await exchanged.json()) as { error: string }).error], name).toEqual([
        400,
        'invalid_request',
      ]);
      expect((await send(`${world.url}/api/auth/token`, { method: 'POST', bearer: token })).status, name).toBe(401);
    }
  });

  it('KEY-5 REV-1 revoke nothing, and the answer does not say so', { timeout: 60_000 }, async () => {
    // One of our own making whose agent is gone may well be revoked, and has the id of the good one here.
    for (const { name, token } of corpus.filter((hostile) => !hostile.name.endsWith('agent_id of nobody'))) {
      const answer = await postForm(`${world.url}/api/auth/revoke`, { token, client_id: 'parley-cli' });
      expect([answer.status, await answer.text()], name).toEqual([200, '']);
    }
    expect(await isActive(good)).toBe(true);
  });

  it('KEY-5 a revoked token is revoked by its id: no other spelling of it lives on', async () => {
    const token = await tokenFor(world.url, world.caller, world.slug);
    await postForm(`${world.url}/api/auth/revoke`, { token, client_id: 'parley-cli' });
    const { kid, privateKey } = await signingKey();
    const again = goodToken({ kid, privateKey, claims: decodeJwt(token), canary: '' });
    const respelt = goodToken({ kid, privateKey, claims: { ...decodeJwt(token), scope: 'agent:call ' }, canary: '' });
    for (const text of [token, again, respelt, `${token}=`, `${token}==`]) {
      expect(await isActive(text)).toBe(false);
      expect((await call(text)).status).toBe(401);
    }
  });

  it('what the gateway hands to an agent opens nothing of ours', async () => {
    world.agent.received.length = 0;
    await rpc({ url: `${resource}/a2a/jsonrpc`, token: good }, 'message/send', message03('hello'));
    const upstream = String(world.agent.received[0]?.headers.authorization).replace('Bearer ', '');
    expect(await isActive(upstream)).toBe(true);
    expect((await call(upstream)).status).toBe(401);
    const doors: [string, string, object?][] = [
      ['POST', '/api/auth/handshake', { agentSlug: world.slug }],
      ['POST', '/api/auth/token', {}],
      ['POST', '/api/auth/device/decide', { userCode: 'BCDF-GHJK', allow: true }],
      ['GET', '/api/auth/access-tokens'],
      ['GET', '/api/auth/sessions'],
      ['GET', '/api/grants'],
      ['PUT', `/api/grants/${world.slug}`, { scopes: ['delegate'] }],
      ['GET', '/api/apps'],
      ['POST', '/api/agents', { url: 'https://agent.example' }],
      ['GET', '/api/chat/conversations'],
    ];
    for (const [method, path, body] of doors) {
      expect((await send(`${world.url}${path}`, { method, body, bearer: upstream })).status, path).toBe(401);
    }
    const own = { ...world.app, clientSecret: upstream };
    expect((await introspect({ url: world.url, app: own }, { token: good })).status).toBe(401);
    const form = { ...exchange, subject_token: upstream, resource };
    const exchanged = await postForm(`${world.url}/api/auth/token`, form, world.app);
    expect(await exchanged.json()).toMatchObject({ error: 'invalid_request' });
    const revoked = await postForm(`${world.url}/api/auth/revoke`, { token: upstream }, world.app);
    expect([revoked.status, await isActive(upstream)]).toEqual([200, true]);
  });
});
