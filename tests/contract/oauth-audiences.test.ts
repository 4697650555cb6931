import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person, send, tokenFor } from '../support/fixtures';
import { connectHost, registerHost } from './oauth-fixture';
import { createTokensFixture, introspect, signInDevice, type TokensFixture } from './tokens-fixture';

let fixture: TokensFixture;
let url: string;
let ada: Person;
let tokens: Record<'mcp' | 'v1' | 'refresh' | 'agent' | 'device' | 'personal' | 'narrow', string>;

beforeAll(async () => {
  fixture = await createTokensFixture();
  url = fixture.url;
  ada = await createPerson(url, 'Ada');
  const clientId = await registerHost(url);
  const [mcp, v1] = [
    await connectHost(url, ada, { clientId }),
    await connectHost(url, ada, { clientId, resource: `${url}/v1` }),
  ];
  const narrow = await connectHost(url, ada, { clientId, resource: `${url}/v1`, scope: 'tasks:read' });
  tokens = {
    mcp: mcp.access_token,
    v1: v1.access_token,
    refresh: mcp.refresh_token,
    agent: await tokenFor(url, ada, fixture.slug),
    device: (await signInDevice(url, ada)).access_token,
    personal: ada.accessToken,
    narrow: narrow.access_token,
  };
});

afterAll(async () => {
  await fixture?.close();
});

type CallOf = [path: string, body?: object];

/** The calls of tokens of users and agents. */
const calls: Record<string, CallOf> = {
  mcp: ['/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }],
  models: ['/v1/models'],
  model: ['/v1/models/nobody'],
  chat: ['/v1/chat/completions', { model: 'nobody', messages: [{ role: 'user', content: 'x' }] }],
  responses: ['/v1/responses', { model: 'nobody', input: 'x' }],
  api: ['/api/agents'],
  tokens: ['/api/auth/access-tokens'],
  connections: ['/api/connections'],
  handshake: ['/api/auth/handshake', { agentSlug: 'SLUG' }],
  generic: ['/api/auth/token', {}],
  console: ['/api/console/overview'],
  chats: ['/api/chat/conversations'],
  a2a: ['/agents/SLUG/a2a/jsonrpc', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }],
  byUrl: ['/v1/agents/SLUG/a2a', { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } }],
  worker: ['/auth/agent-token', { api_key: 'TOKEN' }],
};

async function call(name: string, bearer: string): Promise<{ status: number; challenge: string }> {
  const [path, body] = calls[name] ?? [''];
  const text = body && JSON.stringify(body).replace('SLUG', fixture.slug).replace('TOKEN', bearer);
  const response = await fetch(url + path.replace('SLUG', fixture.slug), {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(bearer && name !== 'worker' && { authorization: `Bearer ${bearer}` }),
      accept: 'application/json, text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
    },
    body: text,
  });
  await response.body?.cancel();
  return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' };
}

const hostCalls = ['mcp', 'models', 'model', 'chat', 'responses'];

describe('token audiences', () => {
  const accepted: [token: keyof typeof tokens, calls: string[]][] = [
    ['mcp', ['mcp']],
    ['v1', ['models', 'model', 'chat', 'responses']],
    ['refresh', []],
    ['agent', ['a2a', 'byUrl']],
  ];
  test.each(accepted)('allow a token for %s at its own endpoints only', async (token, open) => {
    const opened: string[] = [];
    for (const name of Object.keys(calls)) {
      const { status, challenge } = await call(name, tokens[token]);
      if (status !== 401) opened.push(name);
      // The call of a worker has the token in its body.
      else if (name !== 'worker') expect([name, challenge]).toEqual([name, expect.stringContaining('"invalid_token"')]);
    }
    expect(opened).toEqual(open);
  });

  test('allow access tokens at hosts’ endpoints after a handshake', async () => {
    for (const name of hostCalls) {
      for (const token of [tokens.personal, tokens.device]) {
        expect([name, (await call(name, token)).status]).toEqual([
          name,
          name === 'mcp' || name === 'models' ? 200 : 404,
        ]);
      }
    }
  });

  test('do not let apps introspect hosts’ tokens', async () => {
    for (const token of [tokens.mcp, tokens.v1, tokens.refresh]) {
      expect(await (await introspect(fixture, { token })).json()).toEqual({ active: false });
    }
  });

  test('do not let a host’s token disconnect another host or list the connections', async () => {
    expect((await send(`${url}/api/connections`, { bearer: ada.accessToken })).status).toBe(403);
  });
});

describe('a connected app’s scopes at the MCP server', () => {
  const toolCalls: [scope: string, tool: string, args: object][] = [
    ['agents:read', 'search_agents', { query: 'who calls' }],
    ['agents:read', 'get_agent', { slug: 'SLUG' }],
    ['agents:call', 'send_message', { agent: 'SLUG', message: 'hi' }],
    ['tasks:read', 'get_task', { task_id: '00000000-0000-4000-8000-000000000000' }],
    ['agents:call', 'cancel_task', { task_id: '00000000-0000-4000-8000-000000000000' }],
  ];

  test('are required for each tool, but not for the list of tools', async () => {
    const clientId = await registerHost(url);
    for (const granted of ['agents:read', 'agents:call', 'tasks:read']) {
      const { access_token: bearer } = await connectHost(url, ada, { clientId, scope: granted });
      const listed = await send(`${url}/mcp`, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer });
      expect(listed.status).toBe(200);
      for (const [scope, name, args] of toolCalls) {
        const params = { name, arguments: JSON.parse(JSON.stringify(args).replace('SLUG', fixture.slug)) };
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
        const { status, headers } = await send(`${url}/mcp`, { body, bearer });
        expect([granted, name, status]).toEqual([granted, name, scope === granted ? 200 : 403]);
        const challenge = headers.get('www-authenticate') ?? '';
        if (scope !== granted)
          expect(challenge).toMatch(/error="insufficient_scope", scope="[^"]*", resource_metadata=/);
      }
    }
  });
});

describe('RS-1 the challenge from a host’s endpoint', () => {
  const scope = 'scope="agents:read agents:call tasks:read"';

  test.each(hostCalls)('names the scopes and metadata of %s, and an error only if a token was sent', async (name) => {
    const [path] = calls[name] ?? [''];
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource${path}"`;
    expect(await call(name, '')).toEqual({ status: 401, challenge: `Bearer realm="parley", ${scope}, ${metadata}` });
    expect(await call(name, 'nonsense')).toEqual({
      status: 401,
      challenge: `Bearer realm="parley", error="invalid_token", ${scope}, ${metadata}`,
    });
  });

  test('names a missing scope together with those that the token has', async () => {
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource/v1/chat/completions"`;
    expect(await call('chat', tokens.narrow)).toEqual({
      status: 403,
      challenge: `Bearer realm="parley", error="insufficient_scope", scope="agents:call tasks:read", ${metadata}`,
    });
  });

  test.each(['/mcp', '/v1', '/v1/chat/completions'])(
    'links to the metadata of %s, which names its scopes and this server',
    async (path) => {
      const response = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toEqual({
        resource: url + path,
        authorization_servers: [url],
        bearer_methods_supported: ['header'],
        scopes_supported: ['agents:read', 'agents:call', 'tasks:read'],
      });
    },
  );
});
