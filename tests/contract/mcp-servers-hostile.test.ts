import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { McpHttpServer } from '../fakes/mcp-http-server';
import {
  connectTo,
  createPerson,
  listAgent,
  message10,
  type Person,
  rpc,
  send,
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { callServer, partsOf, questionOf, reasonOf, type Task, taskOf, textOf } from './serve-mcp-fixture';

/** MCP servers at a URL that break the protocol, never end, or send Parley elsewhere. */
const failed = 'TASK_STATE_FAILED';
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

const call = (parts?: object[], more?: object): Promise<Task> =>
  callServer({ url: parley.url, person: ada, server: server.url }, parts, more);

const register = (url: string): Promise<Response> =>
  send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });

describe('SSRF-2, SSRF-4: an address that Parley must not call', () => {
  test.each(['http://169.254.169.254/mcp', 'https://10.0.0.1/mcp', 'https://[::1]/mcp', 'file:///etc/mcp'])(
    '%s is refused',
    async (url) => {
      expect(await (await register(url)).json()).toMatchObject({ code: 'url_refused' });
    },
  );
});

describe('SSRF-5, RS-7: a redirect', () => {
  test('to a private address is not followed when the server is listed', async () => {
    const paths: (string | undefined)[] = [];
    server.respond = ({ url }, response) => {
      paths.push(url);
      response.writeHead(307, { location: '/private' }).end();
    };
    const refused = await register(server.url);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).toContain('Redirects are not followed');
    expect(paths).not.toContain('/private');
  });

  test('is not followed by a call', async () => {
    const paths: (string | undefined)[] = [];
    const slug = await listAgent(parley.url, ada, { url: server.url });
    server.respond = ({ url }, response) => {
      paths.push(url);
      response.writeHead(308, { location: 'http://169.254.169.254/latest' }).end();
    };
    const connection = withHeaders(await connectTo(parley.url, ada, slug), { 'a2a-version': '1.0' });
    const { body } = await rpc(connection, 'SendMessage', message10('', { parts: [{ data: { tool: 'go' } }] }));
    expect(taskOf(body).status.state).toBe(failed);
    expect(new Set(paths)).toEqual(new Set(['/mcp']));
  });
});

describe('LIM-1: a result of 64 MB', () => {
  test('fails its task, and the next call succeeds', async () => {
    server.onCall(({ say }) => say('x'.repeat(64 * 1_048_576)));
    expect((await call()).status.state).toBe(failed);
    server.onCall(({ say }) => say('small'));
    expect(textOf(await call())).toBe('small');
  });
});

describe('LIM-5, LIM-6: JSON beyond the limits', () => {
  const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

  test('in a result is left out', async () => {
    let deep: object = {};
    for (let level = 0; level < 60; level += 1) deep = { deep };
    server.onCall(({ say }) => say('small', { structuredContent: { deep } }));
    expect(textOf(await call())).toContain('structured content that is too large');
    server.onCall(({ id, response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"structuredContent":{"__proto__":{"admin":true}}}}`,
      );
    });
    expect((await call()).status.state).toBe(failed);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  test('in the schemas of tools leaves the server listed, and its tools callable', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`p${at}`, { type: 'string' }]));
    const loop = { $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] };
    server.tools = [
      { name: 'many', inputSchema: { type: 'object', properties: many, required: ['p1'] } },
      { name: 'loop', inputSchema: { type: 'object', ...loop } },
      { name: 'pattern', inputSchema: { ...text, properties: { text: { type: 'string', pattern: '^(a|a)*$' } } } },
    ];
    server.onCall(({ say }) => say('called'));
    expect(textOf(await call([{ data: { tool: 'many', arguments: { p1: 'x' } } }]))).toBe('called');
    expect(questionOf(await call([{ text: 'loop' }]))).toMatchObject({ kind: 'form' });
    expect(questionOf(await call([{ text: 'pattern' }]))).toMatchObject({ kind: 'form' });
  });
});

describe('SSE-2: messages that belong to no request', () => {
  test('the response to another id, and a second response, are ignored', async () => {
    server.onCall(({ id, event, say }) => {
      event({ id: 'other', result: { content: [{ type: 'text', text: 'for nobody' }] } });
      event({ id: Number(id) + 7, result: { content: [{ type: 'text', text: 'for nobody' }] } });
      event({ id, result: { content: [{ type: 'text', text: 'first' }] } });
      say('second');
    });
    expect(partsOf(await call())).toEqual([{ text: 'first' }]);
  });

  test('a change of the tools during a call does not affect it', async () => {
    server.onCall(({ event, say }) => {
      server.tools = [];
      event({ method: 'notifications/tools/list_changed' });
      say('finished');
    });
    expect(textOf(await call())).toBe('finished');
  });
});

describe('a connection', () => {
  test.each([
    ['closes without a response', ({ response }: { response: { end(): void } }) => response.end()],
    ['breaks', ({ response }: { response: { destroy(): void } }) => response.destroy()],
  ])('that %s in the middle of a call fails the task, and the tool is not called again', async (_how, end) => {
    server.onCall(({ event, response }) => {
      event({ method: 'notifications/message', params: {} });
      setImmediate(() => end({ response } as never));
    });
    expect((await call()).status.state).toBe(failed);
    expect(server.methods().filter((method) => method === 'tools/call')).toHaveLength(1);
  });

  test('LIM-2: that never answers ends with the time that the owner permits', async () => {
    let isGone = false;
    server.onCall(({ gone }) => {
      void gone.then(() => {
        isGone = true;
      });
    });
    const slug = await listAgent(parley.url, ada, { url: server.url });
    await send(`${parley.url}/api/agents/${slug}`, {
      method: 'PATCH',
      body: { callLimits: { unaryTimeoutSeconds: 1, silenceTimeoutSeconds: 1 } },
      bearer: ada.accessToken,
    });
    expect((await call()).status.state).toBe(failed);
    await waitFor(() => isGone, { what: 'the end of the connection' });
  });

  test.each([
    ['an HTML page', 'text/html', '<html>'],
    ['text in a stream', 'text/event-stream', 'data: {"jsonrpc": \n\n'],
    ['an array', 'application/json', '[1, null, "x"]'],
    ['another protocol', 'application/json', '{"jsonrpc":"2.0","result":7}'],
  ])('that returns %s fails the task', async (_what, type, body) => {
    server.onCall(({ response }) => void response.writeHead(200, { 'content-type': type }).end(body));
    expect((await call()).status.state).toBe(failed);
  });
});

describe('AUZ-1: a question that a call waits for', () => {
  test('cannot be answered by another person', async () => {
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } };
    server.onCall(async ({ ask, say }) =>
      say(JSON.stringify(await ask('elicitation/create', { message: '?', requestedSchema }))),
    );
    const asked = await call();
    const eve = await createPerson(parley.url, 'Eve');
    const slug = await listAgent(parley.url, ada, { url: server.url });
    const other = withHeaders(await connectTo(parley.url, eve, slug), { 'a2a-version': '1.0' });
    const parts = [{ data: { city: 'Elsewhere' } }];
    const { body } = await rpc(other, 'SendMessage', message10('', { parts, taskId: asked.id }));
    expect(body.error).toMatchObject({ code: -32001 });
    expect(server.received.some(({ result }) => result !== undefined)).toBe(false);
    expect(reasonOf(asked)).toBeUndefined();
  });
});
