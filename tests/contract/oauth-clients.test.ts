import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { auth } from 'express-oauth2-jwt-bearer';
import { decodeJwt } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPerson, message03, type Person, rpc, send, tokenFor } from '../support/fixtures';
import { createTokensFixture, type TokensFixture } from './tokens-fixture';

const insecure = { [oauth.allowInsecureRequests]: true };

describe('third-party clients', () => {
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

  async function letIn(userCode: string): Promise<void> {
    const body = { userCode, allow: true };
    const session = { cookie: ada.cookie, origin: fixture.url };
    expect((await send(`${fixture.url}/api/auth/device/decide`, { body, ...session })).status).toBe(204);
  }

  /** What the gateway forwards to the agent when Ada calls it. */
  async function handed(): Promise<string> {
    fixture.agent.received.length = 0;
    const token = await tokenFor(fixture.url, ada, fixture.slug);
    await rpc({ url: `${resource}/a2a/jsonrpc`, token }, 'message/send', message03('hello'));
    return String(fixture.agent.received[0]?.headers.authorization).replace('Bearer ', '');
  }

  describe('openid-client', () => {
    const allow = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' as const };

    function asApp(authentication = openid.ClientSecretBasic): Promise<openid.Configuration> {
      const { clientId, clientSecret } = fixture.app;
      return openid.discovery(new URL(fixture.url), clientId, clientSecret, authentication(clientSecret), allow);
    }

    it('signs a device in, renews its tokens and revokes them', async () => {
      const config = await openid.discovery(new URL(fixture.url), 'parley-cli', undefined, openid.None(), allow);
      const started = await openid.initiateDeviceAuthorization(config, { scope: 'handshake' });
      await letIn(started.user_code);
      const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...started, interval: 0 });
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await tokenFor(fixture.url, { accessToken: renewed.access_token }, fixture.slug)).toMatch(/^ey/);
      await openid.tokenRevocation(config, renewed.access_token);
      expect((await send(`${fixture.url}/api/apps`, { bearer: renewed.access_token })).status).toBe(401);
    });

    it.each([
      ['Basic', openid.ClientSecretBasic],
      ['the form', openid.ClientSecretPost],
    ])('gets an app its own token, introspects it and revokes it, by %s', async (_name, authentication) => {
      const config = await asApp(authentication);
      const { access_token } = await openid.clientCredentialsGrant(config, { resource });
      expect(await openid.tokenIntrospection(config, access_token)).toMatchObject({ active: true, aud: resource });
      await openid.tokenRevocation(config, access_token);
      expect(await openid.tokenIntrospection(config, access_token)).toEqual({ active: false });
    });

    it('exchanges a token, and gets the reason when refused', async () => {
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
    it('finds the service from an agent’s challenge alone, and accepts its token under RFC 9068', async () => {
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

    it('accepts our tokens by discovery alone, and not those of another agent', async () => {
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

    it('works by changing the base URL: handshake, call, stream, introspection', async () => {
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
