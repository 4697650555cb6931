import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  createPerson,
  listAgent,
  message03,
  type Person,
  rpc,
  send,
  tokenFor,
} from '../support/fixtures';
import { createApp, createTokensFixture, introspect, postForm, type TokensFixture } from './tokens-fixture';

const exchange = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

/** An agent with its own app, as a developer runs it. */
interface OwnedAgent {
  agent: ScriptedAgent;
  slug: string;
  app: NewClientSecret;
}

describe('app tokens:', () => {
  let fixture: TokensFixture;
  let ada: Person;
  /** Five agents, each of which may call the next. */
  let chain: OwnedAgent[];

  beforeAll(async () => {
    fixture = await createTokensFixture();
    ada = await createPerson(fixture.url, 'Ada');
    chain = [];
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta']) chain.push(await stand(name));
  });

  afterAll(async () => {
    await Promise.all(chain.map(({ agent }) => agent.stop()));
    await fixture?.close();
  });

  async function stand(name: string): Promise<OwnedAgent> {
    const agent = await ScriptedAgent.start({ name });
    const app = await createApp(fixture.url, fixture.developer, name);
    const slug = await listAgent(fixture.url, fixture.developer, { url: agent.url, appId: app.id });
    return { agent, slug, app };
  }

  function at(index: number): OwnedAgent {
    const standing = chain[index];
    if (!standing) throw new Error(`there is no agent ${index}`);
    return standing;
  }

  function audienceOf({ slug }: { slug: string }): string {
    return `${fixture.url}/agents/${slug}`;
  }

  async function grant(person: Person, { slug }: { slug: string }, scopes: string[]): Promise<void> {
    const session = { cookie: person.cookie, origin: fixture.url };
    const response = await send(`${fixture.url}/api/grants/${slug}`, { method: 'PUT', body: { scopes }, ...session });
    expect(response.status).toBe(204);
  }

  async function exclude(person: Person, { slug }: { slug: string }): Promise<void> {
    const session = { cookie: person.cookie, origin: fixture.url };
    const body = { scopes: [], hire: 'never' };
    const response = await send(`${fixture.url}/api/grants/${slug}`, { method: 'PUT', body, ...session });
    expect(response.status).toBe(204);
  }

  function connectTo({ slug }: { slug: string }, token: string): Connection {
    return { url: `${fixture.url}/agents/${slug}/a2a/jsonrpc`, token };
  }

  /** Calls the agent with the token, and returns the forwarded token. */
  async function handedTo(to: OwnedAgent, token: string): Promise<string> {
    to.agent.received.length = 0;
    const { status, body } = await rpc(connectTo(to, token), 'message/send', message03('hello'));
    expect([status, body.error]).toEqual([200, undefined]);
    return String(to.agent.messages[0]?.headers.authorization).replace('Bearer ', '');
  }

  function ask({ app }: Pick<OwnedAgent, 'app'>, form: Record<string, string>): Promise<Response> {
    return postForm(`${fixture.url}/api/auth/token`, form, app);
  }

  async function passOn(
    [from, to]: [OwnedAgent, OwnedAgent],
    subject: string,
    more = {},
  ): Promise<Record<string, unknown>> {
    const form = { ...exchange, subject_token: subject, resource: audienceOf(to), ...more };
    return (await (await ask(from, form)).json()) as Record<string, unknown>;
  }

  async function introspected({ app }: OwnedAgent, token: string): Promise<Record<string, unknown>> {
    return (await (await introspect({ url: fixture.url, app }, { token })).json()) as Record<string, unknown>;
  }

  describe('client credentials', () => {
    const form = { grant_type: 'client_credentials' };

    it('allow an app to call an agent as itself, with its own tasks', async () => {
      const [caller, target] = [at(0), at(1)];
      const response = await ask(caller, { ...form, resource: audienceOf(target) });
      expect(response.status).toBe(200);
      const answer = (await response.json()) as { access_token: string };
      expect(answer).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 900,
        scope: 'agent:call',
      });
      const claims = decodeJwt(answer.access_token);
      expect(claims).toMatchObject({ aud: audienceOf(target), client_id: caller.app.clientId });
      expect(claims).not.toHaveProperty('act');
      const sent = await rpc(connectTo(target, answer.access_token), 'message/send', message03('hello'));
      const { id } = sent.body.result as { id: string };
      const own = await rpc(connectTo(target, answer.access_token), 'tasks/get', { id });
      expect(own.body.result).toMatchObject({ id });
      const theirs = await rpc(connectTo(target, await tokenFor(fixture.url, ada, target.slug)), 'tasks/get', { id });
      expect(theirs.body.error).toMatchObject({ code: -32001 });
      expect(await introspected(target, answer.access_token)).toMatchObject({
        active: true,
        client_id: caller.app.clientId,
      });
    });

    it('TOK-3 yield tokens for exactly one callable agent, whose URL must match exactly', async () => {
      const hidden = await stand('Hidden');
      await send(`${fixture.url}/api/agents/${hidden.slug}`, {
        method: 'PATCH',
        body: { visibility: 'private' },
        bearer: fixture.developer.accessToken,
      });
      const good = audienceOf(at(1));
      const targets: Record<string, string>[] = [
        {},
        { resource: 'https://evil.example' },
        { resource: `${good}#here` },
        { resource: `${good}/` },
        { resource: `${good}?x=1` },
        { resource: good.replace('localhost', '127.0.0.1') },
        { resource: at(1).slug },
        { resource: `${fixture.url}/agents/` },
        { resource: `${fixture.url}/agents/no-such-agent` },
        { resource: audienceOf(hidden) },
        { resource: good, audience: audienceOf(at(2)) },
      ];
      const bodies = new Set<string>();
      for (const target of targets) {
        const response = await ask(at(0), { ...form, ...target });
        bodies.add(JSON.stringify({ status: response.status, body: await response.json() }));
      }
      expect([...bodies]).toEqual([expect.stringContaining('"error":"invalid_target"')]);
      const two = await fetch(`${fixture.url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&resource=${good}&resource=${good}`,
      });
      expect(two.status).toBe(400);
      await hidden.agent.stop();
    });

    it('require a secret, and never include a scope that only a user can grant', async () => {
      const wide = await ask(at(0), { ...form, resource: audienceOf(at(1)), scope: 'agent:call email' });
      expect(await wide.json()).toMatchObject({ error: 'invalid_scope' });
      const named = { ...form, resource: audienceOf(at(1)), client_id: 'parley-cli' };
      const byName = await postForm(`${fixture.url}/api/auth/token`, named);
      expect(await byName.json()).toMatchObject({ error: 'unauthorized_client' });
      const wrong = await ask(
        { app: { ...at(0).app, clientSecret: 'wrong' } },
        { ...form, resource: audienceOf(at(1)) },
      );
      expect([wrong.status, await wrong.json()]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })]);
    });

    it('REV-2 yield a token that ends when the secret used for it is deleted', async () => {
      const app = await createApp(fixture.url, fixture.developer, 'Rotated');
      const response = await ask({ app }, { ...form, resource: audienceOf(at(1)) });
      const { access_token } = (await response.json()) as { access_token: string };
      expect(await introspected(at(1), access_token)).toMatchObject({ active: true });
      await send(`${fixture.url}/api/apps/${app.id}/secrets/${app.secrets[0]?.id}`, {
        method: 'DELETE',
        bearer: fixture.developer.accessToken,
      });
      expect(await introspected(at(1), access_token)).toEqual({ active: false });
      expect((await rpc(connectTo(at(1), access_token), 'tasks/get', { id: 'x' })).status).toBe(401);
    });
  });

  describe('token exchange', () => {
    it('TOK-4 allows an agent to call another agent on behalf of its caller, who owns the task', async () => {
      const [alpha, beta] = [at(0), at(1)];
      await grant(ada, alpha, ['delegate']);
      const upstream = await handedTo(alpha, await tokenFor(fixture.url, ada, alpha.slug));
      const answer = await passOn([alpha, beta], upstream);
      expect(answer).toMatchObject({
        token_type: 'Bearer',
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        scope: 'agent:call',
      });
      const token = String(answer.access_token);
      const claims = decodeJwt(token);
      expect(claims).toMatchObject({ aud: audienceOf(beta), client_id: alpha.app.clientId });
      expect(claims.act).toEqual({ sub: audienceOf(alpha) });
      expect(claims.sub).toBe(decodeJwt(await tokenFor(fixture.url, ada, beta.slug)).sub);
      expect(claims.exp ?? 0).toBeLessThanOrEqual(decodeJwt(upstream).exp ?? 0);

      const sent = await rpc(connectTo(beta, token), 'message/send', message03('on her behalf'));
      const { id } = sent.body.result as { id: string };
      const own = await rpc(connectTo(beta, await tokenFor(fixture.url, ada, beta.slug)), 'tasks/get', { id });
      expect(own.body.result).toMatchObject({ id });

      const handed = await handedTo(beta, token);
      expect(await introspected(beta, handed)).toMatchObject({ active: true, act: { sub: audienceOf(alpha) } });
      expect(await introspected(beta, token)).toMatchObject({ active: true, act: { sub: audienceOf(alpha) } });
    });

    it('TOK-4 is rejected for an agent that the user excluded, and its token ends once the user revokes a grant', async () => {
      const [alpha, beta] = [at(0), at(1)];
      const bob = await createPerson(fixture.url, 'Bob');
      await exclude(bob, alpha);
      const ungranted = await handedTo(alpha, await tokenFor(fixture.url, bob, alpha.slug));
      expect(await passOn([alpha, beta], ungranted)).toMatchObject({ error: 'invalid_request' });
      await grant(bob, alpha, ['delegate', 'email']);
      const upstream = await handedTo(alpha, await tokenFor(fixture.url, bob, alpha.slug));
      const token = String((await passOn([alpha, beta], upstream)).access_token);
      expect(await introspected(beta, token)).toMatchObject({ active: true });
      await grant(bob, alpha, ['email']);
      expect(await introspected(beta, token)).toEqual({ active: false });
      expect((await rpc(connectTo(beta, token), 'tasks/get', { id: 'x' })).status).toBe(401);
      await exclude(bob, alpha);
      expect(await passOn([alpha, beta], upstream)).toMatchObject({ error: 'invalid_request' });
    });

    it('TOK-4 accepts only valid tokens that were forwarded to an agent of this app', async () => {
      const [alpha, beta, gamma] = [at(0), at(1), at(2)];
      const cora = await createPerson(fixture.url, 'Cora');
      await grant(cora, alpha, ['delegate']);
      const own = await tokenFor(fixture.url, cora, alpha.slug);
      const upstream = await handedTo(alpha, own);
      const exchanged = String((await passOn([alpha, beta], upstream)).access_token);
      const subjects = [own, exchanged, cora.accessToken, 'garbage', `${upstream}=`, `${upstream.slice(0, -2)}AA`];
      for (const subject of subjects) {
        expect(await passOn([alpha, gamma], subject)).toMatchObject({ error: 'invalid_request' });
      }
      expect(await passOn([beta, gamma], upstream)).toMatchObject({ error: 'invalid_request' });
      const refused = { actor_token: upstream };
      expect(await passOn([alpha, gamma], upstream, refused)).toMatchObject({ error: 'invalid_request' });
      const type = { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' };
      expect(await passOn([alpha, gamma], upstream, type)).toMatchObject({ error: 'invalid_request' });
      const session = { cookie: cora.cookie, origin: fixture.url };
      const list = await send(`${fixture.url}/api/auth/access-tokens`, session);
      const { items } = (await list.json()) as { items: { id: string }[] };
      await send(`${fixture.url}/api/auth/access-tokens/${items[0]?.id}`, { method: 'DELETE', ...session });
      expect(await introspected(beta, exchanged)).toEqual({ active: false });
      expect(await passOn([alpha, gamma], upstream)).toMatchObject({ error: 'invalid_request' });
    });

    it('TOK-4 can only narrow scopes, and dropped scopes are never restored', async () => {
      const [alpha, beta, gamma] = [at(0), at(1), at(2)];
      const dan = await createPerson(fixture.url, 'Dan');
      for (const to of [alpha, beta]) await grant(dan, to, ['delegate', 'email']);
      const upstream = await handedTo(alpha, await tokenFor(fixture.url, dan, alpha.slug));
      expect(await passOn([alpha, beta], upstream, { scope: 'agent:call profile' })).toMatchObject({
        error: 'invalid_scope',
      });
      const narrow = await passOn([alpha, beta], upstream, { scope: 'agent:call' });
      expect(narrow.scope).toBe('agent:call');
      const handed = await handedTo(beta, String(narrow.access_token));
      expect(decodeJwt(handed)).not.toHaveProperty('email');
      expect(await passOn([beta, gamma], handed)).toMatchObject({ error: 'invalid_request' });
      const mute = await passOn([alpha, beta], upstream, { scope: 'email' });
      const call = await rpc(connectTo(beta, String(mute.access_token)), 'tasks/get', { id: 'x' });
      expect(call.status).toBe(403);
      expect(call.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="agent:call"');
    });

    it('TOK-4 spans at most four agents, and never the same agent twice', async () => {
      const eva = await createPerson(fixture.url, 'Eva');
      for (const to of chain) await grant(eva, to, ['delegate']);
      let token = await tokenFor(fixture.url, eva, at(0).slug);
      for (let index = 0; index < 4; index++) {
        const handed = await handedTo(at(index), token);
        for (let earlier = 0; earlier <= index; earlier++) {
          expect(await passOn([at(index), at(earlier)], handed)).toMatchObject({ error: 'invalid_target' });
        }
        token = String((await passOn([at(index), at(index + 1)], handed)).access_token);
      }
      const sub = (index: number) => audienceOf(at(index));
      expect(decodeJwt(token).act).toEqual({
        sub: sub(3),
        act: { sub: sub(2), act: { sub: sub(1), act: { sub: sub(0) } } },
      });
      const fifth = await handedTo(at(4), token);
      expect(await introspected(at(4), fifth)).toMatchObject({ active: true });
      expect(await passOn([at(4), at(5)], fifth)).toMatchObject({ error: 'invalid_target' });
      await grant(eva, at(1), []);
      expect(await introspected(at(4), token)).toEqual({ active: false });
    });

    it('REV-1 yields a token that only the app that requested it can revoke', async () => {
      const [alpha, beta] = [at(0), at(1)];
      const fay = await createPerson(fixture.url, 'Fay');
      await grant(fay, alpha, ['delegate']);
      const upstream = await handedTo(alpha, await tokenFor(fixture.url, fay, alpha.slug));
      const token = String((await passOn([alpha, beta], upstream)).access_token);
      const revoke = (form: Record<string, string>, app?: NewClientSecret) =>
        postForm(`${fixture.url}/api/auth/revoke`, form, app);
      for (const answer of [
        await revoke({ token }, beta.app),
        await revoke({ token, client_id: 'parley-cli' }),
        await revoke({ token: upstream, client_id: 'parley-cli' }),
        await revoke({ token: upstream }, alpha.app),
      ]) {
        expect([answer.status, await answer.text()]).toEqual([200, '']);
      }
      expect(await introspected(beta, token)).toMatchObject({ active: true });
      expect(await introspected(alpha, upstream)).toMatchObject({ active: true });
      expect((await revoke({ token }, alpha.app)).status).toBe(200);
      expect(await introspected(beta, token)).toEqual({ active: false });
    });
  });

  describe('the token endpoint', () => {
    it.each([
      [{}, 'invalid_request'],
      [{ grant_type: '' }, 'invalid_request'],
      [{ grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code', code: 'x' }, 'invalid_request'],
      [{ grant_type: 'refresh_token' }, 'invalid_request'],
      [{ ...exchange }, 'invalid_request'],
    ] as const)('rejects %j as %s', async (form, error) => {
      const response = await ask(at(0), form);
      expect(response.status).toBe(400);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ error });
    });

    it('INT-1 accepts only forms, and no credentials in the URL', async () => {
      const inUrl = await fetch(`${fixture.url}/api/auth/token?client_secret=x`, { method: 'POST' });
      expect(inUrl.status).toBe(400);
      const json = await send(`${fixture.url}/api/auth/token`, { body: { grant_type: 'client_credentials' } });
      expect(json.status).toBe(415);
    });
  });

  describe('Web42’s generic token', () => {
    async function generic(bearer: string, init: RequestInit = {}): Promise<Response> {
      const headers = { authorization: `Bearer ${bearer}`, ...init.headers };
      return fetch(`${fixture.url}/api/auth/token`, { method: 'POST', ...init, headers });
    }

    it('is active only for the same user’s apps, is not bound to an agent, and is accepted by no endpoint', async () => {
      const response = await generic(fixture.developer.accessToken);
      expect(response.status).toBe(200);
      const answer = (await response.json()) as { token: string };
      expect(answer).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, expiresAt: expect.any(String) });
      const { token } = answer;
      expect(decodeJwt(token)).toMatchObject({ iss: fixture.url, aud: fixture.url, client_id: 'parley-cli' });
      expect(decodeJwt(token)).not.toHaveProperty('agent_id');
      expect(await introspected(at(0), token)).toMatchObject({ active: true, sub: decodeJwt(token).sub });
      const otherApp = await createApp(fixture.url, ada, 'Foreign');
      expect(await introspected({ ...at(0), app: otherApp }, token)).toEqual({ active: false });
      expect((await rpc(connectTo(at(0), token), 'tasks/get', { id: 'x' })).status).toBe(401);
      for (const path of ['/api/apps', '/api/grants', '/api/auth/access-tokens']) {
        expect((await send(`${fixture.url}${path}`, { bearer: token })).status, path).toBe(401);
      }
      expect((await generic(token)).status).toBe(401);
      expect(await passOn([at(0), at(1)], token)).toMatchObject({ error: 'invalid_request' });
    });

    it.each([
      ['an empty JSON object', { body: '{}', headers: { 'content-type': 'application/json' } }],
      ['an empty form', { body: 'x=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ])('can also be requested with %s', async (_name, init) => {
      expect((await generic(fixture.developer.accessToken, init)).status).toBe(200);
    });

    it('REV-1 is revoked like other tokens', async () => {
      const { token } = (await (await generic(fixture.developer.accessToken)).json()) as { token: string };
      await postForm(`${fixture.url}/api/auth/revoke`, { token, client_id: 'parley-web' });
      expect(await introspected(at(0), token)).toMatchObject({ active: true });
      await postForm(`${fixture.url}/api/auth/revoke`, { token, client_id: 'parley-cli' });
      expect(await introspected(at(0), token)).toEqual({ active: false });
    });

    it('requires an access token that may issue tokens', async () => {
      expect((await generic('garbage')).status).toBe(401);
      const session = { cookie: ada.cookie, origin: fixture.url };
      const body = { name: 'narrow', scopes: ['agents:read'] };
      const made = await send(`${fixture.url}/api/auth/access-tokens`, { body, ...session });
      const { token } = (await made.json()) as { token: string };
      expect((await generic(token)).status).toBe(403);
    });
  });
});
