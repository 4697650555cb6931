import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '@/lib/endpoints/table';
import { compileEndpoints } from '@/lib/http/endpoint';
import { allowsAnyOrigin } from '@/lib/http/guard/cors';
import { listAgent, message03, message10, send, tokenFor } from '../support/fixtures';
import { createTokensFixture, postForm, type TokensFixture } from './tokens-fixture';

const elsewhere = 'https://app.example';
const insecure = { [oauth.allowInsecureRequests]: true };
const allowed = [
  'authorization',
  'content-type',
  'accept',
  'last-event-id',
  'idempotency-key',
  'a2a-version',
  'a2a-extensions',
  'x-a2a-extensions',
  'x-parley-context',
  'payment-signature',
  // The client of x402 sends it.
  'access-control-expose-headers',
];
const exposed = [
  ...['www-authenticate', 'retry-after', 'a2a-extensions', 'x-a2a-extensions'],
  ...['x-parley-context', 'x-parley-task'],
  ...['payment-required', 'payment-response', 'parley-task-token'],
];

/** Paths of A2A calls, whose 401 points to metadata. */
const callPaths = [
  ['POST', '/agents/:slug'],
  ['POST', '/agents/:slug/a2a/jsonrpc'],
  ['POST', '/agents/:slug/a2a/rpc'],
  ['POST', '/agents/:slug/society'],
  ['POST', '/agents/:slug/tasks/process'],
  ['POST', '/v1/agent-systems/:slug/a2a'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/agents/:slug/a2a'],
  ['POST', '/a2a'],
  ['POST', '/a2a/jsonrpc'],
  ['POST', '/a2a/rpc'],
  ['POST', '/tasks/process'],
  ['POST', '/'],
  ['POST', '/agents/:slug/a2a/rest/message:send'],
  ['GET', '/agents/:slug/a2a/rest/tasks'],
  ['GET', '/agents/:slug/a2a/rest/tasks/t-1?historyLength=1'],
  ['POST', '/agents/:slug/a2a/rest/tasks/t-1:cancel'],
  ['GET', '/agents/:slug/a2a/rest/v1/card'],
  ['GET', '/agents/:slug/a2a/agent/authenticatedExtendedCard'],
] as const;

const openDocuments = [
  '/agents/:slug/.well-known/agent-card.json',
  '/agents/:slug/.well-known/agent.json',
  '/.well-known/agent-card.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource/agents/:slug',
  '/.well-known/oauth-protected-resource/agents/:slug/a2a/jsonrpc',
  '/.well-known/jwks.json',
];

const words = (value: string | null): string[] => (value ?? '').split(',').map((word) => word.trim().toLowerCase());

describe('browser callers:', () => {
  let fixture: TokensFixture;

  beforeAll(async () => {
    fixture = await createTokensFixture();
  });

  afterAll(async () => {
    await fixture?.close();
  });

  const at = (path: string): string => fixture.url + path.replace(':slug', fixture.slug);
  const json = { 'content-type': 'application/json' };

  describe('a page from another origin', () => {
    it.each([...callPaths.map(([method, path]) => [method, path]), ...openDocuments.map((path) => ['GET', path])])(
      'may call %s %s with the headers that clients send, but without cookies',
      async (method, path) => {
        const response = await fetch(at(path), {
          method: 'OPTIONS',
          headers: {
            origin: elsewhere,
            'access-control-request-method': method,
            'access-control-request-headers': 'a2a-version,authorization,content-type',
          },
        });
        expect([response.status, await response.text()]).toEqual([204, '']);
        expect(['*', elsewhere]).toContain(response.headers.get('access-control-allow-origin'));
        expect(words(response.headers.get('access-control-allow-methods'))).toContain(method.toLowerCase());
        expect(words(response.headers.get('access-control-allow-headers')).sort()).toEqual([...allowed].sort());
        expect(response.headers.get('access-control-allow-credentials')).toBeNull();
        expect(words(response.headers.get('vary'))).toContain('origin');
      },
    );

    it.each(callPaths)('can read the 401 for %s %s', async (method, path) => {
      const headers = { origin: elsewhere, ...(method === 'POST' && json) };
      const response = await fetch(at(path), { method, headers });
      expect(response.status).toBe(401);
      expect(['*', elsewhere]).toContain(response.headers.get('access-control-allow-origin'));
      expect(words(response.headers.get('access-control-expose-headers')).sort()).toEqual([...exposed].sort());
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
      expect(words(response.headers.get('vary'))).toContain('origin');
    });

    it('can read responses and protocol errors', async () => {
      const token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
      for (const method of ['tasks/get', 'nope']) {
        const response = await fetch(at('/agents/:slug/a2a/jsonrpc'), {
          method: 'POST',
          headers: { ...json, origin: elsewhere, authorization: `Bearer ${token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'x' } }),
        });
        expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      }
    });

    it('cannot use a cookie to access a private card or a token', async () => {
      const card = `${fixture.agent.url}/private/.well-known/agent-card.json`;
      const hidden = await listAgent(fixture.url, fixture.developer, { url: card, visibility: 'private' });
      const address = `${fixture.url}/agents/${hidden}/.well-known/agent-card.json`;
      const { cookie } = fixture.developer;
      expect((await fetch(address, { headers: { cookie } })).status).toBe(200);
      expect((await fetch(address, { headers: { cookie, origin: fixture.url } })).status).toBe(200);
      expect((await fetch(address, { headers: { cookie, origin: elsewhere } })).status).toBe(404);
      const body = { agentSlug: fixture.slug };
      const handshake = await send(`${fixture.url}/api/auth/handshake`, { body, cookie, origin: elsewhere });
      expect([401, 403]).toContain(handshake.status);
    });

    it.each(['/api/account/activity', '/api/auth/sessions', '/api/wallet', '/agents', '/settings/connections'])(
      'cannot read %s',
      async (path) => {
        const headers = { origin: elsewhere, 'access-control-request-method': 'GET' };
        for (const method of ['OPTIONS', 'GET']) {
          const response = await fetch(at(path), { method, headers, redirect: 'manual' });
          expect(response.headers.get('access-control-allow-origin')).toBeNull();
        }
      },
    );
  });

  describe('a 401’s linked metadata (RFC 9728 §3.3)', () => {
    it.each(callPaths)('describes exactly the called URL: %s %s', async (method, path) => {
      const called = new URL(at(path));
      const response = await fetch(called, { method, headers: method === 'POST' ? json : {} });
      const address = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1] ?? '';
      const pointed = await oauth.processResourceDiscoveryResponse(called, await fetch(address));
      expect(pointed.authorization_servers).toEqual([fixture.url]);
      const found = await oauth.resourceDiscoveryRequest(called, insecure);
      expect(await oauth.processResourceDiscoveryResponse(called, found)).toEqual(pointed);
    });

    it('describes exactly our own API', async () => {
      for (const path of ['/api/apps', '/api/orders', '/api/auth/access-tokens']) {
        const called = new URL(at(path));
        const response = await fetch(called, { headers: { authorization: 'Bearer wrong' } });
        const address = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '')?.[1] ?? '';
        const found = await oauth.processResourceDiscoveryResponse(called, await fetch(address));
        expect(found.authorization_servers).toEqual([fixture.url]);
      }
    });

    it('does not depend on whether an agent exists, and is served only for endpoint paths', async () => {
      const metadata = `${fixture.url}/.well-known/oauth-protected-resource`;
      const response = await fetch(`${metadata}/agents/no-such-agent/a2a/jsonrpc`);
      expect(await response.json()).toMatchObject({ resource: `${fixture.url}/agents/no-such-agent/a2a/jsonrpc` });
      for (const path of ['/nope', '/healthz', `/agents/${fixture.slug}/a2a/nope`, '/api/auth/introspect']) {
        expect([path, (await fetch(metadata + path)).status]).toEqual([path, 404]);
      }
    });

    it.each(['', '/a2a/jsonrpc', '/a2a/rest', '/a2a/rest/message:send', '/society', '/tasks/process', '/a2a/rpc'])(
      'matches the token endpoint, which issues a token with the agent as audience for {agent}%s',
      async (path) => {
        const audience = `${fixture.url}/agents/${fixture.slug}`;
        const form = { grant_type: 'client_credentials', resource: audience + path };
        const response = await postForm(`${fixture.url}/api/auth/token`, form, fixture.app);
        const { access_token } = (await response.json()) as { access_token: string };
        const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as object;
        expect(claims).toMatchObject({ aud: audience });
      },
    );

    it.each(['/', '/a2a', '/a2a/nope', '/a2a/jsonrpc/', '/icon', '/a2a/jsonrpc?x=1'])(
      'matches the token endpoint, which issues no token for {agent}%s',
      async (path) => {
        const form = { grant_type: 'client_credentials', resource: `${fixture.url}/agents/${fixture.slug}${path}` };
        const response = await postForm(`${fixture.url}/api/auth/token`, form, fixture.app);
        expect(await response.json()).toMatchObject({ error: 'invalid_target' });
      },
    );
  });

  describe('an agent’s address', () => {
    it('accepts JSON-RPC in POST requests with JSON, in every version', async () => {
      fixture.agent.answer(({ received, json: answer }) =>
        answer({
          jsonrpc: '2.0',
          id: received.id,
          result: { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'here' }] },
        }),
      );
      const token = await tokenFor(fixture.url, fixture.caller, fixture.slug);
      const calls: [string, object][] = [
        ['message/send', message03('hi')],
        ['SendMessage', message10('hi')],
      ];
      for (const [method, params] of calls) {
        const response = await fetch(at('/agents/:slug'), {
          method: 'POST',
          headers: { ...json, authorization: `Bearer ${token}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
        });
        expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: 7, result: {} });
      }
    });

    it('shows the agent’s page in a browser', async () => {
      for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', 'text/html, application/json']) {
        const response = await fetch(at('/agents/:slug'), { headers: { accept } });
        expect([response.status, response.headers.get('content-type')]).toEqual([
          200,
          expect.stringContaining('text/html'),
        ]);
      }
      const form = await fetch(at('/agents/:slug'), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      });
      expect(form.headers.get('content-type')).toContain('text/html');
    });

    it.each([
      ['/agents/:slug', 'application/json'],
      ['/agents/:slug', 'application/json, text/event-stream'],
      ['/agents/.well-known/agent-card.json', '*/*'],
      ['/agents/.well-known/agent.json', 'application/json'],
      ['/agents/:slug/.well-known/nope.json', '*/*'],
      ['/agents/:slug/mcp/.well-known/agent-card.json', '*/*'],
      ['/agents/:slug/a2a/nope', '*/*'],
    ])('returns a 404 that names the agent’s base, card and JSON-RPC URLs for %s and %s', async (path, accept) => {
      const response = await fetch(at(path), { headers: { accept } });
      expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
      const slug = path.includes(':slug') ? fixture.slug : '{slug}';
      const base = `${fixture.url}/agents/${slug}`;
      expect(await response.json()).toMatchObject({
        code: 'not_found',
        baseUrl: `${base}/`,
        cardUrl: `${base}/.well-known/agent-card.json`,
        jsonrpcUrl: `${base}/a2a/jsonrpc`,
        title: expect.stringContaining(`${base}/.well-known/agent-card.json`),
      });
    });
  });

  it.each(['/api', '/api/nope', '/api/agents/a/b/c/d', '/.well-known/nope', '/a2a/nope'])(
    'an unknown path returns problem JSON: %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const response = await fetch(at(path), { method, headers: { accept: 'text/html' } });
        const type = response.headers.get('content-type');
        expect([method, response.status, type]).toEqual([method, 404, 'application/problem+json']);
        expect(await response.json()).toMatchObject({ status: 404, code: 'not_found', title: expect.any(String) });
      }
    },
  );
});

describe('every route', () => {
  let fixture: TokensFixture;

  beforeAll(async () => {
    fixture = await createTokensFixture();
  });

  afterAll(async () => {
    await fixture?.close();
  });

  it('returns 405 for unsupported methods, with a JSON error and the allowed methods', async () => {
    const matcher = compileEndpoints(endpoints);
    for (const { path } of endpoints) {
      if (path.endsWith('/*') || path.endsWith('.md') || path === '/') continue;
      const filled = path.replace(/\/:(\w+)/g, (_, name) => `/${name === 'slug' ? fixture.slug : 'x1'}`);
      const has = matcher.endpointsAt(filled).map(({ endpoint }) => endpoint.method as string);
      const method = ['PUT', 'PATCH', 'DELETE', 'GET'].find((candidate) => !has.includes(candidate)) ?? 'PUT';
      const response = await fetch(fixture.url + filled, { method });
      const seen = [path, response.status, response.headers.get('content-type')];
      // The errors of ARD and of OpenAI's API have forms of their own.
      const isOwnForm = /^\/(?:api\/ard|v1\/(?!agents|agent-systems))/.test(path);
      const type = isOwnForm ? 'application/json' : 'application/problem+json';
      expect(seen).toEqual([path, 405, type]);
      const allow = (response.headers.get('allow') ?? '').split(', ');
      expect(allow, path).toEqual(expect.arrayContaining(has));
      expect(allow, path).not.toContain(method);
    }
  });
});

it('other origins can use only A2A, cards, metadata, ARD, token issuance and token revocation', () => {
  const open = endpoints.filter(({ path }) => allowsAnyOrigin(path.replace(/:\w+/g, 'x'))).map(({ path }) => path);
  expect(open.filter((path) => path.startsWith('/api/')).sort()).toEqual([
    '/api/ard/agents',
    '/api/ard/agents/:identifier',
    '/api/ard/explore',
    '/api/ard/search',
    '/api/auth/device',
    '/api/auth/handshake',
    '/api/auth/revoke',
    '/api/auth/token',
  ]);
  const calls = endpoints.filter(({ serve }) => serve.takesAgentTokens).map(({ path }) => path);
  expect(open).toEqual(expect.arrayContaining(calls));
  const documents = endpoints.map(({ path }) => path).filter((path) => path.includes('/.well-known/'));
  expect(open).toEqual(expect.arrayContaining(documents));
});
