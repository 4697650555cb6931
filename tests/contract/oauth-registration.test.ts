import { beforeAll, describe, expect, test } from 'vitest';
import { hmac } from '@/lib/platform/secrets/crypto';
import { findOAuthClient } from '@/lib/tokens';
import { registeredClientIdOf } from '@/lib/tokens/oauth/clients/oauth-client';
import { send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;

beforeAll(async () => {
  parley = await sharedParley();
});

const valid = { client_name: 'Example client', redirect_uris: ['http://127.0.0.1/callback'] };

interface Registered {
  client_id: string;
  error: string;
  error_description: string;
}

async function register(metadata: object, address?: string): Promise<{ status: number; body: Registered }> {
  const headers = { 'content-type': 'application/json', ...(address && { 'x-forwarded-for': address }) };
  const response = await fetch(`${parley.url}/oauth/register`, {
    method: 'POST',
    headers,
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as Registered };
}

function find(clientId: string): Promise<unknown> {
  return findOAuthClient({ clientId, ctx: { actor: { kind: 'anonymous' }, now: new Date() } });
}

describe('dynamic registration (RFC 7591)', () => {
  test('returns the registered metadata, no secret, and a client id that is accepted from then on', async () => {
    const { status, body } = await register({
      ...valid,
      grant_types: ['authorization_code', 'refresh_token', 'password'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'admin',
      logo_uri: 'https://evil.example/logo.png',
    });
    const metadata = { ...valid, grant_types: ['authorization_code', 'refresh_token'] };
    expect(status).toBe(201);
    expect(body).toEqual({
      ...metadata,
      client_id: expect.stringMatching(/^reg\./),
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(await find(body.client_id)).toEqual({
      clientId: body.client_id,
      kind: 'registered',
      name: 'Example client',
      host: null,
      redirectUris: valid.redirect_uris,
      grantTypes: metadata.grant_types,
    });
  });

  test('returns a response that is never cached but that any page can read', async () => {
    const response = await send(`${parley.url}/oauth/register`, { body: valid, origin: 'https://client.example' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    });
    const preflight = await fetch(`${parley.url}/oauth/register`, {
      method: 'OPTIONS',
      headers: { origin: 'https://client.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('stores no data: the same metadata gets the same id', async () => {
    const [first, second] = [await register(valid), await register(valid)];
    expect(second.body.client_id).toBe(first.body.client_id);
  });

  test('accepts a host with several redirect URIs, one of which is in the docs (Cursor)', async () => {
    const redirect_uris = [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ];
    const { status, body } = await register({ client_name: 'Cursor', redirect_uris });
    expect(status).toBe(201);
    expect(await find(body.client_id)).toMatchObject({ redirectUris: redirect_uris });
  });

  test('rejects metadata with a duplicate member, which readers interpret differently (RFC 8259 §4)', async () => {
    const body = '{"redirect_uris":["https://a.example/"],"client_name":"A","redirect_uris":["https://b.example/"]}';
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${parley.url}/oauth/register`, { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(((await response.json()) as Registered).error_description).toMatch(/\bredirect_uris\W+twice/);
  });

  test('does not recognize a client from an earlier release whose redirect URI is no longer accepted', async () => {
    const metadata = { client_name: 'Old', redirect_uris: ['myapp://callback'], grant_types: ['authorization_code'] };
    await expect(find(registeredClientIdOf(metadata))).rejects.toThrow(/not registered here/);
  });

  test('derives the name of a client that has none from its redirect URI', async () => {
    const { body } = await register({ redirect_uris: ['https://client.example/callback'] });
    expect(await find(body.client_id)).toMatchObject({ name: 'client.example' });
    const native = await register({ redirect_uris: ['com.example.app:/callback'], client_name: '\u202E \u0007' });
    expect(await find(native.body.client_id)).toMatchObject({ name: 'com.example.app' });
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ms-settings:/privacy',
    'itms-services://?action=download-manifest&url=https://evil.example/x.plist',
    'web+javascript:/alert(1)',
    'myapp://callback',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x',
    'http://client.example/callback',
    'http://localhost.client.example/callback',
    'http://127.0.0.1@client.example/callback',
    'http://0.0.0.0/callback',
    'https://user:pw@client.example/callback',
    'https://client.example/callback#x',
    'https://client.example/../callback',
    'https://client.example\\@evil.example/',
    'https://cliënt.example/callback',
    '//client.example/callback',
    '/callback',
    '',
    `https://client.example/${'a'.repeat(2_000)}`,
  ])('REDIR-1 rejects the redirect URI %s', async (uri) => {
    const { status, body } = await register({ redirect_uris: [valid.redirect_uris[0], uri] });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
    expect(body.error_description).toContain('redirect_uris/1');
  });

  test.each<[string, string, object]>([
    ['no redirect URI', 'invalid_redirect_uri', { redirect_uris: [] }],
    ['text instead of a list', 'invalid_redirect_uri', { redirect_uris: 'https://client.example/' }],
    ['too many redirect URIs', 'invalid_redirect_uri', { redirect_uris: Array(21).fill('https://client.example/') }],
    ['a name that is not a string', 'invalid_client_metadata', { client_name: {} }],
    ['only another grant', 'invalid_client_metadata', { grant_types: ['client_credentials'] }],
    ['tokens in the URL', 'invalid_client_metadata', { response_types: ['token'] }],
    [
      'metadata that is too large',
      'invalid_client_metadata',
      { redirect_uris: [`https://client.example/${'a'.repeat(1_900)}`] },
    ],
  ])('rejects %s', async (_title, error, changes) => {
    const { status, body } = await register({ ...valid, ...changes });
    expect({ status, error: body.error }).toEqual({ status: 400, error });
  });

  test('limits registrations from one network without affecting other networks', async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 10 && !statuses.has(429); count++) {
      const attempts = Array.from({ length: 20 }, () => register(valid, '198.51.100.7'));
      for (const { status } of await Promise.all(attempts)) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([201, 429]));
    expect((await register(valid, '198.51.100.8')).status).toBe(201);
  });
});

describe('CLIENT-1 unregistered client ids', () => {
  let clientId: string;

  beforeAll(async () => {
    clientId = (await register(valid)).body.client_id;
  });

  const forged = Buffer.from(
    JSON.stringify({ redirect_uris: ['https://evil.example/'], grant_types: ['authorization_code'] }),
  ).toString('base64url');

  test.each<[string, () => string]>([
    ['invented', () => `reg.${forged}.${'A'.repeat(43)}`],
    ['with other metadata', () => `reg.${forged}.${clientId.split('.')[2]}`],
    ['with a shortened signature', () => clientId.slice(0, -1)],
    ['with another signature', () => clientId.slice(0, -1) + (clientId.endsWith('A') ? 'B' : 'A')],
    ['with padding', () => clientId.replace(/\.([^.]+)$/, '=.$1')],
    ['with a further part', () => `${clientId}.x`],
    ['with a MAC for another purpose', () => `reg.${forged}.${hmac('client-id', forged)}`],
    ['without a signature', () => clientId.split('.').slice(0, 2).join('.')],
    ['with upper case', () => clientId.toUpperCase()],
    ['that belong to Parley', () => 'parley-cli'],
    ['that are empty', () => ''],
  ])('%s are rejected', async (_title, make) => {
    await expect(find(make())).rejects.toMatchObject({ name: 'OAuthError', code: 'invalid_client' });
  });
});
