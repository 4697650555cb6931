import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { type AgentCall, answerWith, FakeAgent, failWith, type Serve, sendEvent, sendJson } from '../fakes/fake-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  send,
  withHeaders,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { interleaved } from '../support/keep-alives';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let person: Person;
const agents: FakeAgent[] = [];

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
});

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop();
});

interface Listed {
  agent: FakeAgent;
  slug: string;
  connection: Connection;
}

/** Lists an agent of 0.3 with the additional interfaces `more`; `serve` handles every path. */
async function list(
  serve: Serve,
  options: { main?: string; more?: (url: string) => object[]; streaming?: boolean } = {},
): Promise<Listed> {
  const { main, more = () => [], streaming = true } = options;
  const card = (url: string): object => ({
    protocolVersion: '0.3.0',
    name: `Robust ${newUuid().slice(0, 8)}`,
    description: 'Does what the test says',
    version: '1.0.0',
    url: main ?? `${url}/one`,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: more(url),
    capabilities: { streaming },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'x', name: 'X', description: 'X', tags: ['x'] }],
  });
  const agent = await FakeAgent.start(card, serve);
  agents.push(agent);
  const slug = await listAgent(parley.url, person, { url: agent.url, confirmOrigin: true });
  return { agent, slug, connection: await connectTo(parley.url, person, slug) };
}

interface Task03 {
  id: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  metadata?: object;
}

/** Sends a message; these agents ignore its content. */
async function ask(connection: Connection, text = 'hi'): Promise<Task03> {
  const { body } = await rpc(connection, 'message/send', message03(text));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Task03;
}

/** The error of a send whose turn failed before the agent's first event. */
async function refusalOf(connection: Connection): Promise<{ message: string; data: unknown }> {
  const { body } = await rpc(connection, 'message/send', message03('hi'));
  if (!body.error) throw new Error(JSON.stringify(body.result));
  return body.error;
}

function done(call: AgentCall, response: Parameters<Serve>[1]): void {
  sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.task(`up-${newUuid()}`, 'completed', ['done']) });
  response.end();
}

const second = (url: string): object[] => [{ url: `${url}/two`, transport: 'JSONRPC' }];
const paths = ({ calls }: FakeAgent): string[] => calls.map(({ path, method }) => `${path} ${method}`);

describe('an agent’s next interface', () => {
  test('is called if the connection to the first one fails', async () => {
    const main = `http://127.0.0.1:${await freePort()}/gone`;
    const { agent, connection } = await list(done, { main, more: second });
    expect((await ask(connection)).status.state).toBe('completed');
    expect(paths(agent)).toEqual(['/two message/stream']);
  });

  test('is not called at an origin other than the card’s until the owner agrees', async () => {
    const agent = await FakeAgent.start(
      (url) => ({
        name: 'Two origins',
        description: 'Is in two places',
        version: '1.0.0',
        supportedInterfaces: [
          { url: `${url}/one`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: 'http://127.0.0.1:9/two', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        ],
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'x', name: 'X', description: 'X', tags: ['x'] }],
      }),
      done,
    );
    agents.push(agent);
    const register = (body: object): Promise<Response> =>
      send(`${parley.url}/api/agents`, { bearer: person.accessToken, body: { url: agent.url, ...body } });
    const asked = await register({});
    expect([asked.status, await asked.json()]).toMatchObject([
      409,
      { code: 'confirm_origin', found: 'http://127.0.0.1:9', expected: agent.url },
    ]);
    expect((await register({ confirmOrigin: true })).status).toBe(201);
    expect((await register({})).status).toBe(200);
  });

  test.each([
    ['404', (response: Parameters<Serve>[1]) => void response.writeHead(404).end('nothing here')],
    ['405', (response: Parameters<Serve>[1]) => void response.writeHead(405).end()],
  ])('is called if the first returns %s to the stream and the plain send, and stays preferred', async (_, refuse) => {
    const { agent, connection } = await list(
      (call, response) => (call.path === '/one' ? refuse(response) : done(call, response)),
      {
        more: second,
      },
    );
    await ask(connection);
    await ask(connection);
    expect(paths(agent)).toEqual([
      '/one message/stream',
      '/one message/send',
      '/two message/stream',
      '/two message/stream',
    ]);
  });

  test('is called in HTTP+JSON if the first one does not support the method', async () => {
    const serve: Serve = (call, response) => {
      if (call.path === '/one') return failWith(response, call, { code: -32601, message: 'Method not found' });
      sendJson(response, { task: agent03.task('up-rest', 'completed', ['rest']) });
    };
    const { agent, connection } = await list(serve, {
      more: (url) => [{ url: `${url}/two`, transport: 'HTTP+JSON' }],
      streaming: false,
    });
    expect((await ask(connection)).status.state).toBe('completed');
    expect(agent.calls.map(({ path }) => path)).toEqual(['/one', '/two/v1/message:send']);
  });

  test.each([
    [
      'rejects the message as invalid',
      (call: AgentCall, response: Parameters<Serve>[1]) => failWith(response, call, { code: -32602, message: 'no' }),
    ],
    ['fails with 500', (_: AgentCall, response: Parameters<Serve>[1]) => void response.writeHead(500).end()],
    ['closes the connection', (_: AgentCall, response: Parameters<Serve>[1]) => void response.destroy()],
    [
      'rejects the method after its first event',
      (call: AgentCall, response: Parameters<Serve>[1]) => {
        sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status('up-1', 'working') });
        sendEvent(response, { jsonrpc: '2.0', id: call.id, error: { code: -32601, message: 'late' } });
        response.end();
      },
    ],
  ])('never receives the message if the first %s, because the message may have arrived', async (_, refuse) => {
    const { agent, connection } = await list(refuse, { more: second });
    await rpc(connection, 'message/send', message03('hi'));
    expect(paths(agent).filter((path) => path.includes('message/'))).toEqual(['/one message/stream']);
  });
});

describe('a retry', () => {
  test('is not made for a send if the connection breaks', async () => {
    const { agent, connection } = await list((_, response) => void response.destroy(), { streaming: false });
    expect(await refusalOf(connection)).toMatchObject({ data: { reason: 'agent_unreachable' } });
    expect(agent.calls).toHaveLength(1);
  });

  test('is made once for a task poll, without any action by the caller', async () => {
    let drops = 1;
    const { agent, connection } = await list(
      (call, response) => {
        if (call.method === 'message/send') return answerWith(response, call, agent03.task('up-get', 'working'));
        if (drops-- > 0) return void response.writeHead(503).end();
        answerWith(response, call, agent03.task('up-get', 'completed', ['got']));
      },
      { streaming: false },
    );
    expect((await ask(connection)).status.state).toBe('completed');
    expect(agent.of('message/send')).toHaveLength(1);
    expect(agent.of('tasks/get')).toHaveLength(2);
  });
});

describe('an agent that is down', () => {
  test('is not called after five consecutive failures until a single test call succeeds', async () => {
    let isUp = false;
    const { agent, connection } = await list((call, response) =>
      isUp ? done(call, response) : void response.writeHead(503).end(),
    );
    for (let times = 0; times < 5; times++) await refusalOf(connection);
    expect(agent.calls).toHaveLength(5);
    const refused = await rpc(connection, 'message/send', message03('hi'));
    expect(refused.body.error).toMatchObject({ code: -32603, data: { reason: 'agent_unreachable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(agent.calls).toHaveLength(5);
    isUp = true;
    await sleep(Number(refused.headers.get('retry-after')) * 1000);
    expect((await ask(connection)).status.state).toBe('completed');
    expect(agent.calls).toHaveLength(6);
    const all = await Promise.all([ask(connection), ask(connection), ask(connection)]);
    expect(all.map(({ status }) => status.state)).toEqual(['completed', 'completed', 'completed']);
  });

  test('is not marked as down because of its own errors', async () => {
    const { agent, connection } = await list((call, response) =>
      sendJson(response, { jsonrpc: '2.0', id: call.id, error: { code: -32603, message: 'I failed' } }, 500),
    );
    for (let times = 0; times < 7; times++) await refusalOf(connection);
    expect(agent.calls).toHaveLength(7);
  });
});

describe('the owner’s settings', () => {
  const patch = (slug: string, callLimits: object): Promise<Response> =>
    send(`${parley.url}/api/agents/${slug}`, { method: 'PATCH', bearer: person.accessToken, body: { callLimits } });

  test('LIM-2 limit how long a whole response may take', async () => {
    const { slug, connection } = await list(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
      {
        streaming: false,
      },
    );
    expect((await patch(slug, { unaryTimeoutSeconds: 1 })).status).toBe(200);
    expect((await refusalOf(connection)).message).toBe('The agent did not respond in time.');
  });

  test('LIM-2 limit how long a stream may be idle', async () => {
    const { slug, connection } = await list(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
    );
    await patch(slug, { silenceTimeoutSeconds: 1 });
    expect((await refusalOf(connection)).message).toBe('The agent did not respond in time.');
  });

  test('limit the agent’s concurrent tasks', async () => {
    const { agent, slug, connection } = await list((call, response) => {
      sendEvent(response, { jsonrpc: '2.0', id: call.id, result: agent03.status('up-busy', 'working') });
    });
    await patch(slug, { maxConcurrent: 1 });
    const stream = await post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hi') });
    const [event] = await readEvents(stream, () => true);
    const refused = await rpc(connection, 'message/send', message03('hi'));
    expect([refused.status, refused.body.error?.data]).toMatchObject([503, { reason: 'unavailable' }]);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(agent.calls).toHaveLength(1);
    await rpc(connection, 'tasks/cancel', { id: resultOf<Task03>(event).id });
    const request = { jsonrpc: '2.0', id: 2, method: 'message/stream', params: message03('hi') };
    await waitFor(async () => (await post(connection, request)).status === 200, { what: 'the slot to be released' });
  });

  test('AUZ-1 must be within bounds, and are visible only to the owner and to a token with the scope', async () => {
    const { slug } = await list(done);
    for (const wrong of [
      { unaryTimeoutSeconds: 301 },
      { silenceTimeoutSeconds: 0 },
      { maxConcurrent: 0 },
      { other: 1 },
    ]) {
      expect((await patch(slug, wrong)).status, JSON.stringify(wrong)).toBe(400);
    }
    await patch(slug, { maxConcurrent: 7 });
    const url = `${parley.url}/api/agents/${slug}`;
    expect(await (await send(url, { bearer: person.accessToken })).json()).toMatchObject({
      callLimits: { maxConcurrent: 7 },
    });
    expect(await (await send(url, {})).json()).not.toHaveProperty('callLimits');
    const made = await send(`${parley.url}/api/auth/access-tokens`, {
      cookie: person.cookie,
      origin: parley.url,
      body: { name: 'calls only', scopes: ['handshake'] },
    });
    const { token } = (await made.json()) as { token: string };
    expect(await (await send(url, { bearer: token })).json()).not.toHaveProperty('callLimits');
  });
});

describe('a W3C Trace Context', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

  test('continues to the agent as a new span, with its state', async () => {
    const { agent, connection } = await list(done);
    const traced = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'vendor=1' };
    await ask(withHeaders(connection, traced));
    const { traceparent, tracestate } = agent.calls[0]?.headers ?? {};
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(traceparent).not.toContain('00f067aa0ba902b7');
    expect(tracestate).toBe('vendor=1');
  });

  test.each([
    '',
    'x',
    `00-${traceId}-0000000000000000-01`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${traceId}-00f067aa0ba902b7-01-x`,
  ])('starts again if the caller sent "%s"', async (traceparent) => {
    const { agent, connection } = await list(done);
    await ask(withHeaders(connection, { traceparent, tracestate: 'vendor=1' }));
    const { headers } = agent.calls[0] ?? {};
    expect(headers?.traceparent).toMatch(/^00-(?!4bf92f)[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(headers?.tracestate).toBeUndefined();
  });
});

describe('a stream with events that contain no item', () => {
  const items = ['working', 'half', 'whole', 'completed'];

  /** The events as text, for a call. */
  function eventsFor({ id }: AgentCall): string[] {
    const upstream = newUuid();
    const results = items.map((item) =>
      item === 'working' || item === 'completed'
        ? agent03.status(upstream, item)
        : agent03.artifact(upstream, `${item} `, { append: item === 'whole' }),
    );
    return results.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  }

  test('is read without these events, at any position', async () => {
    let stream: (call: AgentCall) => string = () => '';
    const { connection } = await list((call, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream(call));
    });
    const places = interleaved(items.map((_, at) => `<${at}>`));
    await fc.assert(
      fc.asyncProperty(places, async (text) => {
        stream = (call) => {
          const events = eventsFor(call);
          return text.replace(/<(\d)>/g, (_, at: string) => events[Number(at)] ?? '');
        };
        const { body } = await rpc(connection, 'message/send', message03('go'));
        expect(body.result).toMatchObject({
          status: { state: 'completed' },
          artifacts: [{ parts: [{ text: 'half ' }, { text: 'whole ' }] }],
        });
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    ['an item is cut off', (item: string) => `${item.slice(0, 60)}\n\n`],
    ['the agent reports an error as text', () => 'event: error\ndata: out of memory\n\n'],
  ])('fails when %s', async (_, broken) => {
    const { connection } = await list((call, response) => {
      const [first = '', second = ''] = eventsFor(call);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(first + broken(second));
    });
    const { body } = await rpc(connection, 'message/send', message03('go'));
    expect(body.result).toMatchObject({
      status: { state: 'failed', message: { parts: [{ text: expect.stringContaining('not JSON') }] } },
    });
  });
});
