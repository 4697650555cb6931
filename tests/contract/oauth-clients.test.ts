import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerson, message03, type Person, rpc, send, tokenFor } from '../support/fixtures';
import { newPkce } from '../support/pkce';
import { callback, consentForm, postConsent, registerHost } from './oauth-fixture';
import { createTokensFixture, type TokensFixture } from './tokens-fixture';

const insecure = { [oauth.allowInsecureRequests]: true };

describe('third-party clients:', () => {
  let fixture: TokensFixture;
  let ada: Person;
  let resource: string;

  beforeAll(async () => {
    fixture = await createTokensFixture();
    ada = await createPerson(fixture.url, 'Ada');
    resource = `${fixture.url}/agents/${fixture.slug}`;
    const session = { cookie: ada.cookie, origin: fixture.url };
    await send(`${fixture.url}/api/grants/${fixture.slug}`, {
      method: 'PUT',
      body: { scopes: ['delegate'] },
      ...session,
    });
  });

  afterAll(async () => {
    await fixture?.close();
  });

  /** Allows the request at `address` as the consent page does. Returns the address to which the browser is sent. */
  async function allow(address: URL): Promise<URL> {
    expect(address.origin + address.pathname).toBe(`${fixture.url}/oauth/authorize`);
    const response = await postConsent(fixture.url, ada, { form: `${address.searchParams}&decision=allow` });
    return new URL(response.headers.get('location') ?? '');
  }

  async function letIn(userCode: string): Promise<void> {
    const body = { userCode, allow: true };
    const session = { cookie: ada.cookie, origin: fixture.url };
    expect((await send(`${fixture.url}/api/auth/device/decide`, { body, ...session })).status).toBe(204);
  }

  /** The token that the gateway forwards to the agent when Ada calls it. */
  async function handed(): Promise<string> {
    fixture.agent.received.length = 0;
    const token = await tokenFor(fixture.url, ada, fixture.slug);
    await rpc({ url: `${resource}/a2a/jsonrpc`, token }, 'message/send', message03('hello'));
    return String(fixture.agent.messages[0]?.headers.authorization).replace('Bearer ', '');
  }

  describe('openid-client', () => {
    const insecureOnly = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' as const };

    function asApp(authentication = openid.ClientSecretBasic): Promise<openid.Configuration> {
      const { clientId, clientSecret } = fixture.app;
      return openid.discovery(new URL(fixture.url), clientId, clientSecret, authentication(clientSecret), insecureOnly);
    }

    it('signs a device in, renews its tokens and revokes them', async () => {
      const config = await openid.discovery(new URL(fixture.url), 'parley-cli', undefined, openid.None(), insecureOnly);
      const started = await openid.initiateDeviceAuthorization(config, { scope: 'handshake' });
      await letIn(started.user_code);
      const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...started, interval: 0 });
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await tokenFor(fixture.url, { accessToken: renewed.access_token }, fixture.slug)).toMatch(/^ey/);
      await openid.tokenRevocation(config, renewed.access_token);
      expect((await send(`${fixture.url}/api/apps`, { bearer: renewed.access_token })).status).toBe(401);
    });

    it('signs a user in by authorization code with PKCE, renews the tokens and revokes them', async () => {
      const clientId = await registerHost(fixture.url);
      const config = await openid.discovery(new URL(fixture.url), clientId, undefined, openid.None(), insecureOnly);
      const verifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: 'agents:read',
        resource: `${fixture.url}/v1`,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      });
      const returned = await allow(address);
      const checks = { pkceCodeVerifier: verifier, expectedState: state };
      const tokens = await openid.authorizationCodeGrant(config, returned, checks);
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'agents:read offline_access' });
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      const models = (): Promise<Response> => send(`${fixture.url}/v1/models`, { bearer: renewed.access_token });
      expect((await models()).status).toBe(200);
      await openid.tokenRevocation(config, renewed.refresh_token ?? '');
      expect((await models()).status).toBe(401);
      await expect(openid.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    it('receives an error if the user denies access', async () => {
      const clientId = await registerHost(fixture.url);
      const config = await openid.discovery(new URL(fixture.url), clientId, undefined, openid.None(), insecureOnly);
      const verifier = openid.randomPKCECodeVerifier();
      const challenge = await openid.calculatePKCECodeChallenge(verifier);
      const form = consentForm(clientId, challenge, { decision: 'deny' });
      const response = await postConsent(fixture.url, ada, { form });
      const returned = new URL(response.headers.get('location') ?? '');
      const checks = { pkceCodeVerifier: verifier, expectedState: 'xyz' };
      await expect(openid.authorizationCodeGrant(config, returned, checks)).rejects.toMatchObject({
        error: 'access_denied',
      });
    });

    it.each([
      ['Basic', openid.ClientSecretBasic],
      ['the form', openid.ClientSecretPost],
    ])('requests, introspects and revokes an app’s own token with %s', async (_name, authentication) => {
      const config = await asApp(authentication);
      const { access_token } = await openid.clientCredentialsGrant(config, { resource });
      expect(await openid.tokenIntrospection(config, access_token)).toMatchObject({ active: true, aud: resource });
      await openid.tokenRevocation(config, access_token);
      expect(await openid.tokenIntrospection(config, access_token)).toEqual({ active: false });
    });

    it('exchanges a token, and receives the reason if the exchange is rejected', async () => {
      const config = await asApp();
      const form = {
        subject_token: await handed(),
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource,
      };
      const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
      await expect(openid.genericGrantRequest(config, grant, form)).rejects.toMatchObject({ error: 'invalid_target' });
    });
  });

  describe('oauth4webapi', () => {
    it('discovers the service from an agent’s challenge alone, and accepts its token under RFC 9068', async () => {
      const called = `${resource}/a2a/jsonrpc`;
      const challenged = await fetch(called, { method: 'POST' });
      const metadata = /resource_metadata="([^"]+)"/.exec(challenged.headers.get('www-authenticate') ?? '')?.[1];
      const found = await oauth.processResourceDiscoveryResponse(new URL(called), await fetch(metadata ?? ''));
      const issuer = new URL(found.authorization_servers?.[0] ?? '');
      const as = await oauth.processDiscoveryResponse(
        issuer,
        await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
      );
      const client = { client_id: fixture.app.clientId };
      const response = await oauth.clientCredentialsGrantRequest(
        as,
        client,
        oauth.ClientSecretBasic(fixture.app.clientSecret),
        { resource: found.resource },
        insecure,
      );
      const { access_token } = await oauth.processClientCredentialsResponse(as, client, response);
      for (const token of [access_token, await tokenFor(fixture.url, ada, fixture.slug)]) {
        const request = new Request(resource, { headers: { authorization: `Bearer ${token}` } });
        const claims = await oauth.validateJwtAccessToken(as, request, resource, insecure);
        expect(claims).toMatchObject({ iss: fixture.url, aud: resource });
      }
    });
  });

  describe('oauth4webapi, with only the MCP server’s challenge,', () => {
    /** The MCP server's resource, scopes and authorization server (RFC 9728 §5). */
    async function discover(): Promise<{ as: oauth.AuthorizationServer; found: oauth.ResourceServer; scope: string }> {
      const called = `${fixture.url}/mcp`;
      const challenge = (await fetch(called, { method: 'POST' })).headers.get('www-authenticate') ?? '';
      const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      const found = await oauth.processResourceDiscoveryResponse(new URL(called), await fetch(metadata));
      const issuer = new URL(found.authorization_servers?.[0] ?? '');
      const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(issuer, response);
      return { as, found, scope: /scope="([^"]+)"/.exec(challenge)?.[1] ?? '' };
    }

    it('registers, signs a user in, renews the tokens and revokes them', async () => {
      const { as, found, scope } = await discover();
      const metadata = { redirect_uris: [callback], token_endpoint_auth_method: 'none' };
      const registered = await oauth.dynamicClientRegistrationRequest(as, metadata, insecure);
      const client = await oauth.processDynamicClientRegistrationResponse(registered);
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const address = new URL(as.authorization_endpoint ?? '');
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: callback,
        resource: found.resource,
        scope: `${scope} offline_access`,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      }).toString();
      const parameters = oauth.validateAuthResponse(as, client, await allow(address), state);
      const none = oauth.None();
      const tokens = await oauth.processAuthorizationCodeResponse(
        as,
        client,
        await oauth.authorizationCodeGrantRequest(as, client, none, parameters, callback, verifier, insecure),
      );
      const refresh = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? '', insecure);
      const renewed = await oauth.processRefreshTokenResponse(as, client, refresh);
      const ping = async (): Promise<number> => {
        const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
        return (await send(found.resource, { body, bearer: renewed.access_token })).status;
      };
      expect(await ping()).toBe(200);
      const revoked = await oauth.revocationRequest(as, client, none, renewed.access_token, insecure);
      await oauth.processRevocationResponse(revoked);
      expect(await ping()).toBe(401);
    });

    it('mix-up: rejects a response from another issuer', async () => {
      const { as } = await discover();
      const clientId = await registerHost(fixture.url);
      const { challenge } = newPkce();
      const response = await postConsent(fixture.url, ada, { form: consentForm(clientId, challenge) });
      const returned = new URL(response.headers.get('location') ?? '');
      const attacker = { ...as, issuer: 'https://attacker.example' };
      expect(() => oauth.validateAuthResponse(attacker, { client_id: clientId }, returned, 'xyz')).toThrow('iss');
      returned.searchParams.delete('iss');
      expect(() => oauth.validateAuthResponse(as, { client_id: clientId }, returned, 'xyz')).toThrow('iss');
    });
  });

  describe('express-oauth2-jwt-bearer', () => {
    let server: Server;

    beforeAll(async () => {
      const agent = express();
      agent.use(auth({ issuerBaseURL: fixture.url, audience: resource, tokenSigningAlg: 'RS256', strict: true }));
      agent.get('/', (request, response) => {
        response.json(request.auth?.payload);
      });
      server = createServer(agent).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
    });

    afterAll(() => {
      server?.close();
    });

    function call(token: string): Promise<Response> {
      const { port } = server.address() as AddressInfo;
      return fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${token}` } });
    }

    it('accepts our tokens using only discovery, and rejects another agent’s tokens', async () => {
      for (const token of [await tokenFor(fixture.url, ada, fixture.slug), await handed()]) {
        const response = await call(token);
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual(decodeJwt(token));
      }
      const body = { agentSlug: fixture.slug };
      const generic = await send(`${fixture.url}/api/auth/token`, { body, bearer: ada.accessToken });
      const { token } = (await generic.json()) as { token: string };
      expect((await call(token)).status).toBe(401);
    });
  });

  describe('a client written for Web42', () => {
    /** Such a client has only the platform's address and its token. */
    async function web42(base: string, cliToken: string, slug: string): Promise<unknown[]> {
      const handshake = await fetch(`${base}/api/auth/handshake`, {
        method: 'POST',
        headers: { authorization: `Bearer ${cliToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ agentSlug: slug }),
      });
      const { token, agentUrl, expiresAt } = (await handshake.json()) as Record<string, string>;
      if (!token || !(Date.parse(expiresAt ?? '') > Date.now())) throw new Error('no token');
      const message = { role: 'user', messageId: crypto.randomUUID(), parts: [{ kind: 'text', text: 'hello' }] };
      const response = await fetch(`${agentUrl}/a2a/jsonrpc`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
      });
      const frames = (await response.text()).split('\n\n').filter((frame) => frame.includes('data:'));
      return frames.map((frame) => {
        const lines = frame.split('\n');
        if (!lines.includes('event: message')) throw new Error(`another event: ${frame}`);
        return JSON.parse(lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '');
      });
    }

    async function introspectAsAgent(base: string, token: string): Promise<Record<string, unknown>> {
      const { clientId, clientSecret } = fixture.app;
      const response = await fetch(`${base}/api/auth/introspect`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
        body: new URLSearchParams({ token }),
      });
      return (await response.json()) as Record<string, unknown>;
    }

    it('works if only the base URL is changed: handshake, call, stream, introspection', async () => {
      const events = await web42(fixture.url, ada.accessToken, fixture.slug);
      expect(events[0]).toMatchObject({ kind: 'status-update' });
      const token = String(fixture.agent.received.at(-1)?.headers.authorization).replace('Bearer ', '');
      expect(await introspectAsAgent(fixture.url, token)).toMatchObject({
        active: true,
        sub: expect.any(String),
        agent_id: expect.any(String),
        exp: expect.any(Number),
        iat: expect.any(Number),
      });
    });
  });
});
