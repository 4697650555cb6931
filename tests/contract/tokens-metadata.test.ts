import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints as table } from '@/lib/endpoints/table';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { listAgent } from '../support/fixtures';
import { createTokensFixture, type TokensFixture } from './tokens-fixture';

const insecure = { [oauth.allowInsecureRequests]: true };

describe('the authorization metadata', () => {
  let fixture: TokensFixture;
  let server: string;

  beforeAll(async () => {
    fixture = await createTokensFixture();
    server = `${fixture.url}/.well-known/oauth-authorization-server`;
  });

  afterAll(async () => {
    await fixture?.close();
  });

  function resourceOf(slug: string): string {
    return `${fixture.url}/.well-known/oauth-protected-resource/agents/${slug}`;
  }

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(fixture.url);
    const response = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    return oauth.processDiscoveryResponse(issuer, response);
  }

  it('META-1 is accepted by a strict client for exactly our issuer', async () => {
    const as = await discover();
    expect(as.issuer).toBe(fixture.url);
    expect(as.response_types_supported).toEqual(['code']);
    // Without this a client must not begin the code flow (RFC 9700 §2.1.1).
    expect(as.code_challenge_methods_supported).toEqual(['S256']);
    expect(as.authorization_response_iss_parameter_supported).toBe(true);
  });

  it('META-1 lists both ways to identify third-party clients', async () => {
    const as = await discover();
    expect(as.registration_endpoint).toBe(`${fixture.url}/oauth/register`);
    expect(as.client_id_metadata_document_supported).toBe(true);
  });

  it('META-1 is only at the issuer’s path, and other paths return 404 (RFC 8414 §3.3)', async () => {
    for (const path of ['/mcp', '/v1']) {
      const response = await fetch(server + path, { headers: { origin: 'https://client.example' } });
      expect(response.status).toBe(404);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  it('META-1 names only existing endpoints on our own origin', async () => {
    const as = await discover();
    const endpoints = Object.entries(as).filter(([name]) => /_(endpoint|uri)$/.test(name));
    expect(endpoints.length).toBeGreaterThan(1);
    for (const [name, address] of endpoints) {
      const { origin, pathname } = new URL(String(address));
      expect(origin, name).toBe(fixture.url);
      expect(
        table.some(({ path }) => path === pathname),
        name,
      ).toBe(true);
    }
  });

  it('META-1 is the same for any Host header', async () => {
    const plain = await (await fetch(server)).text();
    const forwarded = await fetch(server, {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(await forwarded.text()).toBe(plain);
    const alias = await fetch(server.replace('localhost', '127.0.0.1'), { redirect: 'manual' });
    expect(await alias.text()).toBe(plain);
  });

  it('can be cached, and read by any page', async () => {
    for (const address of [server, resourceOf(fixture.slug)]) {
      const first = await fetch(address);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      expect(first.headers.get('access-control-allow-origin')).toBe('*');
      const etag = first.headers.get('etag') ?? '';
      expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });

  it('META-2 for an agent is accepted by a strict client for exactly the audience of its tokens', async () => {
    const resource = new URL(`${fixture.url}/agents/${fixture.slug}`);
    const response = await oauth.resourceDiscoveryRequest(resource, insecure);
    const found = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(found).toMatchObject({ authorization_servers: [fixture.url], bearer_methods_supported: ['header'] });
  });

  it('META-2 for one agent is rejected for another', async () => {
    const response = await fetch(resourceOf(fixture.slug));
    const other = new URL(`${fixture.url}/agents/another`);
    await expect(oauth.processResourceDiscoveryResponse(other, response)).rejects.toThrow();
  });

  it('META-2 returns the same 404 for unknown and private agents', async () => {
    const agent = await ScriptedAgent.start({ name: 'Hidden metadata' });
    const hidden = await listAgent(fixture.url, fixture.developer, { url: agent.url, visibility: 'private' });
    const bodies = new Set<string>();
    for (const slug of ['no-such-agent', hidden]) {
      const response = await fetch(resourceOf(slug));
      const { requestId: _differs, ...body } = (await response.json()) as { requestId: string };
      bodies.add(JSON.stringify({ status: response.status, body }));
    }
    expect([...bodies]).toEqual([expect.stringContaining('"status":404')]);
    await agent.stop();
  });

  it.each(['a2a/jsonrpc', 'a2a/rest/v1/card', 'a2a/rest/message:send', 'society', 'a2a/rpc', 'tasks/process'])(
    'RS-1 META-2 is linked from the 401 of /agents/{slug}/%s, and links to the service',
    async (path) => {
      const method = path.endsWith('card') ? 'GET' : 'POST';
      const response = await fetch(`${fixture.url}/agents/${fixture.slug}/${path}`, { method });
      expect(response.status).toBe(401);
      const challenge = response.headers.get('www-authenticate') ?? '';
      const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
      expect(address).toBe(`${resourceOf(fixture.slug)}/${path}`);
      const found = (await (await fetch(address)).json()) as { resource: string; authorization_servers: string[] };
      expect(found.authorization_servers).toEqual([fixture.url]);
      expect(found.resource).toBe(`${fixture.url}/agents/${fixture.slug}/${path}`);
    },
  );

  it('RS-1 is omitted from the 401 for an invalid slug, which does not repeat the input', async () => {
    const response = await fetch(`${fixture.url}/agents/${encodeURIComponent('a"b, c')}/a2a/jsonrpc`, {
      method: 'POST',
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="parley", resource_metadata="${resourceOf('a%22b%2C%20c')}/a2a/jsonrpc"`,
    );
  });
});
