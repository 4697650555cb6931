import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, listAgent, message03, rpc, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { answerWith, callMcp, type McpFixture, startMcpFixture } from './mcp-fixture';

/** Surfaces (A2UI) and apps (MCP Apps), at each face of the gateway. */
let fixture: McpFixture;
const agents: ScriptedAgent[] = [];

beforeAll(async () => {
  fixture = await startMcpFixture();
});
afterAll(() => Promise.all([fixture.agent, ...agents].map((agent) => agent.stop())));

const a2ui = (version: string) => `https://a2ui.org/a2a-extension/a2ui/v${version}`;

async function listed(extensions: string[]) {
  const agent = await ScriptedAgent.start({ name: `Surfaces ${randomUUID().slice(0, 6)}`, extensions });
  agents.push(agent);
  answerWith(agent, (id) => agent03.status(id, 'input-required', 'Which day?'));
  return { agent, slug: await listAgent(fixture.parley.url, fixture.ada, { url: agent.url }) };
}

const post = (body: object) =>
  send(`${fixture.parley.url}/api/chat/messages`, {
    body: { messageId: randomUUID(), text: '', ...body },
    cookie: fixture.ada.cookie,
    origin: fixture.parley.url,
  });

async function asked(slug: string) {
  const response = await post({ agentSlug: slug, text: 'Book' });
  const { conversationId, taskId } = (await response.json()) as { conversationId: string; taskId: string };
  const connection = await connectTo(fixture.parley.url, fixture.ada, slug);
  await waitFor(
    async () => {
      const { body } = await rpc(connection, 'tasks/get', { id: taskId });
      return (body.result as { status: { state: string } }).status.state === 'input-required';
    },
    { what: 'the question' },
  );
  return { conversationId, taskId };
}

const lastMessage = (agent: ScriptedAgent) =>
  agent.received.filter(({ params }) => params?.message).at(-1)?.params.message;

describe('an agent whose card declares A2UI', () => {
  test.each([
    [['1.0', '0.9'], '1.0', 'a2uiRendererCapabilities', '1.0'],
    [['0.9.1', '0.8'], '0.9.1', 'a2uiClientCapabilities', 'v0.9'],
  ])(
    'in %j receives from the chat the newest version and its catalog',
    async (declared, used, ...[member, version]) => {
      const { agent, slug } = await listed(declared.map(a2ui));
      await asked(slug);
      const { headers, params } = agent.received.find((call) => call.params?.message) ?? {};
      expect(headers?.['x-a2a-extensions']).toBe(a2ui(used));
      const capabilities = (params?.message as { metadata?: Record<string, Record<string, object>> } | undefined)
        ?.metadata?.[member];
      expect(capabilities?.[version]).toMatchObject({
        supportedCatalogIds: expect.arrayContaining([expect.stringContaining('/catalogs/basic/catalog.json')]),
      });
    },
  );

  test('receives nothing of it from other clients, and another agent receives nothing of it from the chat', async () => {
    const { agent, slug } = await listed([a2ui('1.0')]);
    await rpc(await connectTo(fixture.parley.url, fixture.ada, slug), 'message/send', message03('hi'));
    expect(agent.received.every(({ headers }) => headers['x-a2a-extensions'] === undefined)).toBe(true);
    expect(lastMessage(agent)).not.toHaveProperty('metadata');
    const other = await listed([]);
    await asked(other.slug);
    expect(lastMessage(other.agent)).not.toHaveProperty('metadata');
  });
});

const action = {
  name: 'book',
  surfaceId: 's',
  sourceComponentId: 'go',
  timestamp: '2027-01-01T00:00:00Z',
  context: { day: 1 },
};
const book = { label: 'Book', message: { version: 'v0.9', action } };

describe('an action in the chat', () => {
  test('reaches the agent as the person’s message, in a task or as a new one, with the data that it asked for', async () => {
    const { agent, slug } = await listed([a2ui('0.9')]);
    const target = await asked(slug);
    const data = { a2uiClientDataModel: { version: 'v0.9', surfaces: { s: { a: 1 } } } };
    const withData = { ...book, metadata: { ...data, other: 1 } };
    expect((await post({ ...target, action: withData })).status).toBe(202);
    await waitFor(() => lastMessage(agent)?.taskId !== undefined, { what: 'the action' });
    const marks = { 'parley.view': 'action', 'parley.label': 'Book' };
    const metadata = { mimeType: 'application/a2ui+json', ...marks };
    // The SDKs of 0.3 permit no list, so their agents use one message in a part.
    expect(lastMessage(agent)?.parts).toEqual([{ kind: 'data', data: book.message, metadata }]);
    const received = (lastMessage(agent) as { metadata?: object }).metadata;
    expect(received).toMatchObject(data);
    expect(Object.keys(received ?? {}).sort()).toEqual(['a2uiClientCapabilities', 'a2uiClientDataModel']);
    const { conversationId } = target;
    const posted = await post({ conversationId, action: book });
    expect(posted.status).toBe(202);
    expect(((await posted.json()) as { taskId: string }).taskId).not.toBe(target.taskId);
  });

  test('that is a call of a tool is data that agents of MCP servers read', async () => {
    const { agent, slug } = await listed([]);
    const target = await asked(slug);
    const call = { tool: 'hold', arguments: { seat: '12A' } };
    expect((await post({ ...target, action: { label: 'hold', message: call } })).status).toBe(202);
    await waitFor(() => lastMessage(agent)?.taskId !== undefined, { what: 'the call' });
    expect(lastMessage(agent)?.parts).toMatchObject([{ kind: 'data', data: call }]);
  });

  test.each([
    ['another message of A2UI', { version: 'v1.0', createSurface: { surfaceId: 's' } }],
    ['an unknown version', { version: 'v9', action }],
    ['an action without a context', { version: 'v1.0', action: { ...action, context: null } }],
    [
      'a payment',
      {
        version: 'v1.0',
        action: { ...action, context: { a: [{ 'ap2.mandates.PaymentMandate': { payment_mandate_contents: {} } }] } },
      },
    ],
    [
      'a payment as a call of a tool',
      { tool: 'pay', arguments: { 'ap2.mandates.PaymentMandate': { payment_mandate_contents: {} } } },
    ],
    ['more than an action may have', { version: 'v1.0', action: { ...action, context: { a: 'x'.repeat(70_000) } } }],
  ])('that is %s is refused, and the agent receives nothing', async (_name, message) => {
    const { agent, slug } = await listed([]);
    const target = await asked(slug);
    const sent = () => agent.received.filter(({ params }) => params?.message).length;
    const before = sent();
    const response = await post({ ...target, action: { label: 'x', message } });
    expect(response.status).toBe(400);
    expect(sent()).toBe(before);
  });
});

const html = '<!doctype html><script>parent.postMessage(1, "*")</script>';
const resource = { uri: 'ui://seats/map.html', mimeType: 'text/html;profile=mcp-app', text: html };
const part = { kind: 'data', data: { type: 'resource', resource } };
const apps = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

describe('an app', () => {
  const answer = () =>
    answerWith(fixture.agent, (id) => ({
      ...agent03.status(id, 'completed', 'x'),
      status: {
        state: 'completed',
        message: { kind: 'message', messageId: randomUUID(), role: 'agent', taskId: id, parts: [part] },
      },
    }));

  test('reaches a host of MCP that shows apps as the same resource, and no other host', async () => {
    answer();
    const call = async (capabilities: object) => {
      const params = { name: 'send_message', arguments: { agent: fixture.slug, message: 'Seats' } };
      const { result } = await callMcp(fixture.parley.url, ['tools/call', params], {
        person: fixture.ada,
        capabilities,
      });
      return result?.content as { type: string; text?: string; resource?: object }[];
    };
    const [text, app] = await call(apps);
    expect(app).toEqual({ type: 'resource', resource });
    expect(text?.text).toContain('ui://seats/map.html');
    expect(text?.text).not.toContain('<script>');
    expect((await call({})).map(({ type }) => type)).toEqual(['text']);
  });

  test('and a surface reach a caller of A2A unchanged', async () => {
    const surface = { version: 'v0.9', createSurface: { surfaceId: 's', catalogId: 'c' } };
    const sent = { kind: 'data', data: surface, metadata: { mimeType: 'application/a2ui+json' } };
    answerWith(fixture.agent, (id) => ({
      ...agent03.status(id, 'completed', 'x'),
      status: {
        state: 'completed',
        message: { kind: 'message', messageId: randomUUID(), role: 'agent', taskId: id, parts: [part, sent] },
      },
    }));
    const { body } = await rpc(
      await connectTo(fixture.parley.url, fixture.ada, fixture.slug),
      'message/send',
      message03('hi'),
    );
    const { status } = body.result as { status: { message: { parts: object[] } } };
    expect(status.message.parts).toEqual([part, sent]);
  });
});

test('the sandbox of apps is a page with an opaque origin that permits no request', async () => {
  const response = await send(`${fixture.parley.url}/api/chat/apps/frame`, { method: 'GET' });
  expect(response.status).toBe(200);
  const policy = response.headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      'sandbox allow-scripts',
      "default-src 'none'",
      "connect-src 'none'",
      "frame-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ]),
  );
  expect(response.headers.get('permissions-policy')).toContain('geolocation=()');
  expect(response.headers.get('set-cookie')).toBeNull();
  expect((await response.text()).length).toBeLessThan(4_000);
});
