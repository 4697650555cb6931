import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { McpHttpServer } from '../fakes/mcp-http-server';
import { createPerson, type Person } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { callServer, reasonOf, type Task, textOf } from './serve-mcp-fixture';

/** MCP servers at a URL that fail after they have accepted a call. */
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

describe('RS-3: a tool that was called once is not called again', () => {
  const readsApp = (): void => {
    const _meta = { ui: { resourceUri: 'ui://remote/app' } };
    server.tools = [{ name: 'go', inputSchema: { type: 'object', properties: {} }, _meta }];
  };
  const callsOf = (): number => server.methods().filter((method) => method === 'tools/call').length;

  test.each(['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', 'made/up'])(
    'if the server returns 404 for the response to its %s, in a known session',
    async (method) => {
      const { contextId } = await call();
      server.received.length = 0;
      server.statusOf = (message) => (message.method === undefined ? 404 : null);
      server.onCall(async ({ event, say }) => {
        event({ id: 'asked', method, params: {} });
        await waitFor(() => server.received.some(({ id }) => id === 'asked'), { what: 'the response' });
        say('continued');
      });
      expect(textOf(await call(undefined, { contextId }))).toBe('continued');
      expect(callsOf()).toBe(1);
    },
  );

  test('if the server refuses connections while it waits for a response', async () => {
    server.onCall(({ event, say }) => {
      server.refuseConnections();
      event({ id: 'asked', method: 'ping' });
      setImmediate(() => say('continued'));
    });
    expect(textOf(await call())).toBe('continued');
    expect(callsOf()).toBe(1);
  });

  test.each([404, 405, 500, 503])(
    'if its app cannot be read (%i) after a result without content; the task is completed',
    async (status) => {
      readsApp();
      const { contextId } = await call();
      server.received.length = 0;
      server.statusOf = ({ method }) => (method === 'resources/read' ? status : null);
      server.onCall(({ say }) => say('', { content: [] }));
      const done = await call(undefined, { contextId });
      expect([done.status.state, callsOf()]).toEqual(['TASK_STATE_COMPLETED', 1]);
    },
  );

  test('if the connection for its app is refused; the task is completed', async () => {
    readsApp();
    server.onCall(({ say, response }) => {
      response.setHeader('connection', 'close');
      server.refuseConnections();
      say('', { content: [] });
    });
    const done = await call();
    expect([done.status.state, callsOf()]).toEqual(['TASK_STATE_COMPLETED', 1]);
  });

  test('if the server does not receive the answer of the user; the task fails, and the call is canceled', async () => {
    const requestedSchema = { type: 'object', properties: { city: { type: 'string' } } };
    let isGone = false;
    server.onCall(({ ask, gone }) => {
      void ask('elicitation/create', { message: 'Where to?', requestedSchema });
      void gone.then(() => {
        isGone = true;
      });
    });
    const { id: taskId, contextId } = await call();
    server.statusOf = (message) => (message.method === undefined ? 404 : null);
    const done = await call([{ data: { city: 'Oslo' } }], { taskId, contextId });
    expect([reasonOf(done), callsOf()]).toEqual(['The MCP server did not receive the answer. Call the tool again.', 1]);
    await waitFor(() => isGone, { what: 'the end of the call' });
  });
});
