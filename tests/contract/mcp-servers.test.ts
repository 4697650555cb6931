import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { McpHttpServer } from '../fakes/mcp-http-server';
import {
  connectTo,
  createPerson,
  listAgent,
  message10,
  type Person,
  post,
  readEvents,
  rpc,
  send,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { partsOf, questionOf, reasonOf, type Task, textOf } from './serve-mcp-fixture';

/** MCP servers that are listed by their URL. */
let parley: SharedParley;
let ada: Person;
let server: McpHttpServer;

beforeAll(async () => {
  parley = await sharedParley();
  ada = await createPerson(parley.url);
});
beforeEach(async () => {
  server = await McpHttpServer.start();
});
afterEach(() => server.stop());

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

async function list(more: object = {}): Promise<string> {
  return listAgent(parley.url, ada, { url: server.url, ...more });
}

/** Functions that call a listed server as a person. */
async function caller(slug: string, person: Person = ada) {
  const connection = withHeaders(await connectTo(parley.url, person, slug), { 'a2a-version': '1.0' });
  const ask = async (parts: object[], more: object = {}): Promise<Task> => {
    const { body } = await rpc(connection, 'SendMessage', message10('', { parts, ...more }));
    if (body.error) throw new Error(JSON.stringify(body.error));
    return (body.result as { task: Task }).task;
  };
  return {
    connection,
    ask,
    call: (tool: string, args?: object, more?: object) => ask([{ data: { tool, arguments: args } }], more),
  };
}

const cardOf = async (slug: string) =>
  (await (await send(`${parley.url}/api/agents/${slug}`, { method: 'GET', bearer: ada.accessToken })).json()) as {
    name: string;
    description: string;
    skills?: { id: string }[];
    card?: { skills: { id: string; name: string }[] };
  };

describe('a listing', () => {
  test('has the tools of the server as skills', async () => {
    const slug = await list();
    expect(await cardOf(slug)).toMatchObject({
      name: 'Remote tools',
      description: expect.stringContaining('1 tool: Go'),
    });
    const preview = await send(`${parley.url}/api/agents/preview`, {
      body: { url: server.url },
      bearer: ada.accessToken,
    });
    expect(await preview.json()).toMatchObject({
      card: { binding: 'MCP', endpointUrl: server.url, skills: [{ id: 'go' }] },
    });
  });

  test('is refreshed when the tools change', async () => {
    const slug = await list();
    server.tools = [...server.tools, { name: 'stop', inputSchema: text }];
    const refresh = (body: object) =>
      send(`${parley.url}/api/agents/${slug}/refresh`, { body, bearer: ada.accessToken });
    const found = (await (await refresh({})).json()) as { changed: boolean; diff: { member: string }[]; etag: string };
    expect([found.changed, found.diff.map(({ member }) => member)]).toEqual([
      true,
      ['description', 'capabilities.extensions', 'skills.stop'],
    ]);
    expect((await refresh({ etag: found.etag })).status).toBe(200);
    const { call } = await caller(slug);
    expect(textOf(await call('stop', { text: 'now' }))).toBe('went');
  });

  test('requires the credential that the server requires, which is stored', async () => {
    server.authorization = 'Bearer secret-of-the-owner';
    const refused = await send(`${parley.url}/api/agents`, { body: { url: server.url }, bearer: ada.accessToken });
    expect([refused.status, await refused.text()]).toEqual([
      expect.any(Number),
      expect.stringContaining('requires a credential'),
    ]);
    const slug = await list({ credential: { kind: 'bearer', token: 'secret-of-the-owner' } });
    const { call } = await caller(slug);
    expect(textOf(await call('go'))).toBe('went');
  });

  test('names the token endpoint of the server, and is signed in there by client credentials', async () => {
    server.authorization = 'Bearer issued-for-this-server';
    const { origin } = new URL(server.url);
    const refused = await send(`${parley.url}/api/agents`, { body: { url: server.url }, bearer: ada.accessToken });
    expect(await refused.text()).toContain(`Its tokens are issued at ${origin}/token.`);
    const client = { clientId: 'parley', clientSecret: 'secret', resource: server.url };
    const slug = await list({
      credential: { kind: 'oauth-client-credentials', tokenUrl: `${origin}/token`, ...client },
    });
    const { call } = await caller(slug);
    expect(textOf(await call('go'))).toBe('went');
    const refreshed = await send(`${parley.url}/api/agents/${slug}/refresh`, { body: {}, bearer: ada.accessToken });
    expect(await refreshed.json()).toMatchObject({ changed: false });
  });
});

describe('a credential in a request to list', () => {
  const listed = async (body: object) => send(`${parley.url}/api/agents`, { body, bearer: ada.accessToken });

  test('that cannot be used is an error, and nothing is listed', async () => {
    const client = { clientId: 'parley', clientSecret: 'secret' };
    const credential = { kind: 'oauth-client-credentials', tokenUrl: 'http://10.0.0.1/token', ...client };
    const refused = await listed({ url: server.url, credential });
    expect(await refused.json()).toMatchObject({ code: 'url_refused' });
    expect(server.received).toEqual([]);
    expect((await listed({ url: server.url })).status).toBe(201);
  });

  test('replaces that of an existing listing', async () => {
    const slug = await list({ credential: { kind: 'bearer', token: 'first' } });
    const again = await listed({ url: server.url, credential: { kind: 'bearer', token: 'second' } });
    expect(again.status).toBe(200);
    const { call } = await caller(slug);
    await call('go');
    expect(server.received.at(-1)?.headers.authorization).toBe('Bearer second');
  });
});

describe('RS-3: the tools that a server offers', () => {
  test('to one caller are not used for another caller', async () => {
    const slug = await list();
    const first = await caller(slug);
    await first.call('go');
    server.tools = [{ name: 'only-for-the-second', inputSchema: { type: 'object', properties: {} } }];
    const second = await caller(slug, await createPerson(parley.url, 'Second'));
    expect(textOf(await second.call('only-for-the-second'))).toBe('went');
  });
});

describe('RS-3: a call', () => {
  test('contains no token that was issued for another server', async () => {
    const { call } = await caller(await list());
    await call('go');
    const sent = server.received.at(-1)?.headers;
    expect(sent?.authorization).toBeUndefined();
    expect(sent?.['parley-token']).toMatch(/^eyJ/);
    expect(sent?.['mcp-protocol-version']).toBe('2025-11-25');
  });

  test('uses one session for a conversation, and another one for another conversation', async () => {
    const { call } = await caller(await list());
    server.received.length = 0;
    const { contextId } = await call('go');
    await call('go', undefined, { contextId });
    await call('go');
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(2);
    const sessions = server.received
      .filter(({ method }) => method === 'tools/call')
      .map(({ headers }) => headers['mcp-session-id']);
    expect([sessions[0] === sessions[1], sessions[0] === sessions[2]]).toEqual([true, false]);
  });

  test('begins another session after the server has ended it, and calls the tool once', async () => {
    const { call } = await caller(await list());
    const { contextId } = await call('go');
    server.forgetSessions();
    server.received.length = 0;
    let calls = 0;
    server.onCall(({ say }) => {
      calls += 1;
      say('again');
    });
    expect([textOf(await call('go', undefined, { contextId })), calls]).toEqual(['again', 1]);
  });

  test('streams progress before its result', async () => {
    server.onCall(({ event, token, say }) => {
      event({ method: 'notifications/progress', params: { progressToken: token, progress: 1, message: 'half' } });
      say('whole');
    });
    const { connection } = await caller(await list());
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: message10('', { parts: [{ data: { tool: 'go' } }] }),
    };
    const events = JSON.stringify(await readEvents(await post(connection, request), () => false));
    expect(events.match(/"text":"(?:half|whole)"/g)).toEqual(['"text":"half"', '"text":"whole"']);
  });

  test('is answered in words with the choice of tools and the form of one, in the same task', async () => {
    server.tools = [...server.tools, { name: 'say', inputSchema: text }];
    server.onCall(({ args, say }) => say(`said ${String(args.text)}`));
    const { ask } = await caller(await list());
    const first = await ask([{ text: 'Hello' }]);
    expect(questionOf(first)).toMatchObject({ kind: 'form', schema: { properties: { tool: { title: 'Tool' } } } });
    const reply = { taskId: first.id, contextId: first.contextId };
    const second = await ask([{ text: 'say' }], reply);
    expect(questionOf(second)).toMatchObject({ schema: { properties: { tool: { const: 'say' } } } });
    expect(textOf(await ask([{ text: 'hello' }], reply))).toBe('said hello');
  });

  test('whose task is canceled is canceled at the server', async () => {
    let isGone = false;
    server.onCall(({ gone, event }) => {
      event({ method: 'notifications/message', params: {} });
      void gone.then(() => {
        isGone = true;
      });
    });
    const { connection } = await caller(await list());
    const sent = await rpc(connection, 'SendMessage', {
      ...message10('', { parts: [{ data: { tool: 'go' } }] }),
      configuration: { returnImmediately: true },
    });
    const { task } = sent.body.result as { task: Task };
    await waitFor(() => server.methods().includes('tools/call'), { what: 'the call' });
    const canceled = await rpc(connection, 'CancelTask', { id: task.id });
    expect(canceled.body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    await waitFor(() => isGone && server.methods().includes('notifications/cancelled'), { what: 'the notification' });
  });
});

describe('a question of the server', () => {
  test('is a form in the middle of its call, whose answer continues the call', async () => {
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    server.onCall(async ({ ask, say }) => {
      const answer = await ask('elicitation/create', { message: 'Where to?', requestedSchema });
      say(JSON.stringify(answer));
    });
    const { ask, call } = await caller(await list());
    const asked = await call('go');
    expect(questionOf(asked)).toEqual({ message: 'Where to?', requestedSchema });
    const done = await ask([{ data: { action: 'accept', content: { city: 'Oslo' } } }], {
      taskId: asked.id,
      contextId: asked.contextId,
    });
    expect(textOf(done)).toBe('{"action":"accept","content":{"city":"Oslo"}}');
  });

  test('for a model is declined', async () => {
    server.onCall(async ({ event, say }) => {
      event({ id: 'sample-1', method: 'sampling/createMessage', params: { messages: [] } });
      await waitFor(() => server.received.some(({ id }) => id === 'sample-1'), { what: 'the refusal' });
      say('went on');
    });
    const { call } = await caller(await list());
    expect(textOf(await call('go'))).toBe('went on');
    expect(server.received.find(({ id }) => id === 'sample-1')).toMatchObject({ error: { code: -1 } });
  });
});

describe('a result', () => {
  test('that is an error fails the task with its text', async () => {
    server.onCall(({ say }) => say('No paper.', { isError: true }));
    const { call } = await caller(await list());
    const failed = await call('go');
    expect([failed.status.state, reasonOf(failed)]).toEqual(['TASK_STATE_FAILED', 'No paper.']);
  });

  test('keeps images and data apart from its text', async () => {
    const content = [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }];
    server.onCall(({ say }) => say('', { content, structuredContent: { n: 1 } }));
    const { call } = await caller(await list());
    expect(partsOf(await call('go'))).toMatchObject([
      { data: { n: 1 } },
      { raw: 'iVBORw0KGgo=', mediaType: 'image/png' },
    ]);
  });
});
