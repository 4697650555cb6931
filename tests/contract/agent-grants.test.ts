import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentGrantView } from '@/lib/tokens/schema';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, message03, type Person, rpc, send, tokenFor } from '../support/world';
import { introspect, openTokensWorld, type TokensWorld } from './tokens-world';

describe('what a person grants an agent', () => {
  let world: TokensWorld;

  beforeAll(async () => {
    world = await openTokensWorld();
  });

  afterAll(async () => {
    await world?.close();
  });

  function byPerson(person: Person, path: string, call: { method?: string; body?: object } = {}): Promise<Response> {
    return send(`${world.url}/api/grants${path}`, { ...call, cookie: person.cookie, origin: world.url });
  }

  async function grant(person: Person, scopes: string[]): Promise<void> {
    expect((await byPerson(person, `/${world.slug}`, { method: 'PUT', body: { scopes } })).status).toBe(204);
  }

  async function grantsOf(person: Person): Promise<AgentGrantView[]> {
    return ((await (await byPerson(person, '')).json()) as { items: AgentGrantView[] }).items;
  }

  async function told(token: string): Promise<Record<string, unknown>> {
    return (await (await introspect(world, { token })).json()) as Record<string, unknown>;
  }

  it('INT-9 is nothing at first: neither address nor name', async () => {
    const person = await createPerson(world.url, 'Nora');
    const token = await tokenFor(world.url, person, world.slug);
    for (const seen of [decodeJwt(token), await told(token)]) {
      expect(seen).toMatchObject({ scope: 'agent:call' });
      expect(seen).not.toHaveProperty('email');
      expect(seen).not.toHaveProperty('name');
    }
  });

  it('INT-9 stands in tokens made from then on, scope by scope', async () => {
    const person = await createPerson(world.url, 'Greta');
    const before = await tokenFor(world.url, person, world.slug);
    await grant(person, ['email']);
    const token = await tokenFor(world.url, person, world.slug);
    for (const seen of [decodeJwt(token), await told(token)]) {
      expect(seen).toMatchObject({ scope: 'agent:call email', email: person.email });
      expect(seen).not.toHaveProperty('name');
    }
    expect(await told(before)).not.toHaveProperty('email');
    await grant(person, ['profile', 'email', 'delegate']);
    const more = await told(await tokenFor(world.url, person, world.slug));
    expect(more).toMatchObject({ name: 'Greta', email: person.email });
    expect(String(more.scope).split(' ').sort()).toEqual(['agent:call', 'delegate', 'email', 'profile']);
  });

  it('INT-9 stands in what the gateway hands to the agent', async () => {
    const person = await createPerson(world.url, 'Hans');
    await grant(person, ['email']);
    const line = { url: `${world.url}/agents/${world.slug}/a2a/jsonrpc`, token: '' };
    const call = async () => {
      const token = await tokenFor(world.url, person, world.slug);
      world.agent.received.length = 0;
      await rpc({ ...line, token }, 'message/send', message03('who am I'));
      return String(world.agent.received[0]?.headers.authorization).replace('Bearer ', '');
    };
    const handed = await call();
    expect(await told(handed)).toMatchObject({ email: person.email });
    await grant(person, []);
    expect(await told(handed)).not.toHaveProperty('email');
    expect(decodeJwt(await call())).not.toHaveProperty('email');
  });

  it('is taken back at once, also from tokens that are out', async () => {
    const person = await createPerson(world.url, 'Tim');
    await grant(person, ['email', 'profile']);
    const token = await tokenFor(world.url, person, world.slug);
    await grant(person, ['profile']);
    expect(await told(token)).toMatchObject({ active: true, scope: 'agent:call profile', name: 'Tim' });
    expect(await told(token)).not.toHaveProperty('email');
    expect((await byPerson(person, `/${world.slug}`, { method: 'DELETE' })).status).toBe(204);
    expect(await told(token)).toMatchObject({ active: true, scope: 'agent:call' });
  });

  it('is listed with when the agent was last used', async () => {
    const person = await createPerson(world.url, 'Lea');
    expect(await grantsOf(person)).toEqual([]);
    await tokenFor(world.url, person, world.slug);
    await expect
      .poll(() => grantsOf(person), { timeout: 10_000 })
      .toEqual([
        {
          agent: { slug: world.slug, name: 'Who calls', open: true },
          scopes: [],
          createdAt: expect.any(String),
          lastUsedAt: expect.any(String),
        },
      ]);
    await grant(person, ['email']);
    expect((await grantsOf(person))[0]).toMatchObject({ scopes: ['email'], lastUsedAt: expect.any(String) });
    await byPerson(person, `/${world.slug}`, { method: 'DELETE' });
    expect(await grantsOf(person)).toEqual([]);
  });

  it('is for one agent alone', async () => {
    const agent = await ScriptedAgent.start({ name: 'Curious' });
    const slug = await listAgent(world.url, world.developer, { url: agent.url, appId: world.app.id });
    const person = await createPerson(world.url, 'Olaf');
    await grant(person, ['email']);
    expect(await told(await tokenFor(world.url, person, slug))).not.toHaveProperty('email');
    await agent.stop();
  });

  it('AUZ-1 is the person’s own to see and to change, and only by their session', async () => {
    const [ada, eve] = [await createPerson(world.url, 'Ada'), await createPerson(world.url, 'Eve')];
    await grant(ada, ['email']);
    expect(await grantsOf(eve)).toEqual([]);
    expect((await byPerson(eve, `/${world.slug}`, { method: 'DELETE' })).status).toBe(404);
    expect(await grantsOf(ada)).toHaveLength(1);
    const address = `${world.url}/api/grants/${world.slug}`;
    const call = { method: 'PUT', body: { scopes: ['email', 'profile'] } };
    expect((await send(address, { ...call, bearer: ada.accessToken })).status).toBe(403);
    expect((await send(address, { ...call, cookie: ada.cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await send(address, call)).status).toBe(401);
    expect((await grantsOf(ada))[0]?.scopes).toEqual(['email']);
  });

  it.each([{}, { scopes: 'email' }, { scopes: ['agent:call'] }, { scopes: ['pay'] }, { scopes: [null] }])(
    'AUZ-3 is refused as %j',
    async (body) => {
      const person = await createPerson(world.url, 'Bad');
      expect((await byPerson(person, `/${world.slug}`, { method: 'PUT', body })).status).toBe(400);
    },
  );

  it('AUZ-1 of unknown agents and of others’ private ones is one and the same 404', async () => {
    const agent = await ScriptedAgent.start({ name: 'Private' });
    const slug = await listAgent(world.url, world.developer, { url: agent.url, visibility: 'private' });
    const person = await createPerson(world.url, 'Paul');
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
