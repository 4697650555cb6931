import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { suspendAgent } from '@/lib/catalog';
import { serverNamespaceOf, serverVersionOf } from '@/lib/protocol/mcp/server-registry';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';

/** The requirements of the MCP registry API v0.1, and those of its clients in VS Code and other editors. */

interface Schemas {
  paths: Record<
    string,
    { get: { responses: Record<string, { content: { 'application/json': { schema: object } } }> } }
  >;
  components: { schemas: object };
}

// Zod reads no `not`, which only the versions of packages have: Parley's servers are remote.
const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../fixtures/mcp-registry/${name}`, import.meta.url), 'utf8'), (key, value) =>
    key === 'not' ? undefined : value,
  ) as T;
const openapi = read<Schemas>('openapi.json');
const serverJson = z.fromJSONSchema(read<Parameters<typeof z.fromJSONSchema>[0]>('server.schema.json'));

const LIST = '/v0.1/servers';
const VERSIONS = '/v0.1/servers/{serverName}/versions';
const VERSION = '/v0.1/servers/{serverName}/versions/{version}';

function schemaOf(path: string, status = '200'): z.ZodType {
  const schema = openapi.paths[path]?.get.responses[status]?.content['application/json'].schema;
  const inline = JSON.stringify({ ...schema, $defs: openapi.components.schemas });
  return z.fromJSONSchema(JSON.parse(inline.replaceAll('#/components/schemas/', '#/$defs/')));
}

interface Entry {
  server: {
    name: string;
    title: string;
    description: string;
    version: string;
    remotes: { type: string; url: string }[];
  };
}
interface Page {
  servers: Entry[];
  metadata: { count: number; nextCursor?: string };
}

let parley: SharedParley;
let cards: CardServer;
let ada: Person;

beforeAll(async () => {
  cards = await CardServer.start();
  parley = await sharedParley();
  ada = await createPerson(parley.url, 'Ada');
});
afterAll(() => cards?.stop());

async function list(
  name: string,
  { card = {}, visibility }: { card?: object; visibility?: string } = {},
): Promise<string> {
  const path = crypto.randomUUID();
  return listAgent(parley.url, ada, {
    url: cards.serve(path, cardV10(cards.base(path), { name, ...card })),
    visibility,
  });
}

async function page(filter: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(`${parley.url}/v0.1/servers?${new URLSearchParams(filter)}`);
  const body: unknown = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  expect(schemaOf(LIST).safeParse(body).error).toBeUndefined();
  for (const { server } of (body as Page).servers) expect(serverJson.safeParse(server).error).toBeUndefined();
  return body as Page;
}

async function namesOf(filter: Record<string, string> = {}): Promise<string[]> {
  return (await page(filter)).servers.map(({ server }) => server.name);
}

const get = (name: string, rest: string): Promise<Response> =>
  fetch(`${parley.url}/v0.1/servers/${encodeURIComponent(name)}/versions${rest}`);

describe('GET /v0.1/servers', () => {
  it('lists Parley first, followed by each public agent as a separate remote server', async () => {
    const slug = await list('Barometer of Bergen', { card: { description: 'Forecasts weather.', version: '2.1.0' } });
    const { servers } = await page();
    expect(servers[0]?.server).toMatchObject({
      name: `${serverNamespaceOf(parley.url)}/parley`,
      remotes: [{ type: 'streamable-http', url: `${parley.url}/mcp` }],
    });
    expect(servers[1]).toMatchObject({
      server: {
        name: `${serverNamespaceOf(parley.url)}/${slug}`,
        title: 'Barometer of Bergen',
        description: 'Forecasts weather.',
        version: '2.1.0',
        websiteUrl: `${parley.url}/agents/${slug}`,
        remotes: [{ type: 'streamable-http', url: `${parley.url}/agents/${slug}/mcp` }],
      },
      _meta: { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true } },
    });
  });

  it('shortens or replaces names, descriptions and versions that do not fit server.json', async () => {
    const long = 'A very long description. '.repeat(20);
    const slug = await list('N'.repeat(150), { card: { description: long, version: '>=2 || latest' } });
    const found = (await page()).servers.find(({ server }) => server.name.endsWith(`/${slug}`));
    expect(found?.server.title.length).toBeLessThanOrEqual(100);
    expect(found?.server.description.length).toBeLessThanOrEqual(100);
    expect(found?.server.version).toBe('1.0.0');
  });

  it('omits private, unlisted, withdrawn and suspended agents, and does not return them by name', async () => {
    const hidden = [
      await list('Hidden', { visibility: 'private' }),
      await list('Unlisted', { visibility: 'unlisted' }),
    ];
    const withdrawn = await list('Withdrawn');
    await send(`${parley.url}/api/agents/${withdrawn}`, { method: 'DELETE', cookie: ada.cookie, origin: parley.url });
    const suspended = await list('Suspended');
    const [found] = await query<{ id: string }>('test-agent-id', 'SELECT id FROM agent WHERE slug = $1', [suspended]);
    const actor = { kind: 'anonymous' as const };
    const ctx = { actor, requestId: 'req_test', signal: new AbortController().signal, now: new Date() };
    await suspendAgent({ ctx, input: { agentId: found?.id ?? '' }, afterUpdate: () => Promise.resolve() });
    const names = await namesOf({ limit: '100' });
    for (const slug of [...hidden, withdrawn, suspended]) {
      const name = `${serverNamespaceOf(parley.url)}/${slug}`;
      expect(names).not.toContain(name);
      expect((await get(name, '/latest')).status).toBe(404);
    }
  });

  it('pages through all servers without gaps or duplicates, even one at a time', async () => {
    const all = await namesOf({ limit: '100' });
    for (const limit of ['1', '2']) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { servers, metadata } = await page({ limit, ...(cursor && { cursor }) });
        expect(servers.length).toBeLessThanOrEqual(Number(limit));
        seen.push(...servers.map(({ server }) => server.name));
        cursor = metadata.nextCursor;
      } while (cursor);
      expect(seen).toEqual(all);
    }
  });

  it('returns no entry, not even the closest agent, if nothing matches the search', async () => {
    const slug = await list('Zeppelin timetable', { card: { description: 'Departures of airships.' } });
    const name = `${serverNamespaceOf(parley.url)}/${slug}`;
    expect(await namesOf({ search: 'zeppelin' })).toContain(name);
    expect(await namesOf({ search: 'parley' })).toContain(`${serverNamespaceOf(parley.url)}/parley`);
    expect(await namesOf({ search: 'qqqxyzzy' })).toEqual([]);
  });

  it('filters by version and by the time of the last change', async () => {
    const slug = await list('Versioned', { card: { version: '7.8.9' } });
    const name = `${serverNamespaceOf(parley.url)}/${slug}`;
    expect(await namesOf({ version: '7.8.9' })).toEqual([name]);
    expect(await namesOf({ version: 'latest' })).toContain(name);
    expect(await namesOf({ updated_since: '2020-01-01T00:00:00Z' })).toContain(name);
    expect(await namesOf({ updated_since: '2999-01-01T00:00:00+02:00' })).not.toContain(name);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'x'],
    ['cursor', 'eyJwYWdlIjogMn0='],
    ['updated_since', 'yesterday'],
  ])('rejects %s=%s as the registry API does', async (parameter, value) => {
    const response = await fetch(`${parley.url}/v0.1/servers?${parameter}=${encodeURIComponent(value)}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: expect.any(String), code: 'invalid_request' });
  });

  it('allows editors from any origin, accepts another registry’s token, and revalidates by ETag', async () => {
    const url = `${parley.url}/v0.1/servers`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'vscode-file://vscode-app',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, content-type',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/authorization, content-type/);
    const headers = { origin: 'vscode-file://vscode-app', authorization: 'Bearer gho_of-another-service' };
    const response = await fetch(url, { headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const again = await fetch(url, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('GET /v0.1/servers/{serverName}/versions', () => {
  it('returns the same entry in the list of versions, as the latest, and by its number', async () => {
    const slug = await list('Singular', { card: { version: '3.2.1' } });
    const name = `${serverNamespaceOf(parley.url)}/${slug}`;
    const listed = (await page()).servers.find(({ server }) => server.name === name);
    const versions: unknown = await (await get(name, '')).json();
    expect(schemaOf(VERSIONS).safeParse(versions).error).toBeUndefined();
    expect(versions).toEqual({ servers: [listed], metadata: { count: 1 } });
    for (const version of ['latest', '3.2.1']) {
      const one: unknown = await (await get(name, `/${version}`)).json();
      expect(schemaOf(VERSION).safeParse(one).error).toBeUndefined();
      expect(one).toEqual(listed);
    }
  });

  it.each([
    ['another host', 'com.example/parley', '/latest'],
    ['no agent', ':ns/no-such-agent', '/latest'],
    ['no version', ':ns/parley', '/9.9.9'],
    ['a name without a slash', 'parley', ''],
  ])('returns 404 with an error for %s', async (_what, name, rest) => {
    const response = await get(name.replace(':ns', serverNamespaceOf(parley.url)), rest);
    const body: unknown = await response.json();
    expect(response.status).toBe(404);
    expect(schemaOf(rest === '' ? VERSIONS : VERSION, '404').safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ error: expect.any(String) });
  });
});

describe('the MCP registry', () => {
  it.each([
    ['https://parley.example', 'example.parley'],
    ['https://Market.Parley.Example:8443', 'example.parley.market'],
    ['http://localhost:3000', 'localhost'],
    ['https://192.0.2.7', '192.0.2.7'],
    ['https://[2001:db8::1]', '2001-db8--1'],
  ])('names the servers at %s with the prefix %s', (origin, namespace) => {
    expect(serverNamespaceOf(origin)).toBe(namespace);
    expect(`${namespace}/parley`).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  });

  it.each(['1', '1.2', '1.2.3', '2.0.0-beta.1', '1.0.0+20260101'])('accepts %s as a version', (text) => {
    expect(serverVersionOf(text)).toBe(text);
  });

  it.each(['', 'latest', '^1.2.3', '~1', '>=1', '1.x', '1.*', 'v1', '1 - 2', '1'.repeat(300)])(
    'rejects the version "%s"',
    (text) => {
      expect(serverVersionOf(text)).toBeNull();
    },
  );
});
