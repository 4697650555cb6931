import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentGrantView } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message03, type Person, rpc, send, tokenFor } from '../support/fixtures';
import { createTokensFixture, introspect, type TokensFixture } from './tokens-fixture';

describe('a user’s grants to an agent', () => {
  let fixture: TokensFixture;

  beforeAll(async () => {
    fixture = await createTokensFixture();
  });

  afterAll(async () => {
    await fixture?.close();
  });

  function byPerson(person: Person, path: string, call: { method?: string; body?: object } = {}): Promise<Response> {
    return send(`${fixture.url}/api/grants${path}`, { ...call, cookie: person.cookie, origin: fixture.url });
  }

  async function grant(person: Person, scopes: string[]): Promise<void> {
    expect((await byPerson(person, `/${fixture.slug}`, { method: 'PUT', body: { scopes } })).status).toBe(204);
  }

  async function grantsOf(person: Person): Promise<AgentGrantView[]> {
    return ((await (await byPerson(person, '')).json()) as { items: AgentGrantView[] }).items;
  }

  async function introspected(token: string): Promise<Record<string, unknown>> {
    return (await (await introspect(fixture, { token })).json()) as Record<string, unknown>;
  }

  it('INT-9 are empty at first, so that tokens contain no email address or name', async () => {
    const person = await createPerson(fixture.url, 'Nora');
    const token = await tokenFor(fixture.url, person, fixture.slug);
    for (const seen of [decodeJwt(token), await introspected(token)]) {
      expect(seen).toMatchObject({ scope: 'agent:call' });
      expect(seen).not.toHaveProperty('email');
      expect(seen).not.toHaveProperty('name');
    }
  });

  it('INT-9 are included in tokens issued later, scope by scope', async () => {
    const person = await createPerson(fixture.url, 'Greta');
    const before = await tokenFor(fixture.url, person, fixture.slug);
    await grant(person, ['email']);
    const token = await tokenFor(fixture.url, person, fixture.slug);
    for (const seen of [decodeJwt(token), await introspected(token)]) {
      expect(seen).toMatchObject({ scope: 'agent:call email', email: person.email });
      expect(seen).not.toHaveProperty('name');
    }
    expect(await introspected(before)).not.toHaveProperty('email');
    await grant(person, ['profile', 'email', 'delegate']);
    const more = await introspected(await tokenFor(fixture.url, person, fixture.slug));
    expect(more).toMatchObject({ name: 'Greta', email: person.email });
    expect(String(more.scope).split(' ').sort()).toEqual(['agent:call', 'delegate', 'email', 'profile']);
  });

  it('INT-9 are included in the token that the gateway passes to the agent', async () => {
    const person = await createPerson(fixture.url, 'Hans');
    await grant(person, ['email']);
    const line = { url: `${fixture.url}/agents/${fixture.slug}/a2a/jsonrpc`, token: '' };
    const call = async () => {
      const token = await tokenFor(fixture.url, person, fixture.slug);
      fixture.agent.received.length = 0;
      await rpc({ ...line, token }, 'message/send', message03('who am I'));
      return String(fixture.agent.messages[0]?.headers.authorization).replace('Bearer ', '');
    };
    const handed = await call();
    expect(await introspected(handed)).toMatchObject({ email: person.email });
    await grant(person, []);
    expect(await introspected(handed)).not.toHaveProperty('email');
    expect(decodeJwt(await call())).not.toHaveProperty('email');
  });

  it('are revoked immediately, even in issued tokens', async () => {
    const person = await createPerson(fixture.url, 'Tim');
    await grant(person, ['email', 'profile']);
    const token = await tokenFor(fixture.url, person, fixture.slug);
    await grant(person, ['profile']);
    expect(await introspected(token)).toMatchObject({ active: true, scope: 'agent:call profile', name: 'Tim' });
    expect(await introspected(token)).not.toHaveProperty('email');
    expect((await byPerson(person, `/${fixture.slug}`, { method: 'DELETE' })).status).toBe(204);
    expect(await introspected(token)).toMatchObject({ active: true, scope: 'agent:call' });
  });

  it('are listed with the time of the agent’s last use', async () => {
    const person = await createPerson(fixture.url, 'Lea');
    expect(await grantsOf(person)).toEqual([]);
    await tokenFor(fixture.url, person, fixture.slug);
    await expect
      .poll(() => grantsOf(person), { timeout: 10_000 })
      .toEqual([
        {
          agent: { slug: fixture.slug, name: 'Who calls', iconUrl: null, open: true },
          scopes: [],
          hire: 'ask',
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
        },
      ]);
    await grant(person, ['email']);
    expect((await grantsOf(person))[0]).toMatchObject({ scopes: ['email'], lastUsedAt: expect.any(String) });
    await byPerson(person, `/${fixture.slug}`, { method: 'DELETE' });
    expect(await grantsOf(person)).toEqual([]);
  });

  it('apply only to that agent', async () => {
    const agent = await ScriptedAgent.start({ name: 'Curious' });
    const slug = await listAgent(fixture.url, fixture.developer, { url: agent.url, appId: fixture.app.id });
    const person = await createPerson(fixture.url, 'Olaf');
    await grant(person, ['email']);
    expect(await introspected(await tokenFor(fixture.url, person, slug))).not.toHaveProperty('email');
    await agent.stop();
  });

  it('AUZ-1 can be read and changed only by the user, and only with a session', async () => {
    const [ada, eve] = [await createPerson(fixture.url, 'Ada'), await createPerson(fixture.url, 'Eve')];
    await grant(ada, ['email']);
    expect(await grantsOf(eve)).toEqual([]);
    expect((await byPerson(eve, `/${fixture.slug}`, { method: 'DELETE' })).status).toBe(404);
    expect(await grantsOf(ada)).toHaveLength(1);
    const address = `${fixture.url}/api/grants/${fixture.slug}`;
    const call = { method: 'PUT', body: { scopes: ['email', 'profile'] } };
    expect((await send(address, { ...call, bearer: ada.accessToken })).status).toBe(403);
    expect((await send(address, { ...call, cookie: ada.cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await send(address, call)).status).toBe(401);
    expect((await grantsOf(ada))[0]?.scopes).toEqual(['email']);
  });

  it.each([{}, { scopes: 'email' }, { scopes: ['agent:call'] }, { scopes: ['pay'] }, { scopes: [null] }])(
    'AUZ-3 cannot be set with the body %j',
    async (body) => {
      const person = await createPerson(fixture.url, 'Bad');
      expect((await byPerson(person, `/${fixture.slug}`, { method: 'PUT', body })).status).toBe(400);
    },
  );

  it('AUZ-1 return the same 404 for unknown agents and other users’ private agents', async () => {
    const agent = await ScriptedAgent.start({ name: 'Private' });
    const slug = await listAgent(fixture.url, fixture.developer, { url: agent.url, visibility: 'private' });
    const person = await createPerson(fixture.url, 'Paul');
    const bodies = new Set<string>();
    for (const path of [`/${slug}`, '/no-such-agent', '/%01']) {
      const response = await byPerson(person, path, { method: 'PUT', body: { scopes: ['email'] } });
      const { requestId: _differs, ...body } = (await response.json()) as { requestId: string };
      bodies.add(JSON.stringify({ status: response.status, body }));
    }
    expect([...bodies]).toEqual([expect.stringContaining('"not_found"')]);
    await agent.stop();
  });
});
