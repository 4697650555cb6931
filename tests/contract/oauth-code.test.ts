import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { createPerson, type Person, send, testPassword } from '../support/fixtures';
import { newPkce } from '../support/pkce';
import { waitFor } from '../support/wait-for';
import {
  allowHost,
  callback,
  connectHost,
  consentForm,
  type HostTokens,
  postConsent,
  registerHost,
} from './oauth-fixture';
import { createApp, createTokensFixture, postForm, signInDevice, type TokensFixture } from './tokens-fixture';

let fixture: TokensFixture;
let url: string;
let ada: Person;
let clientId: string;

beforeAll(async () => {
  fixture = await createTokensFixture();
  url = fixture.url;
  ada = await createPerson(url, 'Ada');
  clientId = await registerHost(url);
});

afterAll(async () => {
  await fixture?.close();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A request of the token endpoint without a secret. */
async function ask(form: Record<string, string>, path = '/api/auth/token'): Promise<Answer> {
  const response = await postForm(url + path, form);
  const text = await response.text();
  return { status: response.status, body: text ? (JSON.parse(text) as Answer['body']) : {} };
}

/** The status with which the MCP server answers a bearer. */
async function mcpStatus(bearer: string): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { accept: 'application/json, text/event-stream' };
  return (await send(`${url}/mcp`, { body, bearer, headers })).status;
}

/** An app to which users return at `callback`. */
async function createClientApp(owner: Person): Promise<NewClientSecret> {
  const app = await createApp(url, owner);
  const body = { redirectUris: [callback] };
  const set = await send(`${url}/api/apps/${app.id}/redirect-uris`, { method: 'PUT', body, bearer: owner.accessToken });
  if (set.status !== 200) throw new Error(`redirect URIs: ${set.status} ${await set.text()}`);
  return app;
}

const { challenge } = newPkce();
const invalidGrant = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) };

describe('the authorization code flow', () => {
  test('returns code, state and issuer at the redirect URI, and exchanges the code for tokens', async () => {
    const response = await postConsent(url, ada, { form: consentForm(clientId, challenge) });
    const location = new URL(response.headers.get('location') ?? '');
    expect([response.status, location.origin + location.pathname]).toEqual([303, callback]);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      code: expect.stringMatching(/^parley_ac_/),
      state: 'xyz',
      iss: url,
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const tokens = await connectHost(url, ada, { clientId });
    expect(await mcpStatus(tokens.access_token)).toBe(200);
  });

  test('connects an app that its user can list and disconnect, which ends its tokens', async () => {
    const cleo = await createPerson(url, 'Cleo');
    const { access_token, refresh_token } = await connectHost(url, cleo, { clientId, scope: 'agents:read' });
    const mine = { cookie: cleo.cookie, origin: url };
    expect(await mcpStatus(access_token)).toBe(200);
    type Connections = { items: { id: string; lastUsedAt: string | null }[] };
    const list = async (): Promise<Connections> =>
      (await (await send(`${url}/api/connections`, mine)).json()) as Connections;
    // The use is recorded after the response.
    await waitFor(async () => (await list()).items[0]?.lastUsedAt, { what: 'the last use' });
    const { items } = await list();
    const time = expect.stringMatching(/^\d{4}-/);
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^con_/),
        clientId,
        clientName: 'Example host',
        clientHost: null,
        verified: 'none',
        resource: `${url}/mcp`,
        resourceName: 'Parley (MCP)',
        scopes: ['agents:read', 'offline_access'],
        createdAt: time,
        lastUsedAt: time,
      },
    ]);
    const address = `${url}/api/connections/${items[0]?.id}`;
    const ofOther = await send(address, { method: 'DELETE', cookie: ada.cookie, origin: url });
    expect(ofOther.status).toBe(404);
    expect((await send(address, { method: 'DELETE', ...mine })).status).toBe(204);
    expect(await mcpStatus(access_token)).toBe(401);
    const refreshed = await ask({ grant_type: 'refresh_token', client_id: clientId, refresh_token });
    expect(refreshed).toEqual(invalidGrant);
    const activity = await (await send(`${url}/api/account/activity?topic=permissions`, mine)).text();
    for (const event of ['connection.allowed', 'connection.revoked']) expect(activity).toContain(event);
  });

  test('requires an app’s secret to redeem a code and to renew or revoke a token', async () => {
    const app = await createClientApp(fixture.developer);
    const other = await createClientApp(fixture.developer);
    const token = `${url}/api/auth/token`;
    const refused = { status: 401, body: expect.objectContaining({ error: 'invalid_client' }) };
    const { client_id: _, ...form } = await allowHost(url, ada, { clientId: app.clientId });
    expect(await ask({ ...form, client_id: app.clientId })).toEqual(refused);
    expect(await ask({ ...form, client_id: app.clientId, client_secret: other.clientSecret })).toEqual(refused);
    expect((await postForm(token, form, other)).status).toBe(400);
    const tokens = (await (await postForm(token, form, app)).json()) as HostTokens;
    expect(await mcpStatus(tokens.access_token)).toBe(200);
    const renewal = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect(await ask({ ...renewal, client_id: app.clientId })).toEqual(refused);
    expect((await postForm(token, renewal, other)).status).toBe(400);
    const renewed = (await (await postForm(token, renewal, app)).json()) as HostTokens;
    expect((await postForm(`${url}/api/auth/revoke`, { token: renewed.access_token }, other)).status).toBe(200);
    expect(await mcpStatus(renewed.access_token)).toBe(200);
    expect((await postForm(`${url}/api/auth/revoke`, { token: renewed.access_token }, app)).status).toBe(200);
    expect(await mcpStatus(renewed.access_token)).toBe(401);
  });

  test('REV-2 disconnects all of an app’s users if its owner’s account ends', async () => {
    const owner = await createPerson(url, 'Olga');
    const app = await createClientApp(owner);
    const cleo = await createPerson(url, 'Cleo');
    const { client_id: _, ...form } = await allowHost(url, cleo, { clientId: app.clientId });
    const tokens = (await (await postForm(`${url}/api/auth/token`, form, app)).json()) as HostTokens;
    expect(await mcpStatus(tokens.access_token)).toBe(200);
    const deletion = { email: owner.email, password: testPassword };
    const session = { cookie: owner.cookie, origin: url };
    expect((await send(`${url}/api/account/deletion`, { body: deletion, ...session })).status).toBe(204);
    expect(await mcpStatus(tokens.access_token)).toBe(401);
    const listed = await send(`${url}/api/connections`, { cookie: cleo.cookie, origin: url });
    expect(await listed.json()).toEqual({ items: [] });
  });

  test('RFC 7009: allows the client to revoke a token of either kind, which ends that sign-in', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const [ended, kept] = [await connectHost(url, ada, { clientId }), await connectHost(url, ada, { clientId })];
      const other = await registerHost(url, { client_name: 'Other' });
      for (const client_id of [other, 'parley-cli']) {
        expect((await ask({ client_id, token: ended[kind] }, '/api/auth/revoke')).status).toBe(200);
      }
      expect(await mcpStatus(ended.access_token)).toBe(200);
      expect((await ask({ client_id: clientId, token: ended[kind] }, '/api/auth/revoke')).status).toBe(200);
      expect([await mcpStatus(ended.access_token), await mcpStatus(kept.access_token)]).toEqual([401, 200]);
    }
  });

  test('RFC 7009: does not allow a host to revoke devices’ tokens', async () => {
    const { access_token } = await signInDevice(url, ada);
    expect((await ask({ client_id: clientId, token: access_token }, '/api/auth/revoke')).status).toBe(200);
    expect((await send(`${url}/api/agents`, { bearer: access_token })).status).toBe(200);
  });
});

describe('TOK-6 the token endpoint', () => {
  test('revokes the tokens of a code’s first use if the code is replayed', async () => {
    const form = await allowHost(url, ada, { clientId });
    const { body } = await ask(form);
    expect(await mcpStatus(String(body.access_token))).toBe(200);
    expect(await ask(form)).toEqual(invalidGrant);
    expect(await mcpStatus(String(body.access_token))).toBe(401);
  });

  const injections: [what: string, changes: () => Promise<Record<string, string>>][] = [
    ['of another client', async () => ({ client_id: await registerHost(url, { client_name: 'Evil' }) })],
    ['with another verifier', async () => ({ code_verifier: newPkce().verifier })],
    ['with the challenge as verifier', async () => ({ code_verifier: challenge })],
    ['with another redirect URI', async () => ({ redirect_uri: `${callback}/` })],
    ['with an altered code', async () => ({ code: 'parley_ac_x' })],
  ];
  test.each(injections)('code injection: rejects a code %s', async (_, changes) => {
    const form = await allowHost(url, ada, { clientId });
    expect(await ask({ ...form, ...(await changes()) })).toEqual(invalidGrant);
    expect((await ask(form)).status).toBe(200);
  });

  test.each(['code', 'redirect_uri', 'code_verifier'])(
    'PKCE downgrade: rejects every request without %s',
    async (name) => {
      const { [name]: _, ...form } = await allowHost(url, ada, { clientId });
      expect(await ask(form)).toEqual({ status: 400, body: expect.objectContaining({ error: 'invalid_request' }) });
    },
  );

  test('rejects a repeated parameter', async () => {
    const form = new URLSearchParams(await allowHost(url, ada, { clientId }));
    for (const name of ['code', 'code_verifier', 'redirect_uri', 'client_id', 'resource']) {
      const response = await fetch(`${url}/api/auth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${form}&resource=${encodeURIComponent(`${url}/mcp`)}&${name}=${form.get(name) ?? 'x'}`,
      });
      expect([name, response.status]).toEqual([name, 400]);
    }
  });

  test('issues no token if the code is for another resource', async () => {
    const form = await allowHost(url, ada, { clientId, resource: `${url}/v1` });
    const { body } = await ask({ ...form, resource: `${url}/mcp` });
    expect(body.error).toBe('invalid_target');
  });
});

describe('TOK-6 the decision form', () => {
  const forged: [what: string, headers: Record<string, string>][] = [
    ['from another origin', { origin: 'https://attacker.example' }],
    ['from a sandboxed frame', { origin: 'null' }],
    ['without an origin', { origin: '' }],
  ];
  test.each(forged)('CSRF: rejects a form %s', async (_, headers) => {
    const form = consentForm(clientId, challenge);
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
    const response = await fetch(`${url}/oauth/authorize`, {
      method: 'POST',
      headers: { cookie: ada.cookie, 'content-type': 'application/x-www-form-urlencoded', ...given },
      body: form,
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([403, null]);
  });

  test('CSRF: rejects a decision made by a link', async () => {
    const response = await fetch(`${url}/oauth/authorize?${consentForm(clientId, challenge)}`, {
      headers: { cookie: ada.cookie },
      redirect: 'manual',
    });
    expect(response.headers.get('location') ?? '').not.toContain('code=');
  });

  test('CSRF: rejects JSON and multipart', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const form = consentForm(clientId, challenge);
      const response = await postConsent(url, ada, { form, headers: { 'content-type': type } });
      expect([type, response.status, response.headers.get('location')]).toEqual([type, expect.any(Number), null]);
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('rejects a request without a session, or with a token of any kind', async () => {
    const { access_token } = await connectHost(url, ada, { clientId });
    const form = consentForm(clientId, challenge);
    expect((await postConsent(url, { cookie: 'parley=none' }, { form })).status).toBe(401);
    for (const token of [ada.accessToken, access_token]) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await postConsent(url, ada, { form, headers });
      expect([403, 401]).toContain(response.status);
      expect(response.headers.get('location')).toBeNull();
    }
  });

  test('rejects a request with no decision or with two', async () => {
    for (const form of [
      consentForm(clientId, challenge, { decision: '' }),
      consentForm(clientId, challenge, { decision: 'Allow' }),
      `${consentForm(clientId, challenge, { decision: 'deny' })}&decision=allow`,
    ]) {
      expect((await postConsent(url, ada, { form })).status).toBe(400);
    }
  });

  test('mix-up: names the issuer in every response, including errors', async () => {
    const requests: Record<string, string>[] = [{ decision: 'deny' }, { response_type: 'token' }, { scope: 'pay' }];
    for (const changes of requests) {
      const response = await postConsent(url, ada, { form: consentForm(clientId, challenge, changes) });
      const { searchParams } = new URL(response.headers.get('location') ?? '');
      expect([searchParams.get('iss'), searchParams.get('state')]).toEqual([url, 'xyz']);
    }
  });
});

describe('TOK-6 the redirect after a decision', () => {
  const targets = [
    '',
    'https://attacker.example/',
    '//attacker.example/callback',
    '/\\attacker.example',
    'https:attacker.example',
    'https://client.example@attacker.example/callback',
    'https://client.example.attacker.example/callback',
    'https://client.example/callback#@attacker.example',
    'https://client.example/callback/../other',
    'https://client.example/callback%2f..%2fother',
    'https://client.example:444/callback',
    'http://client.example/callback',
    'HTTPS://CLIENT.EXAMPLE/callback',
    'https://xn--clint-9na.example/callback',
    'https://cliеnt.example/callback',
    'javascript:alert(document.cookie)',
    'data:text/html,<script>alert(1)</script>',
    `${callback}\r\nSet-Cookie: parley=x`,
    `${callback} https://attacker.example`,
  ];
  test.each(targets)('never leads to %j', async (redirect_uri) => {
    const form = consentForm(clientId, challenge, { redirect_uri });
    const response = await postConsent(url, ada, { form });
    expect([response.status, response.headers.get('location'), response.headers.get('set-cookie')]).toEqual([
      400,
      null,
      null,
    ]);
  });
});
