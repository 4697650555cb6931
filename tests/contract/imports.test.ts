import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ImportEntry, ImportList, ImportOutcome, ImportVerdict } from '@/lib/catalog/schema-imports';
import { newUuid } from '@/lib/platform/ids';
import { CardServer } from '../fakes/card-server';
import { cardV03, cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const CARD_TYPE = 'application/a2a-agent-card+json';

let parley: SharedParley;
let host: CardServer;
let ada: Person;

beforeAll(async () => {
  host = await CardServer.start();
  parley = await sharedParley();
});
afterAll(() => host?.stop());
// Imports are limited per user.
beforeEach(async () => {
  ada = await createPerson(parley.url, 'Ada');
});

/** An agent on the network; returns the address of its card. */
function agent(name: string, change: object = {}): string {
  const path = newUuid();
  host.serve(path, cardV10(host.base(path), { name, ...change }));
  return `${host.base(path)}/.well-known/agent-card.json`;
}

/** Serves a document below a new path; returns its address. */
function serve(value: unknown, path = `/${newUuid()}/list.json`): string {
  const body = typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value);
  host.on('GET', path, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  return host.url + path;
}

function ardEntry(name: string, url: string, change: object = {}): object {
  return {
    identifier: `urn:air:acme.com:agent:${name.toLowerCase()}`,
    displayName: name,
    type: CARD_TYPE,
    url,
    ...change,
  };
}

function call(path: string, body: object, person = ada): Promise<Response> {
  return send(`${parley.url}/api/imports${path}`, { body, bearer: person.accessToken });
}

async function read(source: { url: string } | { text: string }): Promise<ImportList> {
  const response = await call('', source);
  expect(response.status, await response.clone().text()).toBe(200);
  return (await response.json()) as ImportList;
}

async function refusal(
  source: { url: string } | { text: string },
): Promise<{ status: number; code: string; title: string }> {
  return (await (await call('', source)).json()) as { status: number; code: string; title: string };
}

async function check(...urls: string[]): Promise<ImportVerdict[]> {
  const response = await call('/check', { agents: urls.map((url) => ({ url })) });
  expect(response.status, await response.clone().text()).toBe(200);
  return ((await response.json()) as { results: ImportVerdict[] }).results;
}

async function list(urls: string[], options: object = {}, person = ada): Promise<ImportOutcome[]> {
  const agents = urls.map((url) => ({ url, ...options }));
  const response = await call('/list', { agents }, person);
  expect(response.status, await response.clone().text()).toBe(200);
  return ((await response.json()) as { results: ImportOutcome[] }).results;
}

function urlsOf({ entries }: ImportList): (string | null)[] {
  return entries.map(({ url }) => url);
}

function problemsOf(entries: ImportEntry[]): (string | undefined)[] {
  return entries.map(({ problem }) => problem?.code);
}

async function listed(slug: string): Promise<boolean> {
  return (await fetch(`${parley.url}/api/agents/${slug}`)).status === 200;
}

describe('importing a list', () => {
  it('reads an ARD manifest with cards by reference and inline, `mediaType` for `type`, and relative URLs', async () => {
    const path = newUuid();
    const card = cardV10(host.base(path), { name: 'Inline' });
    const url = serve(
      {
        specVersion: '1.0',
        entries: [
          ardEntry('By reference', 'cards/one.json'),
          ardEntry('By media type', agent('Two'), { type: undefined, mediaType: `${CARD_TYPE}; charset=utf-8` }),
          ardEntry('Inline', '', { url: undefined, data: card }),
        ],
      },
      '/site/ard.json',
    );
    const found = await read({ url });
    expect(found).toMatchObject({ source: url, format: 'ard', omitted: 0 });
    expect(urlsOf(found)).toEqual([`${host.url}/site/cards/one.json`, expect.any(String), `${host.base(path)}/a2a`]);
    expect(found.entries[0]).toEqual({
      number: 1,
      identifier: 'urn:air:acme.com:agent:by reference',
      name: 'By reference',
      url: `${host.url}/site/cards/one.json`,
      source: null,
      problem: null,
    });
  });

  it('reports the kind of any other document, and the expected kinds', async () => {
    const url = serve({
      entries: [
        ardEntry('Weather', 'https://acme.com/mcp.json', { type: 'application/mcp-server-card+json' }),
        ardEntry('Finder', 'https://acme.com/ard', { type: 'application/ai-registry+json' }),
        ardEntry('Slides', 'https://acme.com/slides', { type: 'application/ai-skill+md' }),
        ardEntry('Nothing', '', { url: undefined }),
        ardEntry('No address', '', { url: undefined, data: { name: 'x', skills: [] } }),
        ardEntry('Local', 'file:///etc/passwd'),
        ardEntry('Odd', agent('Odd'), { type: 7 }),
        'text',
        null,
      ],
    });
    const { entries } = await read({ url });
    expect(urlsOf({ entries } as ImportList)).toEqual(Array(9).fill(null));
    const messages = entries.map(({ problem }) => problem?.message ?? '');
    expect(messages.every((message) => /^Found .+; expected .+\.$/.test(message))).toBe(true);
    for (const [at, word] of [
      'an MCP server',
      'a registry',
      'a skill',
      '"url" and "data"',
      'a card without a URL',
      'file:',
    ].entries())
      expect(messages[at]).toContain(word);
  });

  it('reads an MCP registry page by page, and only servers that also name an A2A card', async () => {
    const path = newUuid();
    const card = agent('Both');
    const server = (name: string, more: object = {}): object => ({
      server: { name, description: 'd', ...more },
      _meta: {},
    });
    const page = (servers: object[], nextCursor?: string): object => ({
      servers,
      metadata: { count: servers.length, nextCursor },
    });
    serve(
      page([server('com.acme/files', { remotes: [{ type: 'streamable-http', url: 'https://acme.com/mcp' }] })], 'two'),
      `/${path}/v0.1/servers`,
    );
    serve(
      page([
        server('com.acme/both', { _meta: { 'com.acme/a2a': { card } } }),
        server('com.acme/remote', { remotes: [{ type: 'a2a', url: `${host.url}/x` }] }),
      ]),
      `/${path}/v0.1/servers?cursor=two`,
    );
    const found = await read({ url: `${host.url}/${path}` });
    expect(found).toMatchObject({ source: `${host.url}/${path}/v0.1/servers`, format: 'mcp-registry' });
    expect(urlsOf(found)).toEqual([null, card, `${host.url}/x`]);
    expect(found.entries[0]).toMatchObject({ identifier: 'com.acme/files', problem: { code: 'not_an_agent' } });
    expect(found.entries[0]?.problem?.message).toContain(
      'Found an MCP server; expected an A2A agent card; list the server itself by its URL.',
    );
  });

  it.each([
    ['an array of cards', (cards: object[]) => cards],
    ['{agents: […]}', (cards: object[]) => ({ agents: cards })],
    ['{agentCards: {id: …}}', (cards: object[]) => ({ agentCards: { ...cards } })],
    ['a list of `card` members', (cards: object[]) => ({ agents: cards.map((card) => ({ id: 'a', card })) })],
  ])('reads A2A cards from %s', async (_name, wrap) => {
    const cards = [cardV10('https://one.example'), cardV03('https://two.example')];
    const found = await read({ text: JSON.stringify(wrap(cards)) });
    expect(found).toMatchObject({ source: null, format: 'a2a' });
    expect(urlsOf(found)).toEqual(['https://one.example/a2a', 'https://two.example/a2a']);
  });

  it('reads card URLs in an array, a single card, and another Parley server’s search', async () => {
    const [one, two] = [agent('One'), agent('Two')];
    expect(urlsOf(await read({ text: JSON.stringify([one, two]) }))).toEqual([one, two]);
    expect(urlsOf(await read({ text: JSON.stringify(cardV10('https://one.example')) }))).toEqual([
      'https://one.example/a2a',
    ]);
    const page = { items: [{ slug: 'one', name: 'One', cardUrl: one }], nextCursor: null, total: 1 };
    expect(urlsOf(await read({ url: serve(page) }))).toEqual([one]);
  });

  it('reads a site by its origin, at the well-known paths', async () => {
    const site = await CardServer.start();
    const entries = JSON.stringify({ entries: [ardEntry('One', '/a/agent-card.json')] });
    site.on('GET', '/.well-known/ai-catalog.json', (_request, response) => response.end(entries));
    const { url } = site;
    const found = await read({ url });
    await site.stop();
    expect(found.source).toBe(`${url}/.well-known/ai-catalog.json`);
    expect(urlsOf(found)).toEqual([`${url}/a/agent-card.json`]);
  });

  it('reads lists within a list one level deep, by reference or inline', async () => {
    const nested = (name: string, content: object): object =>
      ardEntry(name, '', { url: undefined, type: 'application/ai-catalog+json', ...content });
    const inner = serve({
      entries: [ardEntry('Far', agent('Far')), nested('Deeper', { url: 'https://acme.com/more.json' })],
    });
    const url = serve({
      entries: [
        nested('Linked', { url: inner }),
        nested('Inline', { data: { entries: [ardEntry('Near', agent('Near'))] } }),
        nested('Gone', { url: `${host.url}/gone.json` }),
        nested('Private', { url: 'http://169.254.169.254/latest/meta-data' }),
      ],
    });
    const { entries } = await read({ url });
    expect(entries.map(({ name }) => name)).toEqual(['Far', 'Deeper', 'Near', 'Gone', 'Private']);
    expect(problemsOf(entries)).toEqual([undefined, 'nested_too_deep', undefined, 'catalog_unreadable', 'url_refused']);
    expect(entries[0]?.source).toBe(inner);
  });
});

describe('importing a hostile list', () => {
  it('reads lists that contain each other or themselves only once', async () => {
    const path = newUuid();
    const [a, b] = [`${host.url}/${path}/a.json`, `${host.url}/${path}/b.json`];
    const link = (url: string): object => ardEntry('Link', url, { type: 'application/ai-catalog+json' });
    serve({ entries: [link(a), link(b), link(b)] }, `/${path}/a.json`);
    serve({ entries: [link(a), link(b)] }, `/${path}/b.json`);
    const { entries } = await read({ url: a });
    expect(problemsOf(entries)).toEqual(['duplicate', 'nested_too_deep', 'nested_too_deep', 'duplicate']);
    expect(host.requests.filter((line) => line.includes(path))).toHaveLength(2);
  });

  it('reads endless pages only up to a limit', async () => {
    const path = newUuid();
    let page = 0;
    const answer = (): string =>
      JSON.stringify({ servers: [{ server: { name: `s${page++}` } }], metadata: { nextCursor: `c${page}` } });
    for (let at = 0; at < 40; at++) {
      host.on('GET', `/${path}/servers.json${at === 0 ? '' : `?cursor=c${at}`}`, (_request, response) =>
        response.end(answer()),
      );
    }
    expect((await read({ url: `${host.url}/${path}/servers.json` })).entries).toHaveLength(10);
    expect(page).toBe(10);
  });

  it('reads the first 200 of 10,000 entries, and reports how many are unread', async () => {
    const entries = Array.from({ length: 10_000 }, (_, at) => ({
      identifier: `urn:air:a.com:agent:a${at}`,
      type: CARD_TYPE,
      url: `https://a.com/${at}.json`,
    }));
    const found = await read({ url: serve({ entries }) });
    expect([found.entries.length, found.omitted]).toEqual([200, 9_800]);
  });

  it('reads a repeated URL once, and reports the other entries as duplicates', async () => {
    const one = agent('One');
    const { entries } = await read({ text: JSON.stringify([one, one, one]) });
    expect(urlsOf({ entries } as ImportList)).toEqual([one, null, null]);
    expect(entries[2]?.problem).toEqual({ code: 'duplicate', message: 'Entry 1 has the same URL.' });
  });

  it('SSRF-1 rejects a URL that is not public before any request is sent', async () => {
    for (const url of [
      'http://169.254.169.254/ard.json',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      parley.url,
      'ftp://a.com/',
    ])
      expect(await refusal({ url }), url).toMatchObject({
        status: 422,
        code: expect.stringMatching(/url_refused|catalog_unreadable/),
      });
    const { entries } = await read({
      text: JSON.stringify([cardV10('http://192.168.0.1'), cardV10('https://u:p@a.com'), `${parley.url}/agents/x`]),
    });
    expect(problemsOf(entries)).toEqual(['url_refused', 'url_refused', 'url_refused']);
  });

  it('reports the target of a redirect and does not follow it', async () => {
    const path = `/${newUuid()}.json`;
    host.on('GET', path, (_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const { code, title } = await refusal({ url: host.url + path });
    expect(code).toBe('catalog_unreadable');
    expect(title).toContain('redirects to "http://169.254.169.254/" (HTTP 302). Redirects are not followed');
  });

  it.each([
    ['text that is not JSON', '<html>', /is not JSON: .+ Expected a list of agents in JSON\./],
    ['JSON without a list', '{"hello":"world"}', /is JSON without a list of agents; expected an ARD manifest/],
    ['a number', '7', /without a list of agents/],
    ['a document that is too deep', '['.repeat(500), /nested deeper than/],
    ['a document with too many members', `[${'1,'.repeat(250_000)}1]`, /is not JSON/],
    ['a document that is too large', `["${'x'.repeat(3_000_000)}"]`, /2097152|larger/],
    ['a member named __proto__', '{"entries":[{"__proto__":{"url":"x"}}]}', /__proto__/],
    ['invalid UTF-8', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), null],
  ])('rejects or reads %s without a server error', async (_name, body, message) => {
    const response = await call('', { url: serve(body) });
    const answer = (await response.json()) as { code?: string; title?: string };
    if (message === null) expect(response.status).toBe(200);
    else
      expect(answer).toMatchObject({ status: 422, code: 'catalog_unreadable', title: expect.stringMatching(message) });
  });

  it('reduces names to a single line without invisible characters', async () => {
    const name = `Pay\u0000pal\u202e\n${'x'.repeat(5_000)}\ud800`;
    const members = { constructor: 'x', toString: 'y', hasOwnProperty: [] };
    const { entries } = await read({
      url: serve({ entries: [{ ...ardEntry('a', agent('A')), ...members, displayName: name }] }),
    });
    expect(entries[0]?.name).toMatch(/^Paypal x+…$/);
    expect(entries[0]?.name?.length).toBeLessThanOrEqual(200);
    expect(entries[0]?.problem).toBeNull();
  });

  it.each([{}, { url: 'https://a.com', text: '[]' }, { url: 7 }, { text: 'x'.repeat(900_001) }])(
    'INP-1 rejects the body %o',
    async (body) => {
      const response = await call('', body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid_request' });
    },
  );

  it('LIM-1 is limited for each user', async () => {
    const responses: number[] = [];
    for (let at = 0; at < 24; at++) responses.push((await call('', { text: '[]' })).status);
    expect(responses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(responses)).toEqual(new Set([200, 429]));
  });
});

describe('checking an import', () => {
  it('stores no data, and separates new, own, other users’ and unusable agents', async () => {
    const bob = await createPerson(parley.url, 'Bob');
    const [fresh, own, others, broken] = [
      agent('Fresh'),
      agent('Own'),
      agent('Foreign'),
      agent('Broken', { name: '' }),
    ];
    const slug = await listAgent(parley.url, ada, { url: own });
    await listAgent(parley.url, bob, { url: others });
    const results = await check(fresh, own, others, broken, `${host.url}/nothing.json`);
    expect(results.map(({ verdict, problem }) => [verdict, problem?.code])).toEqual([
      ['ready', undefined],
      ['listed', undefined],
      ['refused', 'agent_url_taken'],
      ['refused', 'card_invalid'],
      ['refused', 'card_unreachable'],
    ]);
    expect(results[0]?.agent).toMatchObject({ name: 'Fresh', slug: null, skills: 1 });
    expect(results[1]?.agent?.slug).toBe(slug);
    expect(results[3]?.problem?.message).toMatch(/found .+, expected .+/);
    expect(await listed('fresh')).toBe(false);
  });

  it('requires confirmation if calls go to another origin, and names that origin', async () => {
    const elsewhere = agent('Elsewhere', {
      supportedInterfaces: [{ url: 'https://else.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    });
    const [result] = await check(elsewhere);
    expect(result).toMatchObject({
      verdict: 'confirm',
      otherOrigin: { found: 'https://else.example', expected: host.url },
    });
    expect((await list([elsewhere]))[0]).toMatchObject({ outcome: 'refused', problem: { code: 'confirm_origin' } });
    expect((await list([elsewhere], { confirmOrigin: true }))[0]).toMatchObject({ outcome: 'listed' });
  });

  it.each(['/check', '/list'])('INP-1 with POST /api/imports%s accepts 1 to 20 agents', async (path) => {
    for (const count of [0, 21]) {
      const agents = Array.from({ length: count }, (_, at) => ({ url: `https://a.com/${at}` }));
      const response = await call(path, { agents });
      expect([count, response.status]).toEqual([count, 400]);
    }
  });

  it.each(['', '/check', '/list'])('AUZ-1 with POST /api/imports%s requires the scope agents:write', async (path) => {
    const body = path === '' ? { text: '[]' } : { agents: [{ url: 'https://a.com' }] };
    const anonymous = await send(`${parley.url}/api/imports${path}`, { body });
    expect(anonymous.status).toBe(401);
    const created = await send(`${parley.url}/api/auth/access-tokens`, {
      body: { name: 'reader', scopes: ['agents:read'] },
      cookie: ada.cookie,
      origin: parley.url,
    });
    const { token } = (await created.json()) as { token: string };
    const reader = await send(`${parley.url}/api/imports${path}`, { body, bearer: token });
    expect(reader.status).toBe(403);
    const crossSite = await send(`${parley.url}/api/imports${path}`, {
      body,
      cookie: ada.cookie,
      origin: 'https://evil.example',
    });
    expect(crossSite.status).toBe(403);
  });
});

describe('listing imported agents', () => {
  it('lists each agent separately, and continues if one fails', async () => {
    const [one, two] = [agent('Import one'), agent('Import two')];
    const results = await list([one, `${host.url}/nothing.json`, two]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['listed', 'refused', 'listed']);
    expect(results.map(({ url }) => url)).toEqual([one, `${host.url}/nothing.json`, two]);
    for (const { agent: made } of results) if (made) expect(await listed(made.slug)).toBe(true);
  });

  it('changes nothing when repeated, neither visibility nor tags', async () => {
    const url = agent('Stays');
    const slug = await listAgent(parley.url, ada, { url, visibility: 'private' });
    const response = await call('/list', { agents: [{ url }], visibility: 'public', tags: ['imported'] });
    expect(await response.json()).toEqual({
      results: [{ url, outcome: 'unchanged', agent: { slug, name: 'Stays' }, problem: null }],
    });
    const own = await send(`${parley.url}/api/agents/${slug}`, { bearer: ada.accessToken });
    expect(await own.json()).toMatchObject({ visibility: 'private', tags: ['translation', 'languages'] });
  });

  it('lists a withdrawn agent again', async () => {
    const url = agent('Returns');
    const slug = await listAgent(parley.url, ada, { url });
    await send(`${parley.url}/api/agents/${slug}`, { method: 'DELETE', bearer: ada.accessToken });
    expect((await list([url]))[0]).toMatchObject({ outcome: 'listed', agent: { slug } });
  });

  it('AUZ-3 rejects an agent that another owner has listed', async () => {
    const bob = await createPerson(parley.url, 'Bob');
    const url = agent('Theirs');
    const slug = await listAgent(parley.url, bob, { url });
    expect((await list([url]))[0]).toMatchObject({ outcome: 'refused', problem: { code: 'agent_url_taken' } });
    const found = await send(`${parley.url}/api/agents/${slug}`, { bearer: bob.accessToken });
    expect(await found.json()).toMatchObject({ slug, name: 'Theirs' });
  });

  it('reads the card from the agent itself and ignores the list’s copy', async () => {
    const path = newUuid();
    host.serve(path, cardV10(host.base(path), { name: 'What it says itself' }));
    const { entries } = await read({
      text: JSON.stringify([cardV10(host.base(path), { name: 'What the list says' })]),
    });
    const [result] = await list([entries[0]?.url ?? '']);
    expect(result?.agent?.name).toBe('What it says itself');
  });

  it('lists an agent with two URLs once, even for concurrent requests', async () => {
    const card = agent('Twice');
    const base = card.replace('/.well-known/agent-card.json', '');
    const results = await list([card, base]);
    expect(new Set(results.map(({ agent: made }) => made?.slug)).size).toBe(1);
  });

  it('accepts another Parley server’s ARD manifest', async () => {
    const slug = await listAgent(parley.url, ada, { url: agent('Published') });
    const text = await (await fetch(`${parley.url}/.well-known/ard.json`)).text();
    const { format, entries } = await read({ text });
    expect(format).toBe('ard');
    // They are Parley's own addresses here, so they are refused; elsewhere they are agents.
    const found = entries.find(({ identifier }) => identifier === `urn:air:agent.localhost:agent:${slug}`);
    expect(found?.problem).toMatchObject({
      code: 'url_refused',
      message: expect.stringContaining('it is the URL of Parley itself'),
    });
  });
});
