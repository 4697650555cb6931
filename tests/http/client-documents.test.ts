import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ParleyError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { findOAuthClient } from '@/lib/tokens';
import { ClientHost } from '../fakes/client-host';
import { hostileUrls } from '../fakes/hostile-urls';
import { useTestDatabase } from '../support/database';

useTestDatabase();

/** With the same time, so that only tests that pass another one see a cached document expire. */
const now = new Date('2026-11-26T12:00:00Z');
const minute = 60_000;

let host: ClientHost;
let path = 0;

beforeAll(() => {
  process.env.AGENT_URL_ALLOW = 'http://127.0.0.1:*';
});

// Each test has a host of its own, because documents are limited by host.
beforeEach(async () => {
  host = await ClientHost.start();
});

afterEach(async () => {
  await host.stop();
});

/** A path that no other test has used: documents are cached. */
const nextPath = (): string => `/clients/${++path}.json`;

function personOf(userId = newId('usr')): Parameters<typeof findOAuthClient>[0]['ctx']['actor'] {
  return { kind: 'user', userId, email: 'a@example.test', name: 'Ada', credential: { kind: 'session', id: 'ses_x' } };
}

type Found = Awaited<ReturnType<typeof findOAuthClient>>;

/** By default each call is from another person, so that no limit is reached. */
function find(clientId: string, { at = 0, actor = personOf() } = {}): Promise<Found> {
  return findOAuthClient({ clientId, ctx: { actor, now: new Date(now.getTime() + at) } });
}

/** A document that one reader takes for this client and another for `https://client.example`. */
function twiceNamed(clientId: string): string {
  const rest = `"client_name":"Example client","redirect_uris":["https://client.example/callback"]`;
  return `{"client_id":"https://client.example/","client_id":"${clientId}",${rest}}`;
}

/** The code and the text of the error with which a client is refused. */
async function refusalOf(found: Promise<unknown>): Promise<string> {
  try {
    return `found ${JSON.stringify(await found)}`;
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return `${code} ${message}`;
  }
}

describe('a client with a metadata document', () => {
  test('shows a valid document’s contents, and the host it was fetched from', async () => {
    const clientId = host.serve(nextPath(), { client_name: ' Exa\u202Emple\u0000 ', logo_uri: 'https://evil.example' });
    expect(await find(clientId)).toEqual({
      clientId,
      kind: 'document',
      name: 'Exa mple',
      host: new URL(host.origin).host,
      redirectUris: ['https://client.example/callback', 'http://127.0.0.1/callback'],
      grantTypes: ['authorization_code', 'refresh_token'],
    });
  });

  test.each<[string, object, string]>([
    ['names another client', { client_id: 'https://client.example/other' }, 'client_id'],
    ['differs by a trailing slash', { client_id: `${'http://127.0.0.1'}/` }, 'client_id'],
    ['has no name', { client_name: undefined }, 'client_name'],
    ['has an empty name', { client_name: ' ' }, 'client_name'],
    ['has no redirect URI', { redirect_uris: [] }, 'redirect_uris'],
    ['has an http redirect URI', { redirect_uris: ['http://client.example/'] }, 'redirect_uris/0'],
    ['has a redirect URI with a script', { redirect_uris: ['https://a.example/', 'javascript:alert(1)'] }, 'uris/1'],
    ['has a redirect URI that is not a string', { redirect_uris: [{}] }, 'redirect_uris/0'],
    ['contains a secret', { client_secret: 'x' }, 'secret'],
    ['requests authentication by a secret', { token_endpoint_auth_method: 'client_secret_post' }, 'auth_method'],
    ['does not use authorization codes', { response_types: ['token'] }, 'response_types'],
  ])('is rejected if its document %s', async (_title, changes, told) => {
    const refusal = await refusalOf(find(host.serve(nextPath(), changes)));
    expect(refusal).toMatch(/^invalid_client /);
    expect(refusal).toContain(told);
  });

  test.each<[string, Parameters<ClientHost['on']>[1]]>([
    ['is larger than 5 KB', (response) => json(response).end(`{"a":"${'x'.repeat(5_200)}"}`)],
    ['redirects', (response) => response.writeHead(302, { location: host.serve('/elsewhere.json') }).end()],
    ['is not found', (response) => response.writeHead(404).end()],
    ['is a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}')],
    ['is not JSON', (response) => json(response).end('{')],
    ['is a list', (response) => json(response).end('[]')],
    ['has a duplicate member', (response, request) => json(response).end(twiceNamed(host.url(request.url ?? '')))],
    ['is truncated', (response) => json(response).write('{', () => response.destroy())],
  ])('SSRF-5 is rejected, and not immediately requested again, if its document %s', async (_title, answer) => {
    const clientId = host.on(nextPath(), answer);
    expect(await refusalOf(find(clientId))).toMatch(/^invalid_client /);
    expect(await refusalOf(find(clientId, { at: 29_000 }))).toMatch(/^invalid_client /);
    expect(host.requests).toEqual([new URL(clientId).pathname]);
    host.serve(new URL(clientId).pathname);
    expect(await find(clientId, { at: 31_000 })).toMatchObject({ kind: 'document' });
  });

  test.each<[string, Record<string, string>, number]>([
    ['for five minutes without headers', {}, 5],
    ['for five minutes with no-store', { 'cache-control': 'no-store, max-age=7200' }, 5],
    ['for the time in max-age', { 'cache-control': 'public, max-age=7200' }, 120],
    ['for max-age minus Age', { 'cache-control': 'max-age=7200', age: '3600' }, 60],
    ['until it expires', { date: 'Thu, 26 Nov 2026 12:00:00 GMT', expires: 'Thu, 26 Nov 2026 13:00:00 GMT' }, 60],
    ['for at most a day', { 'cache-control': 'max-age=31536000' }, 24 * 60],
  ])('has its document cached %s', async (_title, headers, minutes) => {
    const clientId = host.serve(nextPath(), {}, headers);
    await find(clientId);
    await find(clientId, { at: minutes * minute - 1 });
    expect(host.requests).toHaveLength(1);
    await find(clientId, { at: minutes * minute });
    expect(host.requests).toHaveLength(2);
  });

  test('has its document fetched once for concurrent requests', async () => {
    const clientId = host.serve(nextPath());
    const found = await Promise.all(Array.from({ length: 20 }, () => find(clientId)));
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['Example client']));
    expect(host.requests).toHaveLength(1);
  });

  test('SSRF-8 has its document fetched only for signed-in users, while a cached one is open to everyone', async () => {
    const clientId = host.serve(nextPath());
    const actor = { kind: 'anonymous' } as const;
    expect(await refusalOf(find(clientId, { actor }))).toMatch(/^invalid_client /);
    expect(host.requests).toEqual([]);
    await find(clientId);
    expect(await find(clientId, { actor })).toMatchObject({ clientId });
  });

  test('has its document fetched at a limited rate per user, without affecting other users', async () => {
    const actor = personOf();
    let refused: unknown;
    for (let count = 0; count < 30 && !refused; count++) {
      refused = await find(host.serve(nextPath()), { actor }).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
    expect(refused).toMatchObject({ code: 'rate_limited' });
    expect(await find(host.serve(nextPath()))).toMatchObject({ kind: 'document' });
  });

  test('has its document fetched at a limited rate per host for many users, without affecting other hosts', async () => {
    const [flooded, other] = await Promise.all([ClientHost.start(), ClientHost.start()]);
    const codes = [];
    for (let count = 0; count < 80; count++) {
      codes.push(
        await find(flooded.serve(nextPath())).then(
          () => 'found',
          (error) => error instanceof ParleyError && error.code,
        ),
      );
    }
    expect(new Set(codes)).toEqual(new Set(['found', 'rate_limited']));
    expect(flooded.requests.length).toBeLessThan(70);
    expect(await find(other.serve(nextPath()))).toMatchObject({ kind: 'document' });
    await Promise.all([flooded.stop(), other.stop()]);
  });
});

describe('a client id that is a URL', () => {
  test.each([
    'https://client.example',
    'https://client.example/',
    'https://client.example/a/../client.json',
    'https://client.example/a/%2e%2e/client.json',
    'https://client.example/client.json#x',
    'https://client.example/client.json#',
    'https://user@client.example/client.json',
    'https://user:pw@client.example/client.json',
    'https://client.example:443/client.json',
    'https://CLIENT.example/client.json',
    'HTTPS://client.example/client.json',
    'https:\\\\client.example\\client.json',
    'https:/client.example/client.json',
    'https://client.example/a b',
    ' https://client.example/client.json',
    'https://cliënt.example/client.json',
    'https://clіent.example/client.json',
    'https://client。example/client.json',
    'http://client.example/client.json',
    'http://127.0.0.1.client.example/client.json',
    'http://127.1/client.json',
    `https://client.example/${'a'.repeat(2_000)}`,
  ])('LOOK-1 is rejected unless normalized, so that no two ids name one host: %s', async (clientId) => {
    expect(await refusalOf(find(clientId))).toMatch(/^invalid_client /);
  });

  test('SSRF-2, SSRF-4: is rejected for more than 400 spellings of internal addresses', async () => {
    const urls = hostileUrls(8443);
    expect(urls.length).toBeGreaterThan(400);
    const refusals = await Promise.all(urls.map((url) => refusalOf(find(url))));
    expect(refusals.filter((refusal) => !refusal.startsWith('invalid_client '))).toEqual([]);
  });

  test('SSRF-5 gets the same rejection for a closed port and a silent service', async () => {
    const closed = await ClientHost.start();
    await closed.stop();
    const broken = host.on(nextPath(), (response) => response.destroy());
    const texts = await Promise.all([closed.url('/client.json'), broken].map((url) => refusalOf(find(url))));
    expect(new Set(texts.map((text) => text.replace(/http:\S+/, ''))).size).toBe(1);
  });
});

function json(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'application/json' });
}
