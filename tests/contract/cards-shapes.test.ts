import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk';
import type { JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

describe('the cards in every version', () => {
  let parley: SharedParley;
  let cards: CardServer;
  let slug: string;
  let ada: Person;

  beforeAll(async () => {
    cards = await CardServer.start();
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    const url = cards.serve('shaped', cardV10(cards.base('shaped'), { name: 'Shaped' }));
    const response = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
    slug = ((await response.json()) as { slug: string }).slug;
  });

  afterAll(() => cards?.stop());

  test('include agent.json in the shape of A2A 0.1 and 0.2', async () => {
    const card = await (await fetch(`${parley.url}/agents/${slug}/.well-known/agent.json`)).json();
    expect(card).toMatchObject({
      name: 'Shaped',
      url: `${parley.url}/agents/${slug}/a2a/jsonrpc`,
      version: '2.1.0',
      protocolVersion: '0.2.6',
      capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
      authentication: { schemes: ['bearer'] },
      defaultInputModes: ['text/plain'],
      skills: [{ id: 'translate', tags: ['Translation', 'languages'] }],
    });
    for (const member of ['supportedInterfaces', 'preferredTransport', 'signatures']) {
      expect(card).not.toHaveProperty(member);
    }
  });

  test('list every address in Parley, but never the agent’s own URL', async () => {
    const text = await (await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`)).text();
    const { supportedInterfaces } = JSON.parse(text) as { supportedInterfaces: object[] };
    const base = `${parley.url}/agents/${slug}/a2a`;
    const both = [
      { url: `${base}/jsonrpc`, protocolBinding: 'JSONRPC' },
      { url: `${base}/rest`, protocolBinding: 'HTTP+JSON' },
    ];
    expect(supportedInterfaces).toEqual(
      ['1.0', '0.3'].flatMap((protocolVersion) => both.map((one) => ({ ...one, protocolVersion }))),
    );
    expect(text).not.toContain(new URL(cards.url).host);
  });

  test('are missing for a fetched card that names only ws-agent://, which is rejected with the reason', async () => {
    const card = {
      name: 'Behind a hub',
      description: 'Reachable by its own connection alone',
      url: 'ws-agent://openclaw-abc123',
      version: '1.0.0',
      capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: true },
      skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: ['answer'] }],
      authentication: { schemes: ['bearer'], credentials: null },
    };
    const body = { url: cards.serve('hub', card) };
    const response = await send(`${parley.url}/api/agents`, { body, bearer: ada.accessToken });
    expect(response.status).toBe(422);
    const { faults } = (await response.json()) as { faults: { pointer: string; found: string }[] };
    expect(faults).toMatchObject([{ pointer: '/url', found: expect.stringContaining('ws-agent://openclaw-abc123') }]);
  });

  test('omit A2A 0.1 authentication from agent-card.json, because the 0.3 compatibility kit rejects it', async () => {
    const card = await (await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({ protocolVersion: '0.3.0', securitySchemes: { parley: { type: 'http' } } });
    expect(card).not.toHaveProperty('authentication');
  });

  test('include the marketplace’s own card', async () => {
    const url = `${parley.url}/a2a/jsonrpc`;
    const at = `${parley.url}/.well-known/agent-card.json`;
    const hybrid = await (await fetch(at)).json();
    expect(hybrid).toMatchObject({ name: 'Parley', url, supportedInterfaces: [{ url }, { url }], skills: [{}] });
    expect(await (await fetch(`${parley.url}/.well-known/agent.json`)).json()).toMatchObject({ name: 'Parley', url });
    const pure = (await (await fetch(at, { headers: { 'a2a-version': '1.0' } })).json()) as object;
    expect(AgentCard.toJSON(AgentCard.fromJSON(pure))).toEqual(pure);
    const { keys } = (await (await fetch(`${parley.url}/.well-known/jwks.json`)).json()) as { keys: JWK[] };
    const verify = verifyAgentCardSignature(async (kid) => keys.find((key) => key.kid === kid) ?? {});
    await verify({ ...AgentCard.fromJSON(pure), ...pure });
  });

  test.each(['agents/:slug/.well-known/agent.json', '.well-known/agent-card.json', '.well-known/agent.json'])(
    'can be cached and revalidated at /%s (A2A 1.0 §8.6)',
    async (path) => {
      const at = `${parley.url}/${path.replace(':slug', slug)}`;
      const first = await fetch(at);
      expect(first.status).toBe(200);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect(first.headers.get('vary')).toMatch(/\bA2A-Version\b/);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      const again = await fetch(at, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const since = first.headers.get('last-modified') ?? '';
      expect((await fetch(at, { headers: { 'if-modified-since': since } })).status).toBe(304);
      expect((await fetch(at, { headers: { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' } })).status).toBe(200);
    },
  );
});
