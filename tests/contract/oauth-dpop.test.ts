import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '@/lib/platform/secrets/crypto';
import { createPerson, message03, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { basic, introspect, startTokensFixture, type TokensFixture } from './tokens-fixture';

type Key = Awaited<ReturnType<typeof generateKeyPair>>;

interface ProofOptions {
  method?: string;
  url: string;
  token?: string;
  nonce?: string;
  /** Members that replace those of a valid proof; undefined omits one. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
}

/** A proof of possession under RFC 9449 §4.2, or a near miss. */
async function proofBy(
  key: Key,
  { method = 'POST', url, token, nonce, claims, header }: ProofOptions,
): Promise<string> {
  const ath = token && Buffer.from(sha256(token), 'hex').toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const honest = { jti: crypto.randomUUID(), htm: method, htu: url, iat: now, ath, nonce };
  return new SignJWT({ ...honest, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey), ...header })
    .sign(key.privateKey);
}

/** A shared secret in place of a public key. */
function jwkOf(k: string): object {
  return { kty: 'oct', k };
}

describe('a key-bound token', () => {
  let fixture: TokensFixture;
  let ada: Person;
  let agentUrl: string;
  let rpcUrl: string;
  let key: Key;

  beforeAll(async () => {
    fixture = await startTokensFixture();
    ada = await createPerson(fixture.url, 'Ada');
    agentUrl = `${fixture.url}/agents/${fixture.slug}`;
    rpcUrl = `${agentUrl}/a2a/jsonrpc`;
    key = await generateKeyPair('ES256', { extractable: true });
  });

  afterAll(async () => {
    await fixture?.close();
  });

  function handshake(proof?: string): Promise<Response> {
    const headers: Record<string, string> = proof === undefined ? {} : { dpop: proof };
    const body = { agentSlug: fixture.slug };
    return send(`${fixture.url}/api/auth/handshake`, { body, bearer: ada.accessToken, headers });
  }

  /** The nonce that proofs must carry now. */
  async function nonceNow(): Promise<string> {
    const asked = await handshake(await proofBy(key, { url: `${fixture.url}/api/auth/handshake` }));
    expect(await asked.json()).toMatchObject({ code: 'use_dpop_nonce' });
    return asked.headers.get('dpop-nonce') ?? '';
  }

  async function boundToken(nonce: string): Promise<string> {
    const made = await handshake(await proofBy(key, { url: `${fixture.url}/api/auth/handshake`, nonce }));
    const { token, tokenType } = (await made.json()) as { token: string; tokenType: string };
    expect([made.status, tokenType]).toEqual([200, 'DPoP']);
    return token;
  }

  function call(authorization: string, proof?: string, url = rpcUrl): Promise<Response> {
    const body = { jsonrpc: '2.0', id: 1, method: 'message/send', params: message03('hello') };
    return send(url, { body, headers: { authorization, ...(proof !== undefined && { dpop: proof }) } });
  }

  it('TOK-8 can be obtained and used by a third-party client that has no code for our nonces', async () => {
    const { clientId, clientSecret } = fixture.app;
    const config = await openid.discovery(new URL(fixture.url), clientId, clientSecret, undefined, {
      execute: [openid.allowInsecureRequests],
      algorithm: 'oauth2',
    });
    expect(config.serverMetadata().dpop_signing_alg_values_supported).toEqual(['ES256', 'EdDSA']);
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair());
    const tokens = await openid.clientCredentialsGrant(config, { resource: agentUrl }, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: message03('hello') });
    const headers = new Headers({ 'content-type': 'application/json' });
    const response = await openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL(rpcUrl),
      'POST',
      body,
      headers,
      { DPoP },
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { kind: 'task' } });
  });

  it('TOK-8 INT-9 has its key in the introspection response', async () => {
    const token = await boundToken(await nonceNow());
    const cnf = { jkt: await calculateJwkThumbprint(await exportJWK(key.publicKey)) };
    expect(await (await introspect(fixture, { token })).json()).toMatchObject({
      active: true,
      token_type: 'DPoP',
      cnf,
    });
  });

  it('TOK-8 is rejected as a bearer token, and a bearer token is rejected with a proof', async () => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    const asBearer = await call(`Bearer ${token}`, await proofBy(key, { url: rpcUrl, token, nonce }));
    expect(asBearer.status).toBe(401);
    expect(asBearer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const { token: plain } = (await (await handshake()).json()) as { token: string };
    expect((await call(`DPoP ${plain}`, await proofBy(key, { url: rpcUrl, token: plain, nonce }))).status).toBe(401);
    expect((await call(`Bearer ${plain}`)).status).toBe(200);
  });

  it('TOK-8 is valid with a fresh proof for each request, on every path of the agent', async () => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    for (const url of [rpcUrl, rpcUrl]) {
      expect((await call(`DPoP ${token}`, await proofBy(key, { url, token, nonce }))).status).toBe(200);
    }
    const list = `${agentUrl}/a2a/rest/tasks`;
    const proof = await proofBy(key, { method: 'GET', url: list, token, nonce });
    const headers = { authorization: `DPoP ${token}`, dpop: proof, 'a2a-version': '1.0' };
    expect((await fetch(`${list}?pageSize=1`, { headers })).status).toBe(200);
  });

  it.each<[string, (by: Key) => Partial<ProofOptions>]>([
    ['another method', () => ({ method: 'GET' })],
    ['another address', () => ({ url: `${agentUrl}/a2a/rest/tasks` })],
    ['another host', () => ({ url: rpcUrl.replace(/\/\/[^/]+/, '//evil.example') })],
    ['no address', () => ({ claims: { htu: undefined } })],
    ['an invalid address', () => ({ claims: { htu: 'here' } })],
    ['another token', () => ({ token: 'other' })],
    ['no token', () => ({ token: undefined })],
    ['no id', () => ({ claims: { jti: undefined } })],
    ['an empty id', () => ({ claims: { jti: '' } })],
    ['an id that is too long', () => ({ claims: { jti: 'x'.repeat(300) } })],
    ['no time', () => ({ claims: { iat: undefined } })],
    ['a time in the past', () => ({ claims: { iat: Math.floor(Date.now() / 1000) - 3_600 } })],
    ['a time in the future', () => ({ claims: { iat: Math.floor(Date.now() / 1000) + 3_600 } })],
    ['another type', () => ({ header: { typ: 'JWT' } })],
    ['no key', () => ({ header: { jwk: undefined } })],
    ['a key by URL', () => ({ header: { jwk: undefined, jku: 'http://127.0.0.1:1/jwks' } })],
  ])('TOK-8 is rejected with a proof for %s', async (_name, change) => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    const response = await call(`DPoP ${token}`, await proofBy(key, { url: rpcUrl, token, nonce, ...change(key) }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('DPoP realm="parley", error="invalid_dpop_proof"');
  });

  it('TOK-8 is rejected if the proof contains the private key, is unsigned, or uses a shared secret', async () => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    const jwk: JWK = await exportJWK(key.privateKey);
    const shown = await proofBy(key, { url: rpcUrl, token, nonce, header: { jwk } });
    const [, claims] = (await proofBy(key, { url: rpcUrl, token, nonce })).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey) }));
    const secret = new TextEncoder().encode('a secret that everybody can read');
    const shared = await new SignJWT(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()))
      .setProtectedHeader({
        alg: 'HS256',
        typ: 'dpop+jwt',
        jwk: jwkOf(Buffer.from(secret).toString('base64url')),
      })
      .sign(secret);
    for (const proof of [shown, `${none.toString('base64url')}.${claims}.`, shared, 'x', '', `${shown}, ${shown}`]) {
      expect((await call(`DPoP ${token}`, proof)).status).toBe(401);
    }
    expect((await call(`DPoP ${token}`)).status).toBe(401);
  });

  it('TOK-8 is rejected with another key’s valid proof', async () => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    const other = await generateKeyPair('ES256');
    const response = await call(`DPoP ${token}`, await proofBy(other, { url: rpcUrl, token, nonce }));
    expect(response.status).toBe(401);
  });

  it('TOK-8 is rejected with a proof that contains its key but is signed by another key', async () => {
    const nonce = await nonceNow();
    const token = await boundToken(nonce);
    const header = { jwk: await exportJWK(key.publicKey) };
    const other = await generateKeyPair('ES256');
    const response = await call(`DPoP ${token}`, await proofBy(other, { url: rpcUrl, token, nonce, header }));
    expect(response.status).toBe(401);
  });

  it.each([['none'], ['of our making: x']])('TOK-8 requires our nonce if the proof’s nonce is: %s', async (nonce) => {
    const token = await boundToken(await nonceNow());
    const response = await call(
      `DPoP ${token}`,
      await proofBy(key, { url: rpcUrl, token, nonce: nonce === 'none' ? undefined : nonce }),
    );
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"');
    const fresh = response.headers.get('dpop-nonce') ?? '';
    expect((await call(`DPoP ${token}`, await proofBy(key, { url: rpcUrl, token, nonce: fresh }))).status).toBe(200);
  });

  it('TOK-8 is rejected with 400 by the token endpoint if the proof is invalid or the client is a device', async () => {
    const url = `${fixture.url}/api/auth/token`;
    async function ask(form: Record<string, string>, headers: Record<string, string>): Promise<[number, string]> {
      const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) });
      const { error } = (await response.json()) as { error: string };
      return [response.status, `${error}${response.headers.has('dpop-nonce') ? ' with a nonce' : ''}`];
    }
    const authorization = basic(fixture.app);
    const form = { grant_type: 'client_credentials', resource: agentUrl };
    expect(await ask(form, { authorization, dpop: 'x' })).toEqual([400, 'invalid_dpop_proof']);
    const dpop = await proofBy(key, { url });
    expect(await ask(form, { authorization, dpop })).toEqual([400, 'use_dpop_nonce with a nonce']);
    const device = { client_id: 'parley-cli', grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await ask(device, { dpop })).toEqual([400, 'invalid_request']);
  });

  describe('used on two nodes', () => {
    let second: Parley;
    beforeAll(async () => {
      second = await startParley({ env: { APP_URL: fixture.url, AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
    });
    afterAll(() => second?.stop());

    it('TOK-8 requires a new proof for each request: a proof used on one node is rejected on the other', async () => {
      const nonce = await nonceNow();
      const token = await boundToken(nonce);
      const proof = await proofBy(key, { url: rpcUrl, token, nonce });
      const there = rpcUrl.replace(fixture.url, second.url);
      const answers = await Promise.all([call(`DPoP ${token}`, proof), call(`DPoP ${token}`, proof, there)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    });
  });
});
