import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentView } from '@/lib/catalog/schema';
import type { SearchPage } from '@/lib/discovery/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { MAX_JSON_MEMBERS } from '@/lib/protocol/limits';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

let parley: Parley;

beforeAll(async () => {
  parley = await startParley({ env: { PROBE_INTERVAL_SECONDS: '1', AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
});

afterAll(async () => {
  await parley?.stop();
});

async function read({ slug, owner }: HubAgent, bearer: string | undefined = owner.accessToken): Promise<AgentView> {
  const response = await send(`${parley.url}/api/agents/${slug}`, { bearer });
  if (response.status !== 200) throw new Error(`read: ${response.status}`);
  return (await response.json()) as AgentView;
}

async function change({ slug, owner }: HubAgent, body: object): Promise<Response> {
  return send(`${parley.url}/api/agents/${slug}`, { method: 'PATCH', body, bearer: owner.accessToken });
}

async function search(query: string): Promise<SearchPage> {
  return (await (await send(`${parley.url}/api/agents?${query}`, {})).json()) as SearchPage;
}

async function standing({ slug }: HubAgent): Promise<AgentRanking> {
  return (await (await send(`${parley.url}/api/agents/${slug}/standing`, {})).json()) as AgentRanking;
}

/** A card whose name no other agent of this test has. */
function cardNamed(name: string, more: object = {}): { name: string } {
  const skills = [{ id: 'tell', name: 'Tell', description: 'Tells it.', tags: ['telling'] }];
  return { name, description: `${name} tells it.`, version: '1.0.0', skills, ...more } as { name: string };
}

/** A card with more elements than Parley reads. */
function tooLarge(): object {
  return cardNamed('Large', { extra: Array.from({ length: MAX_JSON_MEMBERS }, () => 0) });
}

describe('the presence of an agent that connects to Parley', () => {
  test('is shown to everyone who can access the agent, from the first hello to the last goodbye', async () => {
    const agent = await listHubAgent(parley);
    expect(await read(agent)).toMatchObject({
      connection: 'hub',
      presence: { online: false, workers: 0, connectedAt: null },
    });
    const workers = [await agent.worker(), await agent.worker()];
    expect((await read(agent)).presence).toMatchObject({ online: true, workers: 2, connectedAt: expect.any(String) });
    for (const worker of workers) await worker.close();
    const presence = await waitFor(
      async () => {
        const view = await read(agent);
        return view.presence?.online === false && view.presence;
      },
      { what: 'the agent to be offline' },
    );
    expect(presence).toMatchObject({ workers: 0, connectedAt: expect.any(String) });
  });

  test('is a catalog filter with a count, but does not exist for an agent with a public URL', async () => {
    const card = cardNamed('Presentbird');
    const [here, away] = [await listHubAgent(parley, { card }), await listHubAgent(parley, { card })];
    const fake = await ScriptedAgent.start();
    const owner = await createPerson(parley.url, 'Ada');
    const withAddress = await listAgent(parley.url, owner, { url: fake.url });
    const worker = await here.worker();
    const online = await search('q=presentbird&presence=online');
    expect(online.items.map(({ slug }) => slug)).toEqual([here.slug]);
    expect(online.items[0]).toMatchObject({ connection: 'hub', online: true, presence: { online: true, workers: 1 } });
    const all = await search('q=presentbird');
    expect(all.items.map(({ slug }) => slug).sort()).toEqual([here.slug, away.slug].sort());
    expect(all.facets.presence).toEqual([{ value: 'online', count: 1 }]);
    const other = await (await send(`${parley.url}/api/agents/${withAddress}`, {})).json();
    expect(other).toMatchObject({ connection: 'url', presence: null });
    worker.notify('worker.state', { draining: true });
    await waitFor(async () => (await search('q=presentbird&presence=online')).total === 0, { what: 'it to drain' });
    expect((await send(`${parley.url}/api/agents?presence=maybe`, {})).status).toBe(400);
    await worker.close();
    await fake.stop();
  });

  test('is visible only to the team of a private agent', async () => {
    const card = cardNamed('Secretbird');
    const agent = await listHubAgent(parley, { card, visibility: 'private' });
    const worker = await agent.worker();
    expect((await read(agent)).presence).toMatchObject({ online: true });
    const stranger = await createPerson(parley.url, 'Eve');
    for (const bearer of [undefined, stranger.accessToken]) {
      expect((await send(`${parley.url}/api/agents/${agent.slug}`, { bearer })).status).toBe(404);
    }
    const { items } = await search('q=secretbird&presence=online');
    expect(items.map(({ slug }) => slug)).not.toContain(agent.slug);
    await worker.close();
  });

  test('determines the agent’s health without a probe: the health is unknown before the first hello', async () => {
    const [silent, agent] = [await listHubAgent(parley), await listHubAgent(parley)];
    const worker = await agent.worker();
    await waitFor(async () => (await standing(agent)).health === 'healthy', { what: 'it to be healthy' });
    expect(await standing(agent)).toMatchObject({ latency: null });
    expect(worker.offers).toEqual([]);
    await worker.close();
    await waitFor(async () => (await standing(agent)).health === 'down', { what: 'it to be down' });
    expect((await standing(silent)).health).toBe('unknown');
  });
});

describe('the card of an agent that connects to Parley', () => {
  test('is sent with the hello, and is listed without delaying the hello', async () => {
    const agent = await listHubAgent(parley, { card: cardNamed('Early') });
    const worker = await agent.worker({ card: cardNamed('Latebird', { url: 'https://elsewhere.example/' }) });
    expect(worker.hello?.result).toBeDefined();
    await waitFor(async () => (await read(agent)).name === 'Latebird', { what: 'the new card' });
    expect((await search('q=latebird')).total).toBe(1);
    const published = await (await send(`${parley.url}/agents/${agent.slug}/.well-known/agent-card.json`, {})).json();
    expect(JSON.stringify(published)).not.toContain('elsewhere.example');
    await worker.close();
  });

  test('creates no new version if it is unchanged, with its members in any order', async () => {
    const { name, ...rest } = cardNamed('Same');
    const agent = await listHubAgent(parley, { card: { name, ...rest } });
    const before = await read(agent);
    const worker = await agent.worker({ card: { ...rest, name } });
    await waitFor(async () => (await read(agent)).card?.checkedAt !== before.card?.checkedAt, { what: 'the check' });
    expect((await read(agent)).updatedAt).toBe(before.updatedAt);
    await worker.close();
  });

  test('waits for approval if the team reviews every change, and is not proposed again once rejected', async () => {
    const agent = await listHubAgent(parley, { card: cardNamed('Held') });
    await change(agent, { holdsCards: true });
    const card = cardNamed('Waiting');
    const worker = await agent.worker({ card });
    const waiting = await waitFor(async () => (await read(agent)).card?.waiting, { what: 'the card to wait' });
    expect(waiting.reasons).toEqual([{ what: 'asked' }]);
    expect((await read(agent)).name).toBe('Held');
    const { digest } = waiting;
    const path = `${parley.url}/api/agents/${agent.slug}/card`;
    const kept = await send(`${path}/keep`, { body: { digest }, bearer: agent.owner.accessToken });
    expect(kept.status).toBe(204);
    const checkedAt = (await read(agent)).card?.checkedAt;
    const again = await agent.worker({ card });
    await waitFor(async () => (await read(agent)).card?.checkedAt !== checkedAt, { what: 'the check' });
    expect((await read(agent)).card?.waiting).toBeNull();
    await worker.close();
    await again.close();
  });

  test('leaves the listed card unchanged if it is invalid, and the team can read the reason', async () => {
    const agent = await listHubAgent(parley, { card: cardNamed('Sound') });
    const worker = await agent.worker({ card: tooLarge() });
    expect(worker.hello?.result).toBeDefined();
    const failing = await waitFor(async () => (await read(agent)).card?.failing, { what: 'the failure' });
    expect(failing.reason).toContain('error');
    expect((await read(agent)).name).toBe('Sound');
    await worker.close();
  });

  test('can be changed by its team, with immediate effect', async () => {
    const agent = await listHubAgent(parley);
    expect((await change(agent, { card: cardNamed('Patched') })).status).toBe(200);
    expect((await read(agent)).name).toBe('Patched');
  });

  test('is fetched only if the agent has a public URL', async () => {
    const fake = await ScriptedAgent.start();
    const owner = await createPerson(parley.url, 'Ada');
    const slug = await listAgent(parley.url, owner, { url: fake.url });
    const body = { card: cardNamed('Forged') };
    const forged = await send(`${parley.url}/api/agents/${slug}`, { method: 'PATCH', body, bearer: owner.accessToken });
    expect(forged.status).toBe(400);
    expect(await forged.json()).toMatchObject({ code: 'invalid_request', faults: [{ pointer: '/card' }] });
    await fake.stop();
  });
});

describe('an agent without a public URL', () => {
  test('has no card to fetch, no host to prove and no credential to store', async () => {
    const agent = await listHubAgent(parley);
    const bearer = agent.owner.accessToken;
    const path = `${parley.url}/api/agents/${agent.slug}`;
    const refused = [
      await send(`${path}/refresh`, { body: {}, bearer }),
      await send(`${path}/ownership`, { bearer }),
      await send(`${path}/ownership`, { body: {}, bearer }),
      await send(`${path}/credentials`, { method: 'PUT', body: { kind: 'bearer', token: 'secret' }, bearer }),
    ];
    for (const response of refused) {
      expect(response.status).toBe(409);
      expect(((await response.json()) as { code: string }).code).toBe('conflict');
    }
  });

  test('issues carts under its address in Parley, and has no keys until its owner registers them', async () => {
    const { slug, owner } = await listHubAgent(parley);
    const merchant = await send(`${parley.url}/api/agents/${slug}/merchant`, { bearer: owner.accessToken });
    const { origin } = new URL(parley.url);
    expect(await merchant.json()).toMatchObject({ issuer: `${origin}/agents/${slug}`, jwksUrl: null, keys: [] });
  });
});
