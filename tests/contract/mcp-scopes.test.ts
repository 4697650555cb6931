import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import {
  answerWith,
  asks,
  callMcp,
  type McpFixture,
  modernRequest,
  polls,
  postMcp,
  startMcpFixture,
} from './mcp-fixture';
import { connectHost, registerHost } from './oauth-fixture';

/** The permissions of a connected app at the MCP servers, by its scopes and by the resource of its token. */
let fixture: McpFixture;
let taskId: string;
const tokens: Record<string, string> = {};

const scopes = ['agents:read', 'agents:call', 'tasks:read'] as const;

beforeAll(async () => {
  fixture = await startMcpFixture();
  const { parley, ada, slug } = fixture;
  const clientId = await registerHost(parley.url);
  for (const scope of scopes) tokens[scope] = (await connectHost(parley.url, ada, { clientId, scope })).access_token;
  const resource = `${parley.url}/agents/${slug}/mcp`;
  tokens.agent = (await connectHost(parley.url, ada, { clientId, resource })).access_token;
  answerWith(fixture.agent, (id) => agent03.status(id, 'input-required', 'Which?'));
  const params = { name: 'send_message', arguments: { agent: slug, message: 'Hi' } };
  const asked = await callMcp(parley.url, ['tools/call', params], { person: ada });
  taskId = String(asked.result?.structuredContent?.task_id);
});
afterAll(() => fixture?.agent.stop());

interface Options {
  token: string;
  path?: string;
  progressToken?: number;
}

async function send([method, params]: [string, Record<string, unknown>], { token, path, progressToken }: Options) {
  const { body, headers } = modernRequest(method, params, { ...asks, ...polls });
  const _meta = { ...body.params._meta, ...(progressToken && { progressToken }) };
  const sending = { person: { accessToken: token }, path, headers };
  const response = await postMcp(fixture.parley.url, { ...body, params: { ...body.params, _meta } }, sending);
  return {
    status: response.status,
    challenge: response.headers.get('www-authenticate') ?? '',
    text: await response.text(),
  };
}

const needs: [(typeof scopes)[number], string, () => [string, Record<string, unknown>]][] = [
  ['agents:read', 'search_agents', () => ['tools/call', { name: 'search_agents', arguments: { query: 'a' } }]],
  ['agents:read', 'get_agent', () => ['tools/call', { name: 'get_agent', arguments: { slug: fixture.slug } }]],
  [
    'agents:call',
    'send_message',
    () => ['tools/call', { name: 'send_message', arguments: { agent: fixture.slug, message: 'Hi' } }],
  ],
  ['tasks:read', 'get_task', () => ['tools/call', { name: 'get_task', arguments: { task_id: taskId } }]],
  ['tasks:read', 'tasks/get', () => ['tasks/get', { taskId }]],
  ['agents:call', 'tasks/update', () => ['tasks/update', { taskId, inputResponses: {} }]],
  ['agents:call', 'cancel_task', () => ['tools/call', { name: 'cancel_task', arguments: { task_id: taskId } }]],
  ['agents:call', 'tasks/cancel', () => ['tasks/cancel', { taskId }]],
];

describe('a connected app’s scopes', () => {
  test.each(needs)('include %s, which is required and sufficient for %s', async (scope, _, request) => {
    for (const other of scopes) {
      if (other === scope) continue;
      for (const progressToken of [undefined, 1]) {
        const refused = await send(request(), { token: tokens[other] ?? '', progressToken });
        expect([other, refused.status]).toEqual([other, 403]);
        expect(refused.challenge).toMatch(/error="insufficient_scope", scope="[^"]+", resource_metadata="[^"]+"/);
        expect(refused.challenge).toContain(scope);
      }
    }
    const { status, text } = await send(request(), { token: tokens[scope] ?? '' });
    expect([status, text]).toEqual([200, expect.stringContaining('"result"')]);
  });

  test('each allow the app to list the tools', async () => {
    for (const scope of scopes) {
      expect((await send(['tools/list', {}], { token: tokens[scope] ?? '' })).status).toBe(200);
    }
  });
});

test('one agent’s server rejects tokens for all agents, and other servers reject that agent’s token', async () => {
  const { slug } = fixture;
  const list = (token: string | undefined, path: string) => send(['tools/list', {}], { token: token ?? '', path });
  expect((await list(tokens.agent, `/agents/${slug}/mcp`)).status).toBe(200);
  expect((await list(tokens.agent, '/mcp')).status).toBe(401);
  expect((await list(tokens.agent, '/agents/concierge/mcp')).status).toBe(401);
  expect((await list(tokens['agents:read'], `/agents/${slug}/mcp`)).status).toBe(401);
});
