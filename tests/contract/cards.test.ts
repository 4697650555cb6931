import { AgentCard as AgentCardV10 } from '@a2a-js/sdk';
import { DefaultAgentCardResolver as ResolverV10 } from '@a2a-js/sdk/client';
import { DefaultAgentCardResolver as ResolverV03 } from 'a2a-sdk-0-3/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CardDiagnostic } from '@/lib/catalog/schema-cards';
import { type BadCard, badCards } from '../fakes/bad-cards';
import { CardServer } from '../fakes/card-server';
import { cardV03, cardV10, cardWeb42 } from '../fakes/cards';
import { createPerson, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

describe('agent cards:', () => {
  let parley: SharedParley;
  let cards: CardServer;
  let ada: Person;
  let bob: Person;

  beforeAll(async () => {
    cards = await CardServer.start();
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    bob = await createPerson(parley.url, 'Bob');
  });

  afterAll(() => cards?.stop());

  async function register(url: string, more: object = {}): Promise<string> {
    const response = await send(`${parley.url}/api/agents`, { body: { url, ...more }, bearer: ada.accessToken });
    const body = (await response.json()) as { slug: string };
    if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(body)}`);
    return body.slug;
  }

  const cardOf = (slug: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json`, { headers });

  describe('an invalid card', () => {
    const table = badCards('http://127.0.0.1:9');
    let listedBefore: number;

    const countListed = async (): Promise<number> => {
      const page = (await (await fetch(`${parley.url}/api/agents`)).json()) as { total: number };
      return page.total;
    };

    beforeAll(async () => {
      listedBefore = await countListed();
    });

    test.each(table.map(({ title }, index) => [title, index] as const))(
      'is rejected with the exact position of the error: %s',
      async (_title, index) => {
        const base = cards.base(`bad-${index}`);
        const bad = badCards(base)[index] as BadCard;
        cards.serve(`bad-${index}`, bad.bytes);
        const { rule, pointer, line, column } = bad;
        const refused = await send(`${parley.url}/api/agents`, { body: { url: base }, bearer: ada.accessToken });
        const problem = (await refused.json()) as { code: string; faults: CardDiagnostic[] };
        expect(refused.status).toBe(422);
        expect(refused.headers.get('content-type')).toBe('application/problem+json');
        expect(problem.code).toBe('card_invalid');
        expect(problem.faults[0]).toMatchObject({ rule, pointer, line, column });
        expect(Object.keys(problem.faults[0] ?? {}).sort()).toEqual([
          'column',
          'expected',
          'fix',
          'found',
          'line',
          'pointer',
          'rule',
        ]);

        const preview = await send(`${parley.url}/api/agents/preview`, {
          body: { url: base },
          bearer: ada.accessToken,
        });
        expect(preview.status).toBe(200);
        expect(await preview.json()).toMatchObject({ card: null, slug: null, faults: problem.faults });
      },
    );

    test('is not listed in any of more than 25 cases', async () => {
      expect(table.length).toBeGreaterThan(25);
      expect(await countListed()).toBe(listedBefore);
    });
  });

  describe('the card that Parley serves', () => {
    let slug: string;

    beforeAll(async () => {
      const url = cards.serve('served', cardV10(cards.base('served'), { name: 'Served' }));
      slug = await register(url);
    });

    test('is the hybrid card if A2A-Version is 0.3, empty or absent, and the 1.0 card if it is 1.0', async () => {
      const endpoint = `${parley.url}/agents/${slug}/a2a/jsonrpc`;
      const rest = `${parley.url}/agents/${slug}/a2a/rest`;
      for (const headers of [{}, { 'a2a-version': '0.3' }, { 'a2a-version': '' }] as Record<string, string>[]) {
        const response = await cardOf(slug, headers);
        expect(await response.json()).toMatchObject({
          protocolVersion: '0.3.0',
          url: endpoint,
          supportedInterfaces: [
            { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
            { url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
            { url: endpoint, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
            { url: rest, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
          ],
          additionalInterfaces: [
            { url: endpoint, transport: 'JSONRPC' },
            { url: rest, transport: 'HTTP+JSON' },
          ],
        });
        expect(response.headers.get('vary')).toMatch(/\bA2A-Version\b/);
      }
      const pure = (await (await cardOf(slug, { 'a2a-version': '1.0' })).json()) as object;
      expect(AgentCardV10.toJSON(AgentCardV10.fromJSON(pure))).toEqual(pure);
      expect(pure).not.toHaveProperty('url');
      expect(
        await (await fetch(`${parley.url}/agents/${slug}/.well-known/agent-card.json?A2A-Version=1.0`)).json(),
      ).toEqual(pure);
    });

    test('declares only our scheme and how to obtain a token', async () => {
      const card = (await (await cardOf(slug)).json()) as { securitySchemes: Record<string, { description: string }> };
      expect(Object.keys(card.securitySchemes)).toEqual(['parley']);
      expect(card.securitySchemes.parley?.description).toContain(`${parley.url}/api/auth/handshake`);
      expect(card.securitySchemes.parley?.description).toContain(`{"agentSlug":"${slug}"}`);
    });

    test('is replaced by a problem document with the supported versions if the version is unknown', async () => {
      for (const version of ['2.0', '1', 'abc', '1.0, 0.3']) {
        const response = await cardOf(slug, { 'a2a-version': version });
        expect(response.status).toBe(400);
        expect(response.headers.get('vary')).toMatch(/\bA2A-Version\b/);
        expect(await response.json()).toMatchObject({ code: 'version_not_supported', supported: ['1.0', '0.3'] });
      }
    });

    test('can be cached and revalidated, with an ETag for each version', async () => {
      const [hybrid, pure] = [await cardOf(slug), await cardOf(slug, { 'a2a-version': '1.0' })];
      expect(hybrid.headers.get('cache-control')).toBe('public, max-age=300');
      expect(hybrid.headers.get('access-control-allow-origin')).toBe('*');
      expect(hybrid.headers.get('content-type')).toBe('application/json');
      const etag = hybrid.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      expect(pure.headers.get('etag')).not.toBe(etag);
      const same = await cardOf(slug, { 'if-none-match': `"other", W/${etag}` });
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag]);
      expect((await cardOf(slug, { 'if-none-match': etag, 'a2a-version': '1.0' })).status).toBe(200);
      const changedAt = hybrid.headers.get('last-modified') ?? '';
      expect((await cardOf(slug, { 'if-modified-since': changedAt })).status).toBe(304);
      expect((await cardOf(slug, { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(200);
      expect((await cardOf(slug, { 'if-modified-since': 'yesterday' })).status).toBe(200);
      expect((await cardOf(slug, { 'if-modified-since': changedAt, 'if-none-match': '"other"' })).status).toBe(200);
    });

    test('is public, even for a request with an unrelated bearer token', async () => {
      expect((await cardOf(slug, { authorization: 'Bearer some.agent.token' })).status).toBe(200);
    });

    test('has a new ETag after the agent changes its card', async () => {
      const url = cards.serve('changing', cardV10(cards.base('changing'), { name: 'Changing' }));
      const changing = await register(url);
      const before = (await cardOf(changing)).headers.get('etag');
      cards.serve('changing', cardV10(cards.base('changing'), { name: 'Changing', description: 'Now different.' }));
      const again = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
      expect(again.status).toBe(200);
      const after = await cardOf(changing);
      expect(after.headers.get('etag')).not.toBe(before);
      expect(await after.json()).toMatchObject({ description: 'Now different.' });
    });
  });

  describe('SDK clients', () => {
    test.each([
      ['1.0', (base: string) => cardV10(base)],
      ['0.3', (base: string) => cardV03(base)],
    ])('of both major versions resolve the card of an agent that supports %s', async (version, make) => {
      const name = `sdk-${version}`;
      const slug = await register(cards.serve(name, make(cards.base(name))));
      const path = `/agents/${slug}/.well-known/agent-card.json`;
      const url = `${parley.url}/agents/${slug}/a2a/jsonrpc`;
      const newer = await new ResolverV10().resolve(parley.url, path);
      expect(newer.supportedInterfaces[0]).toMatchObject({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
      expect(newer.capabilities).toMatchObject({ streaming: true, pushNotifications: true });
      const older = await new ResolverV03().resolve(parley.url, path);
      expect(older).toMatchObject({
        url,
        preferredTransport: 'JSONRPC',
        protocolVersion: '0.3.0',
        security: [{ parley: ['agent:call'] }],
      });
      expect(older.skills).toMatchObject([{ id: 'translate', name: 'Translate text' }]);
    });
  });

  describe('the agent’s own card', () => {
    test('is served byte for byte, as JSON that browsers never execute', async () => {
      const bytes = Buffer.from(
        `\ufeff  ${JSON.stringify(cardV10(cards.base('bytes'), { name: 'Bytes <script>' }), null, 7)}\r\n`,
      );
      const slug = await register(cards.serve('bytes', bytes, { 'content-type': 'text/html' }));
      const response = await fetch(`${parley.url}/agents/${slug}/upstream-card.json`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    });
  });

  describe('a private agent’s cards', () => {
    test('are visible only to its owner, by session or access token, and are never cached', async () => {
      const url = cards.serve('private', cardV10(cards.base('private'), { name: 'Private' }));
      const slug = await register(url, { visibility: 'private' });
      for (const path of ['.well-known/agent-card.json', 'upstream-card.json']) {
        const at = `${parley.url}/agents/${slug}/${path}`;
        const unknown = await fetch(`${parley.url}/agents/no-such-agent/${path}`);
        for (const stranger of [{}, { bearer: bob.accessToken }, { cookie: bob.cookie }, { bearer: 'not-a-token' }]) {
          const response = await send(at, stranger);
          expect(response.status).toBe(404);
          const { requestId: _one, ...shown } = (await response.json()) as { requestId: string };
          const { requestId: _other, ...expected } = (await unknown.clone().json()) as { requestId: string };
          expect(shown).toEqual(expected);
        }
        for (const owner of [{ bearer: ada.accessToken }, { cookie: ada.cookie }]) {
          const response = await send(at, owner);
          expect(response.status).toBe(200);
          expect(response.headers.get('cache-control')).toBe('no-store');
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
        }
      }
    });
  });

  describe('a Web42 card', () => {
    const answersRpc = (name: string, status: number, body: string): void => {
      cards.on('POST', `/${name}/a2a/jsonrpc`, (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      });
    };

    test.each([
      ['a JSON-RPC response', 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no such task"}}'],
      ['a request for credentials', 401, ''],
    ])('is listed if {url}/a2a/jsonrpc returns %s', async (_title, status, body) => {
      const name = `web42-${status}`;
      answersRpc(name, status, body);
      const slug = await register(cards.serve(name, cardWeb42({ name: `Pizza ${status}` })));
      expect(await (await fetch(`${parley.url}/api/agents/${slug}`)).json()).toMatchObject({
        name: `Pizza ${status}`,
        badges: ['authenticated', 'payments', 'streaming'],
      });
    });

    test.each([
      ['an HTTP 404', 404, ''],
      ['a page', 200, '<html></html>'],
      ['other JSON', 200, '{"ok":true}'],
    ])('is rejected because it has no URL if {url} returns %s', async (title, status, body) => {
      const name = `web42-${title.replace(/ /g, '-')}`;
      answersRpc(name, status, body);
      const url = cards.serve(name, cardWeb42());
      const response = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({
        faults: [{ rule: 'endpoint.missing', pointer: '/url', line: 1, column: 1 }],
      });
    });
  });
});
