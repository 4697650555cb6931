import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureLocalUser } from '@/lib/identity';
import { publish, startBus, stopBus } from '@/lib/platform/bus';
import type { Actor, Ctx, UserActor } from '@/lib/platform/context';
import { closePool } from '@/lib/platform/db/sql';
import { newId } from '@/lib/platform/ids';
import { env } from '@/lib/platform/runtime/env';
import type { TokenResponse } from '@/lib/protocol/oauth/authorization-server';
import {
  decideAuthorization,
  findAccessTokenActor,
  findHostActor,
  listConnections,
  readAuthorization,
  redeemAuthorizationCode,
  refreshConnection,
  registerClient,
  revokeAllTokens,
  revokeConnection,
  revokeConnectionsOfClient,
  revokeDeviceTokens,
} from '@/lib/tokens';
import { MAX_CONNECTION_SIGN_INS, MAX_CONNECTIONS } from '@/lib/tokens/limits';
import type { AuthorizationStep } from '@/lib/tokens/schema-connections';
import { ClientHost } from '../fakes/client-host';
import { fileDatabase } from '../support/database';
import { newPkce } from '../support/pkce';
import { query } from '../support/sql';

const start = new Date();
const callback = 'https://client.example/callback';
const loopback = 'http://127.0.0.1:3000/callback';

let site: string;
let host: ClientHost;
let ada: UserActor;
let clientId: string;
let documentId: string;

beforeAll(async () => {
  await fileDatabase();
  process.env.AGENT_URL_ALLOW = 'http://127.0.0.1:*';
  site = env().APP_URL;
  await startBus();
  host = await ClientHost.start();
  ada = await person();
  clientId = await register();
  documentId = host.serve('/client.json');
});

afterAll(async () => {
  await host?.stop();
  await stopBus();
  await closePool();
});

async function person(): Promise<UserActor> {
  const name = 'Ada';
  const email = `${newId('usr')}@parley.test`;
  const { userId } = await ensureLocalUser({ email, password: 'correct horse battery', name, now: start });
  const id = newId('ses');
  const expires = new Date(start.getTime() + 365 * 86_400_000);
  await query('test-session', 'INSERT INTO session (id, session_token, user_id, expires) VALUES ($1, $1, $2, $3)', [
    id,
    userId,
    expires,
  ]);
  return { kind: 'user', userId, email, name, credential: { kind: 'session', id } };
}

/** The context this many seconds after the start. */
function at(seconds: number, actor: Actor = ada): Ctx {
  const now = new Date(start.getTime() + seconds * 1000);
  return { actor, requestId: 'req_test', signal: new AbortController().signal, now };
}

const client = (id = clientId): Actor => ({ kind: 'oauth-client', clientId: id });

async function register(metadata: object = {}): Promise<string> {
  const input = {
    metadata: {
      client_name: 'Example host',
      redirect_uris: [callback, loopback, 'com.example.app:/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
    address: `198.18.0.${newId('usr').length}`,
  };
  return (await registerClient({ ctx: at(0, { kind: 'anonymous' }), input })).client_id;
}

type Parameters = Record<string, string | undefined>;
const pkce = newPkce();

/** A valid request, with these parameters instead or removed. */
function requestOf(changes: Parameters = {}): string {
  const all: Parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'xyz',
    ...changes,
  };
  const pairs = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(pairs).toString();
}

function read(changes: Parameters = {}, ctx = at(0)): Promise<AuthorizationStep> {
  return readAuthorization({ ctx, input: { query: requestOf(changes) } });
}

/** The parameters of the response to a decision. */
async function decide(changes: Parameters = {}, { ctx = at(0), allow = true } = {}): Promise<Record<string, string>> {
  const { redirectTo } = await decideAuthorization({ ctx, input: { parameters: requestOf(changes), allow } });
  return Object.fromEntries(new URL(redirectTo).searchParams);
}

async function codeFor(changes: Parameters = {}, ctx = at(0)): Promise<string> {
  const { code } = await decide(changes, { ctx });
  if (!code) throw new Error('there is no code');
  return code;
}

/** The tokens of a code, or the error. */
async function redeem(
  code: string,
  {
    ctx = at(1, client()),
    ...changes
  }: { ctx?: Ctx; redirectUri?: string; codeVerifier?: string; resource?: string } = {},
): Promise<TokenResponse | { error: string }> {
  const input = { code, redirectUri: callback, codeVerifier: pkce.verifier, ...changes };
  return redeemAuthorizationCode({ ctx, input }).catch((error) => ({ error: error.code }));
}

async function tokensOf(changes: Parameters = {}, ctx = at(0)): Promise<TokenResponse> {
  const tokens = await redeem(await codeFor(changes, ctx), { ctx: { ...ctx, actor: client(changes.client_id) } });
  if ('error' in tokens) throw new Error(tokens.error);
  return tokens;
}

async function refresh(
  refreshToken: string | undefined,
  seconds: number,
  input: { scope?: string; resource?: string } = {},
): Promise<TokenResponse | { error: string }> {
  const ctx = at(seconds, client());
  return refreshConnection({ ctx, input: { refreshToken: refreshToken ?? '', ...input } }).catch((error) => ({
    error: error.code,
  }));
}

function refreshTokenOf(tokens: TokenResponse | { error: string }): string {
  return ('refresh_token' in tokens && tokens.refresh_token) || `none: ${JSON.stringify(tokens)}`;
}

/** True when an access token is accepted at a path this many seconds after the start. */
async function opens(tokens: TokenResponse | { error: string }, path = '/mcp', seconds = 2): Promise<boolean> {
  const bearer = 'access_token' in tokens ? tokens.access_token : '';
  return (await findHostActor({ bearer, calledUrl: () => site + path, now: at(seconds).now })) !== null;
}

const invalid = { error: 'invalid_grant' };

describe('an authorization request', () => {
  const refused: [what: string, changes: Parameters][] = [
    ['without a client', { client_id: undefined }],
    ['without a redirect URI', { redirect_uri: undefined }],
    ['of an unknown client', { client_id: 'reg.unknown.unknown' }],
    ['of an altered registration', { client_id: `${'reg.e30'}.AAAA` }],
    ['of a client whose document does not exist', { client_id: 'http://127.0.0.1:1/client.json' }],
    ['with a redirect URI that is not registered', { redirect_uri: 'https://client.example/other' }],
    ['with a redirect URI on another host', { redirect_uri: 'https://attacker.example/callback' }],
    ['with a script as redirect URI', { redirect_uri: 'javascript:/alert(1)' }],
    ['with a protocol-relative redirect URI', { redirect_uri: '//attacker.example/callback' }],
    ['with a path as redirect URI', { redirect_uri: '/callback' }],
    ['with a user name in the redirect URI', { redirect_uri: 'https://client.example@attacker.example/callback' }],
    ['with a fragment in the redirect URI', { redirect_uri: `${callback}#x` }],
    ['with another port on the host', { redirect_uri: 'https://client.example:8443/callback' }],
    ['with another path on the loopback host', { redirect_uri: 'http://127.0.0.1:3000/other' }],
  ];
  test.each(refused)('TOK-6 %s is shown to the user and never redirected', async (_, changes) => {
    expect(await read(changes)).toEqual({ kind: 'refused', message: expect.any(String) });
    await expect(decide(changes)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('TOK-6 with a repeated client or redirect URI is never redirected', async () => {
    for (const extra of [`&client_id=${clientId}`, `&redirect_uri=${encodeURIComponent(callback)}`]) {
      const step = await readAuthorization({ ctx: at(0), input: { query: requestOf() + extra } });
      expect(step).toEqual({ kind: 'refused', message: expect.stringContaining('more than once') });
    }
  });

  const errors: [what: string, error: string, changes: Parameters][] = [
    ['without a response type', 'invalid_request', { response_type: undefined }],
    ['of the implicit grant', 'unsupported_response_type', { response_type: 'token' }],
    ['of a hybrid flow', 'unsupported_response_type', { response_type: 'code id_token' }],
    ['with the response mode fragment', 'invalid_request', { response_mode: 'fragment' }],
    ['PKCE downgrade: without a challenge', 'invalid_request', { code_challenge: undefined }],
    ['PKCE downgrade: with the method plain', 'invalid_request', { code_challenge_method: 'plain' }],
    ['PKCE downgrade: without a method', 'invalid_request', { code_challenge_method: undefined }],
    ['PKCE downgrade: with a method in lower case', 'invalid_request', { code_challenge_method: 's256' }],
    ['with a short challenge', 'invalid_request', { code_challenge: pkce.challenge.slice(1) }],
    ['with a challenge of other characters', 'invalid_request', { code_challenge: `${pkce.challenge.slice(1)}=` }],
    ['for a resource on another server', 'invalid_target', { resource: 'https://attacker.example/mcp' }],
    ['for our API', 'invalid_target', { resource: 'SITE/api' }],
    ['for an unknown agent', 'invalid_target', { resource: 'SITE/agents/nobody/mcp' }],
    ['for a prefix of a resource', 'invalid_target', { resource: 'SITE/mc' }],
    ['for a resource with a query', 'invalid_target', { resource: 'SITE/mcp?x=1' }],
    ['for A2A calls', 'invalid_target', { resource: 'SITE/v1/agents/nobody/a2a' }],
    ['with only scopes of access tokens', 'invalid_scope', { scope: 'handshake pay' }],
    ['with a request object', 'request_not_supported', { request: 'eyJ' }],
    ['with a request URI', 'request_uri_not_supported', { request_uri: 'https://client.example/request' }],
    ['without prompts, before consent', 'consent_required', { prompt: 'none' }],
    ['with the prompt none and another', 'invalid_request', { prompt: 'none consent' }],
    ['with an endless state', 'invalid_request', { state: 'x'.repeat(4_001) }],
  ];
  test.each(errors)('TOK-6 %s returns the error %s', async (_, error, changes) => {
    const { resource } = changes;
    const step = await read({ ...changes, ...(resource && { resource: resource.replace('SITE', site) }) });
    const url = new URL(step.kind === 'redirect' ? step.url : 'nowhere:');
    expect(url.href.startsWith(`${callback}?`)).toBe(true);
    const state = changes.state ? null : 'xyz';
    expect([url.searchParams.get('error'), url.searchParams.get('state')]).toEqual([error, state]);
    expect(url.searchParams.get('iss')).toBe(site);
    expect(url.searchParams.has('code')).toBe(false);
  });

  test.each(['scope', 'state', 'resource', 'code_challenge', 'code_challenge_method', 'response_type', 'prompt'])(
    'TOK-6 with a repeated %s returns an error',
    async (name) => {
      const repeated = `${requestOf({ scope: 'agents:read', resource: `${site}/mcp`, prompt: 'consent' })}&${name}=x`;
      const step = await readAuthorization({ ctx: at(0), input: { query: repeated } });
      expect(step.kind === 'redirect' && new URL(step.url).searchParams.get('error')).toBe('invalid_request');
    },
  );

  test('gets its state back unchanged, whatever its characters, which cannot add parameters or headers', async () => {
    const state = 'a b+c&code=evil#"<>\r\nSet-Cookie: x=1;é漢😀%00%';
    const { redirectTo } = await decideAuthorization({
      ctx: at(0),
      input: { parameters: requestOf({ state }), allow: true },
    });
    expect(redirectTo).toMatch(/^[!-~]+$/);
    const { searchParams, hash } = new URL(redirectTo);
    expect([searchParams.getAll('state'), searchParams.getAll('code').length, hash]).toEqual([[state], 1, '']);
  });

  test('returns an error without the state if the state was not text', async () => {
    const step = await readAuthorization({
      ctx: at(0),
      input: { query: `${requestOf({ state: undefined })}&state=%ff%fe` },
    });
    expect(step.kind === 'redirect' && new URL(step.url).search).toMatch(/^\?error=invalid_request&(?!.*state=)/);
  });

  test('keeps the query of a redirect URI', async () => {
    const redirect = `${callback}?app=1`;
    const id = await register({ redirect_uris: [redirect] });
    const parameters = requestOf({ client_id: id, redirect_uri: redirect });
    const { redirectTo } = await decideAuthorization({ ctx: at(0), input: { parameters, allow: true } });
    expect(redirectTo.startsWith(`${redirect}&code=parley_ac_`)).toBe(true);
  });

  test('leads an anonymous user to the sign-in, or to an error with the prompt none', async () => {
    const anonymous = at(0, { kind: 'anonymous' });
    expect(await read({}, anonymous)).toEqual({ kind: 'sign-in' });
    const step = await read({ prompt: 'none' }, anonymous);
    expect(step.kind === 'redirect' && new URL(step.url).searchParams.get('error')).toBe('login_required');
  });

  test('shows the scopes that the client requests, and the host to which the browser returns', async () => {
    const step = await read({ scope: 'agents:read email nonsense', redirect_uri: 'http://127.0.0.1:4444/callback' });
    expect(step).toEqual({
      kind: 'ask',
      view: {
        clientName: 'Example host',
        clientId,
        clientHost: null,
        returnsTo: 'an app on this computer',
        redirectOrigin: 'http://127.0.0.1:4444',
        verified: 'none',
        isLoopbackOnly: false,
        scopes: ['agents:read', 'offline_access'],
        resource: `${site}/mcp`,
        resourceName: 'Parley (MCP)',
        offline: true,
        days: 90,
      },
    });
  });

  test('for a URL of the OpenAI-compatible API applies to the whole API', async () => {
    const step = await read({ resource: `${site}/v1/chat/completions`, client_id: documentId });
    expect(step.kind === 'ask' && [step.view.resource, step.view.verified, step.view.clientHost]).toEqual([
      `${site}/v1`,
      'document',
      host.origin.slice('http://'.length),
    ]);
  });

  test('returns access_denied and connects no app if the user denies it', async () => {
    const cleo = await person();
    const denied = await decide({}, { ctx: at(0, cleo), allow: false });
    expect(denied).toMatchObject({ error: 'access_denied', state: 'xyz', iss: site });
    expect(await listConnections({ ctx: at(0, cleo) })).toEqual([]);
  });
});

describe('consent to a client', () => {
  test('is stored for a client with a metadata document and for the same or fewer scopes', async () => {
    const cleo = await person();
    const request = { client_id: documentId, scope: 'agents:read agents:call offline_access' };
    await codeFor(request, at(0, cleo));
    const kindOf = async (changes: Parameters): Promise<string> => {
      const step = await read({ ...request, ...changes }, at(10, cleo));
      return step.kind === 'redirect' ? (new URL(step.url).searchParams.get('code') ? 'code' : 'error') : step.kind;
    };
    expect(await kindOf({})).toBe('code');
    expect(await kindOf({ scope: 'agents:read' })).toBe('code');
    expect(await kindOf({ prompt: 'none' })).toBe('code');
    expect(await kindOf({ prompt: 'consent' })).toBe('ask');
    expect(await kindOf({ prompt: 'login' })).toBe('ask');
    expect(await kindOf({ scope: 'agents:read tasks:read' })).toBe('ask');
    expect(await kindOf({ resource: `${site}/v1` })).toBe('ask');
    expect(await kindOf({ redirect_uri: 'http://127.0.0.1:9/callback' })).toBe('ask');
    const [connection] = await listConnections({ ctx: at(10, cleo) });
    await revokeConnection({ ctx: at(11, cleo), input: { id: connection?.id ?? '' } });
    expect(await kindOf({})).toBe('ask');
  });

  test.each([callback, loopback, 'com.example.app:/callback'])(
    'is never stored for a registered client, whose name anyone can use (%s)',
    async (redirect_uri) => {
      const cleo = await person();
      await codeFor({ redirect_uri }, at(0, cleo));
      expect((await read({ redirect_uri }, at(1, cleo))).kind).toBe('ask');
    },
  );

  test('applies only to the user who gave it', async () => {
    await codeFor({ client_id: documentId });
    expect((await read({ client_id: documentId }, at(1, await person()))).kind).toBe('ask');
  });

  test('extends the user’s earlier scopes, and creates one connection', async () => {
    const cleo = await person();
    await codeFor({ scope: 'agents:read' }, at(0, cleo));
    await codeFor({ scope: 'tasks:read' }, at(1, cleo));
    const connections = await listConnections({ ctx: at(2, cleo) });
    expect(connections.map(({ scopes }) => scopes)).toEqual([['agents:read', 'tasks:read', 'offline_access']]);
  });
});

describe('TOK-6 an authorization code', () => {
  test('can be exchanged once, for tokens with the allowed scopes', async () => {
    const tokens = await redeem(await codeFor({ scope: 'agents:read' }));
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^parley_at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'agents:read offline_access',
      refresh_token: expect.stringMatching(/^parley_rt_/),
    });
  });

  test('starts one sign-in if it is redeemed 20 times concurrently, and is invalid afterwards', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code)));
    const given = answers.filter((answer) => 'access_token' in answer);
    expect(given.length).toBe(1);
    expect(answers.filter((answer) => 'error' in answer && answer.error === 'invalid_grant').length).toBe(19);
    expect(await opens(given[0] ?? invalid)).toBe(false);
    expect(await refresh(refreshTokenOf(given[0] ?? invalid), 3)).toEqual(invalid);
  });

  test('revokes all of its tokens if its client uses it again with the verifier', async () => {
    const code = await codeFor();
    const tokens = await redeem(code);
    expect(await opens(tokens)).toBe(true);
    expect(await redeem(code, { ctx: at(5, client()) })).toEqual(invalid);
    expect(await opens(tokens)).toBe(false);
    expect(await refresh(refreshTokenOf(tokens), 6)).toEqual(invalid);
  });

  test('revokes no token if it is used again by another client or without its verifier', async () => {
    const code = await codeFor();
    const tokens = await redeem(code);
    expect(await redeem(code, { ctx: at(5, client(documentId)) })).toEqual(invalid);
    expect(await redeem(code, { ctx: at(5, client()), codeVerifier: newPkce().verifier })).toEqual(invalid);
    expect(await redeem(code, { ctx: at(5, client()), codeVerifier: '' })).toEqual(invalid);
    expect(await opens(tokens)).toBe(true);
  });

  test('is valid for 60 seconds', async () => {
    expect(await redeem(await codeFor(), { ctx: at(59, client()) })).toHaveProperty('access_token');
    expect(await redeem(await codeFor(), { ctx: at(60, client()) })).toEqual(invalid);
  });

  test('is rejected with another client, verifier, redirect URI or resource', async () => {
    const code = await codeFor();
    expect(await redeem(code, { ctx: at(1, client(documentId)) })).toEqual(invalid);
    expect(await redeem(code, { ctx: at(1, client(await register({ client_name: 'Other' }))) })).toEqual(invalid);
    expect(await redeem(code, { codeVerifier: newPkce().verifier })).toEqual(invalid);
    expect(await redeem(code, { codeVerifier: pkce.challenge })).toEqual(invalid);
    expect(await redeem(code, { codeVerifier: '' })).toEqual(invalid);
    expect(await redeem(code, { redirectUri: `${callback}/` })).toEqual(invalid);
    expect(await redeem(code, { redirectUri: loopback })).toEqual(invalid);
    expect(await redeem(code, { resource: `${site}/v1` })).toEqual({ error: 'invalid_target' });
    expect(await redeem(`${code}x`)).toEqual(invalid);
    expect(await redeem(code, { ctx: at(1, { kind: 'public-client', clientId: 'parley-cli' }) })).toEqual({
      error: 'unauthorized_client',
    });
    expect(await redeem(code, { resource: `${site}/mcp` })).toHaveProperty('access_token');
  });

  test('is invalid once the session that allowed it has ended', async () => {
    const cleo = await person();
    const code = await codeFor({}, at(0, cleo));
    await query('test-end-session', 'DELETE FROM session WHERE user_id = $1', [cleo.userId]);
    expect(await redeem(code)).toEqual(invalid);
  });

  test('is invalid once the user disconnects the app', async () => {
    const cleo = await person();
    const code = await codeFor({}, at(0, cleo));
    const [connection] = await listConnections({ ctx: at(0, cleo) });
    await revokeConnection({ ctx: at(0, cleo), input: { id: connection?.id ?? '' } });
    expect(await redeem(code)).toEqual(invalid);
  });

  test('is stored only as a hash', async () => {
    const code = await codeFor();
    const rows = await query<{ text: string }>(
      'test-codes',
      'SELECT row_to_json(c)::text AS text FROM authorization_code c',
    );
    expect(rows.some(({ text }) => text.includes(code) || text.includes(code.slice('parley_ac_'.length)))).toBe(false);
  });

  test('without offline_access returns no refresh token, and starts a one-hour sign-in', async () => {
    const id = await register({ grant_types: ['authorization_code'], client_name: 'Short' });
    const tokens = await tokensOf({ client_id: id, scope: 'agents:read' });
    expect(tokens).not.toHaveProperty('refresh_token');
    expect([await opens(tokens, '/mcp', 3599), await opens(tokens, '/mcp', 3601)]).toEqual([true, false]);
  });
});

describe('TOK-7 a connected app’s refresh token', () => {
  test('is rotated, and is valid once', async () => {
    const first = await tokensOf();
    const second = await refresh(first.refresh_token, 100);
    const third = await refresh(refreshTokenOf(second), 200);
    expect(await opens(third, '/mcp', 201)).toBe(true);
    expect(new Set([first, second, third].map(refreshTokenOf)).size).toBe(3);
  });

  test('succeeds in two concurrent requests, which continue as one', async () => {
    const { refresh_token } = await tokensOf();
    const [one, two] = await Promise.all([refresh(refresh_token, 100), refresh(refresh_token, 100)]);
    expect([await opens(one ?? invalid, '/mcp', 101), await opens(two ?? invalid, '/mcp', 101)]).toEqual([true, true]);
    expect(refreshTokenOf(one ?? invalid)).toBe(refreshTokenOf(two ?? invalid));
    expect(await refresh(refreshTokenOf(one ?? invalid), 200)).toHaveProperty('access_token');
  });

  test('returns the same new token for ten seconds after it was replaced', async () => {
    const { refresh_token } = await tokensOf();
    const renewed = await refresh(refresh_token, 100);
    expect(refreshTokenOf(await refresh(refresh_token, 109))).toBe(refreshTokenOf(renewed));
    expect(await refresh(refresh_token, 110)).toEqual(invalid);
    expect(await opens(renewed, '/mcp', 111)).toBe(false);
    expect(await refresh(refreshTokenOf(renewed), 112)).toEqual(invalid);
  });

  test('ends only its own sign-in, immediately, if a token older than the previous one is used', async () => {
    const other = await tokensOf();
    const first = await tokensOf();
    const second = await refresh(first.refresh_token, 100);
    const third = await refresh(refreshTokenOf(second), 101);
    expect(await refresh(first.refresh_token, 102)).toEqual(invalid);
    expect([await opens(third, '/mcp', 103), await opens(other, '/mcp', 103)]).toEqual([false, true]);
  });

  test('is rejected for another client or another resource', async () => {
    const { refresh_token = '' } = await tokensOf();
    const byOtherClient = { ctx: at(1, client(documentId)), input: { refreshToken: refresh_token } };
    await expect(refreshConnection(byOtherClient)).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(await refresh(refresh_token, 1, { resource: `${site}/v1` })).toEqual({ error: 'invalid_target' });
    expect(await refresh(refresh_token, 1)).toHaveProperty('access_token');
  });

  test('can narrow the access token but not widen it', async () => {
    const { refresh_token } = await tokensOf({ scope: 'agents:read agents:call' });
    const narrowed = await refresh(refresh_token, 1, { scope: 'agents:call' });
    expect(narrowed).toMatchObject({ scope: 'agents:call' });
    const bearer = 'access_token' in narrowed ? narrowed.access_token : '';
    const actor = await findHostActor({ bearer, calledUrl: () => `${site}/mcp`, now: at(2).now });
    expect(actor?.credential).toMatchObject({ kind: 'connection', scopes: ['agents:call'] });
    expect(await refresh(refreshTokenOf(narrowed), 3, { scope: 'tasks:read' })).toEqual({ error: 'invalid_scope' });
  });

  test('ends 90 days after the sign-in, however often it is renewed', async () => {
    const day = 86_400;
    const first = await tokensOf();
    const second = await refresh(first.refresh_token, 89 * day);
    expect(second).toHaveProperty('access_token');
    expect(await refresh(refreshTokenOf(second), 90 * day)).toEqual(invalid);
    expect(await opens(second, '/mcp', 90 * day)).toBe(false);
  });
});

describe('a connected app’s token', () => {
  test.each([
    ['/mcp', ['/mcp', '/mcp/', '/mcp?x=1']],
    ['/v1', ['/v1/models', '/v1/chat/completions', '/v1/responses']],
  ])('for %s is accepted only at that endpoint', async (resource, accepted) => {
    const tokens = await tokensOf({ resource: site + resource });
    for (const path of accepted) expect([path, await opens(tokens, path)]).toEqual([path, true]);
    const all = ['/mcp', '/v1/models', '/', '/api/agents', '/mcpx', '/mcp/x', '/v1x', '/agents/a/mcp', '/x/../mcpx'];
    for (const path of all) expect([path, await opens(tokens, path)]).toEqual([path, accepted.includes(path)]);
  });

  test('is not accepted as an access token by our API', async () => {
    const { access_token, refresh_token = '' } = await tokensOf();
    expect(await findAccessTokenActor(access_token, at(2).now)).toBeNull();
    expect(await findAccessTokenActor(refresh_token, at(2).now)).toBeNull();
    expect(await opens({ error: '' })).toBe(false);
    expect(await findHostActor({ bearer: refresh_token, calledUrl: () => `${site}/mcp`, now: at(2).now })).toBeNull();
  });

  test('ends when the account is suspended', async () => {
    const cleo = await person();
    const tokens = await tokensOf({}, at(0, cleo));
    await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [cleo.userId]);
    await publish('user', cleo.userId);
    expect(await opens(tokens)).toBe(false);
    expect(await refresh(tokens.refresh_token, 3)).toEqual(invalid);
  });
});

describe('REV-2 a connected app', () => {
  test('loses its access if its user disconnects it, without affecting other apps or users', async () => {
    const cleo = await person();
    const [kept, ended] = [await tokensOf(), await tokensOf({}, at(0, cleo))];
    const [connection] = await listConnections({ ctx: at(1, cleo) });
    const input = { id: connection?.id ?? '' };
    await expect(revokeConnection({ ctx: at(1), input })).rejects.toMatchObject({ code: 'not_found' });
    await expect(revokeConnection({ ctx: at(1), input: { id: "x'\0" } })).rejects.toMatchObject({ code: 'not_found' });
    expect(await opens(ended)).toBe(true);
    await revokeConnection({ ctx: at(2, cleo), input });
    expect([await opens(kept), await opens(ended)]).toEqual([true, false]);
    expect(await refresh(ended.refresh_token, 3)).toEqual(invalid);
    expect(await listConnections({ ctx: at(3, cleo) })).toEqual([]);
  });

  test('loses its access if the user signs out all devices, or resets the password', async () => {
    for (const end of ['devices', 'password']) {
      const cleo = await person();
      const tokens = await tokensOf({}, at(0, cleo));
      const code = await codeFor({}, at(0, cleo));
      if (end === 'devices') await revokeDeviceTokens({ ctx: at(1, cleo) });
      else await revokeAllTokens({ ctx: at(1, cleo), input: { userId: cleo.userId, devicesOnly: false } });
      expect([await opens(tokens), await listConnections({ ctx: at(2, cleo) })]).toEqual([false, []]);
      expect(await redeem(code)).toEqual(invalid);
    }
  });

  test('loses its access for all users if a moderator blocks the client', async () => {
    const id = await register({ client_name: 'Bad' });
    const cleo = await person();
    const tokens = [await tokensOf({ client_id: id }), await tokensOf({ client_id: id }, at(0, cleo))];
    const other = await tokensOf();
    await revokeConnectionsOfClient({ ctx: at(1), input: { clientId: id } });
    expect(await Promise.all([...tokens, other].map((given) => opens(given)))).toEqual([false, false, true]);
    const audits = await query<{ subject: string }>(
      'test-audits',
      `SELECT subject FROM audit_entry WHERE event = 'connection.revoked' AND subject = ANY($1) AND at = $2`,
      [[ada.userId, cleo.userId], at(1).now],
    );
    expect(audits.map(({ subject }) => subject).sort()).toEqual([ada.userId, cleo.userId].sort());
  });

  test('is disconnected if the limit is exceeded and it is the least recently used', async () => {
    const cleo = await person();
    const first = await tokensOf({}, at(0, cleo));
    await query(
      'test-connections',
      `INSERT INTO connection (id, user_id, client_id, client_hash, client_kind, client_name, resource, scopes, created_at)
       SELECT 'con_' || lpad(n::text, 20, '0'), $1, n::text, n::text, 'registered', n::text, $2, '{agents:read}', $3
       FROM generate_series(2, $4::int) AS n`,
      [cleo.userId, `${site}/mcp`, at(10).now, MAX_CONNECTIONS],
    );
    expect(await opens(first)).toBe(true);
    await codeFor({ client_id: documentId }, at(20, cleo));
    expect((await listConnections({ ctx: at(999, cleo) })).length).toBe(MAX_CONNECTIONS);
    expect(await opens(first)).toBe(false);
  });

  test('loses its least recently used sign-ins if their limit is exceeded', async () => {
    const cleo = await person();
    const tokens: TokenResponse[] = [];
    for (let index = 0; index <= MAX_CONNECTION_SIGN_INS; index++) tokens.push(await tokensOf({}, at(index * 3, cleo)));
    const [first, second] = tokens;
    expect([await opens(first ?? invalid, '/mcp', 100), await opens(second ?? invalid, '/mcp', 100)]).toEqual([
      false,
      true,
    ]);
  });
});
