import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { suspendAgent } from '@/lib/catalog';
import { isIdentifier, publisherOf } from '@/lib/protocol/ard/entries';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** The requirements of Agentic Resource Discovery v0.91 for publishers (§4, §5.1) and registries (§5.3). */

const CARD_TYPE = 'application/a2a-agent-card+json';
const NAMESPACE = 'https://agenticresourcediscovery.org/ns#';

/** §4.2 and Appendix D.1: a complete entry, whose other members are open. */
const entry = z
  .looseObject({
    identifier: z.string().regex(/^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/),
    displayName: z.string().min(1),
    type: z.string().regex(/^[\w.+-]+\/[\w.+-]+$/),
    url: z.url(),
    description: z.string(),
    tags: z.array(z.string()),
    capabilities: z.array(z.string()),
    representativeQueries: z.array(z.string().min(1)).min(2).max(5).optional(),
    version: z.string(),
    updatedAt: z.iso.datetime().optional(),
  })
  .refine((value) => !('data' in value), 'exactly one of url and data');
type Entry = z.infer<typeof entry>;

const manifest = z.looseObject({ entries: z.array(entry) });
const failure = z.looseObject({ errorCode: z.string(), message: z.string().min(1) });

interface Found {
  results: (Entry & { score: number; source: string })[];
  referrals?: unknown[];
  pageToken?: string;
}

let parley: SharedParley;
let cards: CardServer;
let ada: Person;
let base: string;
let weather: string;

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await sharedParley();
  base = `${parley.url}/api/ard`;
  ada = await createPerson(parley.url, 'Ada');
  weather = await list('Barometer of Bergen', {
    description: 'Forecasts weather.',
    skills: [
      skill('Forecast', ['Will it rain in Oslo?', 'How warm is Rome tomorrow?'], ['weather']),
      skill('History', ['How wet was last May?'], ['climate']),
    ],
  });
});
afterAll(() => cards?.stop());

function skill(name: string, examples: string[], tags: string[]): object {
  return { id: name.toLowerCase(), name, description: `${name}.`, tags, examples };
}

async function list(name: string, change: object = {}, visibility?: string): Promise<string> {
  const path = crypto.randomUUID();
  return listAgent(parley.url, ada, {
    url: cards.serve(path, cardV10(cards.base(path), { name, ...change })),
    visibility,
  });
}

function identifierOf(slug: string): string {
  return `urn:air:agent.localhost:agent:${slug}`;
}

async function readManifest(): Promise<Entry[]> {
  const response = await fetch(`${parley.url}/.well-known/ard.json`);
  return manifest.parse(await response.json()).entries;
}

async function search(body: object): Promise<Found> {
  const response = await send(`${base}/search`, { body });
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as Found;
}

async function slugsFound(text: string, filter?: object): Promise<string[]> {
  const { results } = await search({ query: { text, filter } });
  return results.map(({ identifier }) => identifier.split(':').at(-1) ?? '');
}

function retrieve(identifier: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${base}/agents/${encodeURIComponent(identifier)}`, { headers });
}

async function expectFailure(response: Response, status: number, errorCode: string): Promise<void> {
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(status);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(failure.parse(body).errorCode).toBe(errorCode);
}

describe('ARD publishing (§5.1)', () => {
  it('serves one manifest at the current and the former path, for any origin, with ETag revalidation', async () => {
    const [current, earlier] = await Promise.all(
      ['ard', 'ai-catalog'].map((name) => fetch(`${parley.url}/.well-known/${name}.json`)),
    );
    const text = await current?.text();
    expect(await earlier?.text()).toBe(text);
    expect(manifest.safeParse(JSON.parse(text ?? '')).error).toBeUndefined();
    expect(current?.headers.get('access-control-allow-origin')).toBe('*');
    const headers = { 'if-none-match': current?.headers.get('etag') ?? '' };
    expect((await fetch(`${parley.url}/.well-known/ard.json`, { headers })).status).toBe(304);
  });

  it('names the registry, whose base URL can be searched', async () => {
    const registry = (await readManifest()).find(({ type }) => type === 'application/ai-registry+json');
    expect(registry).toMatchObject({ url: base, representativeQueries: expect.any(Array) });
  });

  it('describes each agent completely, with two to five examples of different skills', async () => {
    const found = (await readManifest()).find(({ identifier }) => identifier === identifierOf(weather));
    expect(found).toEqual({
      identifier: identifierOf(weather),
      displayName: 'Barometer of Bergen',
      type: CARD_TYPE,
      mediaType: CARD_TYPE,
      url: `${parley.url}/agents/${weather}/.well-known/agent-card.json`,
      description: 'Forecasts weather.',
      tags: ['weather', 'climate'],
      capabilities: ['Forecast', 'History'],
      representativeQueries: ['Will it rain in Oslo?', 'How wet was last May?', 'How warm is Rome tomorrow?'],
      version: '2.1.0',
      updatedAt: expect.any(String),
    });
    const card = await fetch(found?.url ?? '');
    expect(await card.json()).toMatchObject({ name: 'Barometer of Bergen' });
  });

  it('adds the skill’s name to a single example, and adds no example if the card has none', async () => {
    const one = await list('One example', { skills: [skill('Count sheep', ['Count to ten'], ['sleep'])] });
    const none = await list('No example', { skills: [skill('Nap', [], ['sleep'])] });
    const entries = new Map((await readManifest()).map((each) => [each.identifier, each]));
    expect(entries.get(identifierOf(one))?.representativeQueries).toEqual(['Count to ten', 'Count sheep']);
    expect(entries.get(identifierOf(none))).not.toHaveProperty('representativeQueries');
  });

  it('allows crawlers, and is linked in the head and the Link header of pages', async () => {
    const robots = await (await fetch(`${parley.url}/robots.txt`)).text();
    expect(robots).toContain('\nAllow: /api/ard/\n');
    for (const path of ['/', '/agents', `/agents/${weather}`]) {
      const page = await fetch(`${parley.url}${path}`, { headers: { accept: 'text/html' } });
      const [head = ''] = (await page.text()).split('</head>');
      expect(head.match(/<link[^>]*rel="ard"[^>]*>/)?.[0], path).toContain('href="/.well-known/ard.json"');
      expect(page.headers.get('link'), path).toContain('</.well-known/ard.json>; rel="ard"');
    }
  });
});

describe('ARD identifiers (Appendix C)', () => {
  it.each([
    ['https://parley.example', 'parley.example'],
    ['https://Parley.Example:8443', 'parley.example'],
    ['https://xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['http://localhost:3000', 'agent.localhost'],
    ['http://127.0.0.1:3000', 'agent.localhost'],
    ['http://parley.localhost:3000', 'parley.localhost'],
    ['https://192.0.2.7', null],
    ['https://[2001:db8::1]', null],
    ['http://intranet:3000', null],
  ])(
    'for a server at %s have the publisher %s, which is never a single-label name or an IP address',
    (origin, publisher) => {
      expect(publisherOf(origin)).toBe(publisher);
      if (publisher !== null) expect(isIdentifier(`urn:air:${publisher}:agent:a`)).toBe(true);
    },
  );
});

describe('POST /search (§5.3.2)', () => {
  it('returns ranked entries with an integer score and a source, but no examples', async () => {
    const { results, ...rest } = await search({ query: { text: 'barometer of bergen' } });
    expect(results[0]).toMatchObject({ identifier: identifierOf(weather), type: CARD_TYPE, source: base });
    for (const each of results) {
      expect(each).not.toHaveProperty('representativeQueries');
      expect(Number.isInteger(each.score) && each.score >= 0 && each.score <= 100).toBe(true);
    }
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(rest).toEqual({});
  });

  it('matches only the beginning of a description that is longer than the search limit', async () => {
    expect(await slugsFound(`barometer of bergen ${' '.repeat(300)}${'x'.repeat(900)}`)).toContain(weather);
  });

  it('returns no referrals, even if federation is "referrals", because Parley has none', async () => {
    const asked = (federation: string): Promise<Found> => search({ query: { text: 'barometer' }, federation });
    expect(await asked('referrals')).toHaveProperty('referrals', []);
    expect(await asked('auto')).not.toHaveProperty('referrals');
    expect(await asked('none')).not.toHaveProperty('referrals');
  });

  it('pages through all results without gaps or duplicates, and accepts only tokens from the same search', async () => {
    const skills = [skill('Count', ['Count beads'], ['beads'])];
    const made = await Promise.all([1, 2, 3, 4, 5].map((n) => list(`Abacus number ${n}`, { skills })));
    // Results are ordered by the ranking too, which is computed after the listing.
    const sql = 'SELECT 1 FROM agent_search s JOIN agent a ON a.id = s.agent_id WHERE a.slug = ANY($1) AND s.is_ranked';
    const isRanked = async (): Promise<boolean> => (await query('test-ranked', sql, [made])).length === made.length;
    await waitFor(isRanked, { what: 'the ranking of new agents' });
    const asked = { text: 'abacus', filter: { tags: ['beads'] } };
    const seen: string[] = [];
    let pageToken: string | undefined;
    let pages = 0;
    do {
      const page: Found = await search({ query: asked, pageSize: 2, ...(pageToken && { pageToken }) });
      seen.push(...page.results.map(({ identifier }) => identifier));
      if (pages === 0) {
        const other = { query: { text: 'barometer' }, pageSize: 2, pageToken: page.pageToken };
        await expectFailure(await send(`${base}/search`, { body: other }), 400, 'INVALID_ARGUMENT');
      }
      pageToken = page.pageToken;
      pages += 1;
    } while (pageToken !== undefined);
    expect(pages).toBe(3);
    expect(seen.sort()).toEqual(made.map(identifierOf).sort());
  });

  it('matches any value of a filter, and requires every filter to match', async () => {
    const tides = await list('Barometer of tides', { skills: [skill('Tide table', ['When is high tide?'], ['sea'])] });
    const found = (filter: object): Promise<string[]> => slugsFound('barometer', filter);
    expect((await found({ tags: ['sea', 'climate'] })).sort()).toEqual([tides, weather].sort());
    expect(await found({ tags: 'sea' })).toEqual([tides]);
    expect(await found({ capabilities: ['Forecast', 'Nothing'] })).toEqual([weather]);
    expect(await found({ tags: ['sea'], capabilities: ['Forecast'] })).toEqual([]);
    expect(await found({ type: ['application/mcp-server-card+json', CARD_TYPE] })).toEqual(
      expect.arrayContaining([tides, weather]),
    );
    expect(await found({ type: ['application/mcp-server-card+json'] })).toEqual([]);
    expect(await found({ publisher: ['agent.localhost'] })).toEqual(expect.arrayContaining([tides, weather]));
    expect(await found({ publisher: ['acme.com'] })).toEqual([]);
  });

  it('resolves filter keys by IRI, whatever the prefix', async () => {
    const found = async (context: unknown, key: string): Promise<Response> =>
      send(`${base}/search`, {
        body: { query: { '@context': context, text: 'barometer', filter: { [key]: ['sea'] } } },
      });
    const count = async (response: Response): Promise<number> => ((await response.json()) as Found).results.length;
    expect(await count(await found({ x: NAMESPACE }, 'x:tags'))).toBe(1);
    expect(
      await count(await found(['https://agenticresourcediscovery.org/context/v1', { y: NAMESPACE }], 'y:tags')),
    ).toBe(1);
    expect(await count(await found(undefined, `${NAMESPACE}tags`))).toBe(1);
    // The plain key is another term where the context binds it elsewhere.
    await expectFailure(await found({ tags: 'https://acme.com/vocab#tags' }, 'tags'), 400, 'INVALID_ARGUMENT');
    await expectFailure(
      await found({ okf: 'https://openknowledgeformat.org/ns#' }, 'okf:taxonomy'),
      400,
      'INVALID_ARGUMENT',
    );
    // A context by URL is never loaded.
    await expectFailure(await found(`${cards.url}/context.json`, 'tags'), 400, 'INVALID_ARGUMENT');
    expect(cards.requests).not.toContain('GET /context.json');
  });

  it.each([
    ['no query', {}],
    ['no text', { query: { filter: { type: CARD_TYPE } } }],
    ['an empty text', { query: { text: ' ' } }],
    ['a text that is not a string', { query: { text: 7 } }],
    ['a filter by an unknown term', { query: { text: 'a', filter: { 'trustManifest.attestations.type': ['SOC2'] } } }],
    ['a filter by a member of Object', { query: { text: 'a', filter: { constructor: ['x'], toString: 'x' } } }],
    ['a page size of zero', { query: { text: 'a' }, pageSize: 0 }],
    ['a page size that is too large', { query: { text: 'a' }, pageSize: 101 }],
    ['a forged page token', { query: { text: 'a' }, pageToken: 'eyJwYWdlIjogMn0=' }],
    ['an unknown federation', { query: { text: 'a' }, federation: 'all' }],
    ['a misspelled member', { query: { text: 'a' }, pagesize: 3 }],
    ['text with U+0000', { query: { text: 'a\0b' } }],
  ])('rejects %s as INVALID_ARGUMENT', async (_name, body) => {
    await expectFailure(await send(`${base}/search`, { body }), 400, 'INVALID_ARGUMENT');
  });

  it.each(['{', '[]', '"text"', '{"__proto__":{}}', `{"query":${'['.repeat(200)}`])(
    'rejects the body %s',
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      await expectFailure(await fetch(`${base}/search`, { method: 'POST', headers, body }), 400, 'INVALID_ARGUMENT');
    },
  );

  it('can be called by pages from other origins, without cookies', async () => {
    const preflight = await fetch(`${base}/search`, {
      method: 'OPTIONS',
      headers: { origin: 'https://other.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    const headers = { origin: 'https://other.example', 'content-type': 'application/json' };
    const body = JSON.stringify({ query: { text: 'barometer' } });
    const response = await fetch(`${base}/search`, { method: 'POST', headers, body });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  });
});

describe('GET /agents/{identifier} (§5.3.4)', () => {
  it('returns the manifest entry without the members that only searches add', async () => {
    const found = await retrieve(identifierOf(weather));
    expect(found.status).toBe(200);
    const published = (await readManifest()).find(({ identifier }) => identifier === identifierOf(weather));
    expect(await found.json()).toEqual(published);
  });

  it('returns every manifest entry by its identifier, including the registry’s own entry', async () => {
    for (const each of await readManifest()) {
      const response = await retrieve(each.identifier);
      expect(await response.json(), each.identifier).toEqual(each);
    }
  });

  it('can be cached and revalidated, except for a 404', async () => {
    const first = await retrieve(identifierOf(weather));
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const again = await retrieve(identifierOf(weather), { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const absent = await retrieve('urn:air:ard-conformance.invalid:probe:not-found');
    expect(absent.headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['of another publisher', () => 'urn:air:acme.com:agent:assistant'],
    ['that differs in case', () => identifierOf(weather).replace('agent:', 'Agent:')],
    ['with the slug in upper case', () => identifierOf(weather.toUpperCase())],
    ['of an agent that never existed', () => identifierOf('never-was')],
    ['with more segments', () => `${identifierOf(weather)}:more`],
    ['of another registry', () => 'urn:air:agent.localhost:registry:other'],
  ])('returns NOT_FOUND for an identifier %s', async (_name, identifier) => {
    await expectFailure(await retrieve(identifier()), 404, 'NOT_FOUND');
  });

  it.each([
    ['text that is not a URN', 'not-a-valid-ard-urn'],
    ['another URN namespace', 'urn:ai:acme.com:agent:a'],
    ['no name', 'urn:air:acme.com'],
    ['a nested encoding', `urn%3Aair%3Aacme.com%3Aagent%3Aa`],
    ['a slash', 'urn:air:acme.com:agent:a/b'],
    ['a line break', 'urn:air:acme.com:agent:a\n'],
    ['U+0000', 'urn:air:acme.com:agent:a\0'],
    ['a very long text', `urn:air:acme.com:${'?'.repeat(3_000)}`],
  ])('returns INVALID_ARGUMENT for %s', async (_name, identifier) => {
    await expectFailure(await retrieve(identifier), 400, 'INVALID_ARGUMENT');
  });

  it('decodes the path exactly once and rejects a doubly encoded identifier', async () => {
    const twice = encodeURIComponent(encodeURIComponent(identifierOf(weather)));
    await expectFailure(await fetch(`${base}/agents/${twice}`), 400, 'INVALID_ARGUMENT');
    // Colons need no encoding in a path (RFC 3986 §3.3).
    expect((await fetch(`${base}/agents/${identifierOf(weather)}`)).status).toBe(200);
  });

  it.each(['%', '%zz', '%c3%28', 'urn%3Aair%3'])(
    'returns INVALID_ARGUMENT for the invalid encoding %s',
    async (text) => {
      await expectFailure(await fetch(`${base}/agents/${text}`), 400, 'INVALID_ARGUMENT');
    },
  );
});

describe('GET /agents (§5.3.5)', () => {
  async function page(parameters: Record<string, string>): Promise<{ items: Entry[]; pageToken?: string }> {
    const response = await send(`${base}/agents?${new URLSearchParams(parameters)}`, {});
    expect(response.status, await response.clone().text()).toBe(200);
    return (await response.json()) as { items: Entry[]; pageToken?: string };
  }

  it.each(['createdAt DESC', 'displayName'])('pages through all agents by %s', async (orderBy) => {
    const all = (await page({ orderBy, pageSize: '100' })).items.map(({ identifier }) => identifier);
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const { items, pageToken } = await page({ orderBy, pageSize: '3', ...(token && { pageToken: token }) });
      seen.push(...items.map((item) => entry.parse(item).identifier));
      token = pageToken;
    } while (token !== undefined);
    expect(seen).toEqual(all);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain(identifierOf(weather));
  });

  it('filters by name, type, publisher and time', async () => {
    const names = async (filter: string): Promise<string[]> =>
      (await page({ filter, pageSize: '100' })).items.map(({ displayName }) => displayName);
    expect(await names("displayName = 'BAROMETER of b'")).toEqual(['Barometer of Bergen']);
    expect(await names(`type = '${CARD_TYPE}' AND displayName = "barometer of bergen"`)).toHaveLength(1);
    expect(await names("type = 'application/mcp-server-card+json'")).toEqual([]);
    expect(await names('publisherId = agent.localhost,acme.com AND displayName=Barometer')).toContain(
      'Barometer of Bergen',
    );
    expect(await names("createdAfter > '2020-01-01' AND updatedAfter = '2020-01-01T00:00:00Z'")).toContain(
      'Barometer of Bergen',
    );
    expect(await names("createdAfter > '2999-01-01'")).toEqual([]);
  });

  it.each<Record<string, string>>([
    { filter: 'score > 3' },
    { filter: "displayName = 'a' OR displayName = 'b'" },
    { filter: "createdAfter > 'yesterday'" },
    { filter: "displayName = 'a' AND displayName = 'b'" },
    { orderBy: 'relevance' },
    { pageSize: '0' },
    { pageSize: '101' },
    { pageToken: 'invented' },
  ])('rejects %o as INVALID_ARGUMENT', async (parameters) => {
    await expectFailure(await fetch(`${base}/agents?${new URLSearchParams(parameters)}`), 400, 'INVALID_ARGUMENT');
  });
});

describe('the ARD registry', () => {
  it('returns 501 for Explore and 404 or 405 for other unsupported requests, in the error envelope', async () => {
    const explore = { resultType: { facets: [{ field: 'type' }] } };
    await expectFailure(await send(`${base}/explore`, { body: explore }), 501, 'UNIMPLEMENTED');
    await expectFailure(await fetch(`${base}/nothing`), 404, 'NOT_FOUND');
    await expectFailure(await fetch(`${base}/agents/a/b`), 404, 'NOT_FOUND');
    await expectFailure(await fetch(`${base}/search`), 405, 'METHOD_NOT_ALLOWED');
  });

  it('returns UNAUTHENTICATED for invalid credentials', async () => {
    const headers = { authorization: 'Bearer nothing' };
    await expectFailure(await retrieve(identifierOf(weather), headers), 401, 'UNAUTHENTICATED');
  });
});

describe('AUZ-3: every list of agents', () => {
  /** The places of an agent: in the manifest, in the list, in a search by name, and under its identifier. */
  async function presenceOf(slug: string, name: string): Promise<boolean[]> {
    const identifier = identifierOf(slug);
    const listed = (await (await fetch(`${base}/agents?pageSize=100`)).json()) as { items: Entry[] };
    return [
      (await readManifest()).some((each) => each.identifier === identifier),
      listed.items.some((each) => each.identifier === identifier),
      (await slugsFound(name)).includes(slug),
      (await retrieve(identifier, { authorization: `Bearer ${ada.accessToken}` })).status === 200,
    ];
  }

  const everywhere = [true, true, true, true];
  const nowhere = [false, false, false, false];

  async function change(slug: string, body: object | null): Promise<void> {
    const method = body ? 'PATCH' : 'DELETE';
    const response = await send(`${parley.url}/api/agents/${slug}`, {
      method,
      body: body ?? undefined,
      bearer: ada.accessToken,
    });
    expect(response.ok, await response.text()).toBe(true);
  }

  it.each(['private', 'unlisted'])('omits an agent that becomes %s, even for its owner', async (visibility) => {
    const name = `Zeppelin ${visibility}`;
    const slug = await list(name);
    expect(await presenceOf(slug, name)).toEqual(everywhere);
    await change(slug, { visibility });
    expect(await presenceOf(slug, name)).toEqual(nowhere);
  });

  it('omits a withdrawn agent', async () => {
    const slug = await list('Zeppelin withdrawn');
    await change(slug, null);
    expect(await presenceOf(slug, 'Zeppelin withdrawn')).toEqual(nowhere);
  });

  it('omits a suspended agent', async () => {
    const slug = await list('Zeppelin suspended');
    const [found] = await query<{ id: string }>('test-agent-id', 'SELECT id FROM agent WHERE slug = $1', [slug]);
    const actor = { kind: 'anonymous' as const };
    const ctx = { actor, requestId: 'req_test', signal: new AbortController().signal, now: new Date() };
    await suspendAgent({ ctx, input: { agentId: found?.id ?? '' }, afterUpdate: () => Promise.resolve() });
    expect(await presenceOf(slug, 'Zeppelin suspended')).toEqual(nowhere);
  });

  it('omits an agent that is withheld because it has been down for too long', async () => {
    const slug = await list('Zeppelin withheld');
    const sql = 'UPDATE agent_search s SET is_withheld = true FROM agent a WHERE a.id = s.agent_id AND a.slug = $1';
    const presence = async (): Promise<boolean[]> => {
      // Rankings that are computed meanwhile list the agent again.
      await query('test-withhold', sql, [slug]);
      return presenceOf(slug, 'Zeppelin withheld');
    };
    await expect.poll(presence, { timeout: 10_000 }).toEqual(nowhere);
  });
});
