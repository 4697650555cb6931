import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SSE_HEARTBEAT_MS } from '../../lib/http/limits';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
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
  withHeaders,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: Person;
let connection: Connection;
let host: string;
let port: number;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Edge' });
  parley = await sharedParley();
  ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  host = new URL(parley.url).host;
  port = Number(new URL(parley.url).port);
});

afterAll(async () => {
  await agent?.stop();
});

/** Writes bytes to the server and reads until it closes or has sent a complete head. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let reply = '';
    const done = (): void => {
      socket.destroy();
      resolve(reply);
    };
    socket.setTimeout(15_000, done);
    socket.on('data', (chunk) => {
      reply += chunk;
      if (reply.includes('\r\n\r\n')) done();
    });
    socket.on('close', done);
    socket.on('error', (error) =>
      reply === '' && !('code' in error && error.code === 'ECONNRESET') ? reject(error) : done(),
    );
  });
}

/** Sends chunks (at most 64 MB) until the server closes; returns its output and the number of bytes that it read. */
function pour(head: string): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve) => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    let reply = '';
    let sent = 0;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head);
      more();
    });
    function more(): void {
      while (!socket.destroyed && sent < 64 * 1_048_576) {
        sent += chunk.length;
        if (!socket.write(chunk)) return void socket.once('drain', more);
      }
      socket.destroy();
    }
    socket.on('data', (data) => {
      reply += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answer: reply, sent }));
  });
}

const statusOf = (reply: string): string => reply.slice('HTTP/1.1 '.length, 12);

describe('RS-5 a request that is checked before routing', () => {
  test.each([
    ['an absolute target', () => `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`, '400'],
    ['TRACE', () => `TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, '405'],
    ['CONNECT', () => `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, ''],
    ['two Host headers', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`, '400'],
    ['no Host header', () => 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['an unknown Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', '421'],
    [
      'Content-Length and chunked encoding together',
      () =>
        `POST /api/auth/local HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400',
    ],
    [
      'two Content-Length headers',
      () => `POST /api/auth/local HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
      '400',
    ],
    [
      'an invalid chunk',
      () =>
        `POST /api/auth/local HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      '400',
    ],
    ['a folded header', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-A: b\r\n c\r\n\r\n`, '400'],
    [
      'headers of more than 16 KB',
      () => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431',
    ],
    [
      'RS-2 two Authorization headers',
      () => `GET /api/apps HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
      '400',
    ],
  ])('is rejected or closed: %s', async (_, request, status) => {
    expect(statusOf(await raw(request()))).toBe(status);
  });

  test.each([
    ['HTTP/1.0 without Host', 'HTTP/1.0\r\n\r\n'],
    ['HTTP/1.0 with a Host', 'HTTP/1.0\r\nHost: 10.0.0.7\r\n\r\n'],
    ['HTTP/1.1 without Host', 'HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['another Host with a port', 'HTTP/1.1\r\nHost: 10.0.0.7:3000\r\nConnection: close\r\n\r\n'],
    ['an empty Host', 'HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
  ])('to a health path returns 200: %s', async (_, rest) => {
    for (const path of ['/healthz', '/readyz', '/readyz?verbose'])
      for (const method of ['GET', 'HEAD']) expect(statusOf(await raw(`${method} ${path} ${rest}`)), path).toBe('200');
  });

  test.each([
    ['invalid bytes', () => `GET /api/agents/%00 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'invalid_request'],
    ['a path that is not UTF-8', () => `GET /api/agents/%ff HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'invalid_request'],
    ['an unknown Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 'misdirected_request'],
  ])('returns the reason as problem JSON: %s', async (_, request, code) => {
    const reply = await raw(request());
    expect(reply).toMatch(/content-type: application\/problem\+json/i);
    const body = JSON.parse(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
    expect(body).toMatchObject({ code, requestId: expect.stringMatching(/^req_/) });
  });

  test.each([
    ['/', 'POST, GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/api/auth/introspect', 'POST'],
  ])('returns the allowed methods for TRACE %s', async (path, allow) => {
    const reply = await raw(`TRACE ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(statusOf(reply)).toBe('405');
    expect(/^allow: (.*)\r$/im.exec(reply)?.[1]).toContain(allow);
  });

  // Java's HttpClient and curl --http2 send this offer.
  test.each([
    ['an endpoint', () => `POST /api/auth/introspect HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n`, '415'],
    ['a page', () => `GET /agents HTTP/1.1\r\nHost: ${host}\r\n`, '200'],
    ['an unknown path', () => `GET /nosuch HTTP/1.1\r\nHost: ${host}\r\n`, '404'],
    ['an unknown Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n', '421'],
  ])('is processed over HTTP/1.1 if it offers to upgrade to HTTP/2: %s', async (_, head, status) => {
    // Next initializes the server with the first page.
    expect((await fetch(`${parley.url}/agents`)).status).toBe(200);
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n';
    expect(statusOf(await raw(head() + offer))).toBe(status);
  });

  test('to a health path is accepted on any host', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(statusOf(await raw(`GET ${path} HTTP/1.1\r\nHost: 10.1.2.3\r\n\r\n`))).toBe('200');
  });

  test('is redirected to APP_URL if it is for a page on another allowed host', async () => {
    const reply = await raw(`GET /agents?q=a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(reply).toContain('307');
    expect(reply.toLowerCase()).toContain(`location: ${parley.url}/agents?q=a`);
    expect(statusOf(await raw(`HEAD /agents HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`))).toBe('307');
  });
});

describe('RS-8 a header that frameworks trust', () => {
  test.each([
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-middleware-next',
    'next-action',
    'rsc',
    'x-nextjs-data',
    'x-forwarded-host',
  ])('is ignored: %s', async (name) => {
    const value = name === 'x-middleware-subrequest' ? 'middleware:middleware:middleware:middleware:middleware' : '1';
    for (const path of ['/settings/sessions', '/console', '/api/auth/sessions', '/api/apps']) {
      const response = await fetch(`${parley.url}${path}`, { headers: { [name]: value }, redirect: 'manual' });
      expect(response.status, path).toBeGreaterThanOrEqual(300);
      expect(response.status, path).toBeLessThan(500);
    }
  });
});

describe('RS-1, RS-2 a bearer token', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };

  test.each([
    ['none', {}, 'Bearer realm="parley"'],
    ['garbage', { authorization: 'Bearer garbage' }, 'Bearer realm="parley", error="invalid_token"'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'Bearer realm="parley", error="invalid_token"'],
    ['quotes', { authorization: 'Bearer a"b' }, 'Bearer realm="parley", error="invalid_token"'],
    ['two tokens', { authorization: 'Bearer a b' }, 'Bearer realm="parley", error="invalid_token"'],
  ])(
    'that is absent or invalid (%s) returns 401 with a challenge before the body is read',
    async (_, headers, challenge) => {
      const response = await fetch(connection.url, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: 'not even JSON',
      });
      expect(response.status).toBe(401);
      const { origin, pathname } = new URL(connection.url);
      const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
      expect(response.headers.get('www-authenticate')).toBe(`${challenge}, resource_metadata="${metadata}"`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    },
  );

  test('in the query or the body is ignored', async () => {
    const inQuery = await fetch(`${connection.url}?access_token=${connection.token}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const inBody = await fetch(connection.url, {
      method: 'POST',
      body: JSON.stringify({ ...body, access_token: connection.token }),
    });
    expect([inQuery.status, inBody.status]).toEqual([401, 401]);
  });

  test('TOK-1 for one agent is rejected by another', async () => {
    const other = await listAgent(parley.url, ada, { url: `${agent.url}/second/.well-known/agent-card.json` });
    const { status } = await rpc({ ...connection, url: `${parley.url}/agents/${other}/a2a/jsonrpc` }, 'tasks/get', {
      id: 'x',
    });
    expect(status).toBe(401);
    const absent = await rpc({ ...connection, url: `${parley.url}/agents/no-such-agent/a2a/jsonrpc` }, 'tasks/get', {
      id: 'x',
    });
    expect(absent.status).toBe(401);
  });
});

describe('LIM-1 a request body', () => {
  const big = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: message03('x'.repeat(1_048_576)),
  });

  test('of more than 1 MB in Content-Length returns 413 immediately, in the dialect', async () => {
    const response = await post(connection, big);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: -32600, data: { reason: 'payload_too_large', limit: 1_048_576 } },
    });
  });

  // A caller still writing into a closing connection may see the reset before the response (RFC 9112 §9.6).
  const mayMissIt = { retry: 3 };
  test(
    'of more than 1 MB in chunks returns 413 and closes the connection once it exceeds the limit',
    mayMissIt,
    async () => {
      const head = `POST ${new URL(connection.url).pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${connection.token}\r\n`;
      const { answer, sent } = await pour(
        `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      expect(statusOf(answer)).toBe('413');
      expect(sent).toBeLessThan(20 * 1_048_576);
    },
  );

  test('of more than 1 MB is rejected by the token endpoint before authentication', mayMissIt, async () => {
    const head = `POST /api/auth/token HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer x\r\nTransfer-Encoding: chunked\r\n`;
    const { answer, sent } = await pour(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\n`);
    expect(statusOf(answer)).toBe('413');
    expect(sent).toBeLessThan(20 * 1_048_576);
  });

  test('LIM-4 that is compressed is rejected', async () => {
    const { body } = await rpc(withHeaders(connection, { 'content-encoding': 'gzip' }), 'tasks/get', { id: 'x' });
    expect(body.error).toMatchObject({ code: -32005 });
  });

  test('LIM-5, LIM-6 with dangerous JSON is rejected', async () => {
    for (const text of [
      '['.repeat(100_000),
      '{"a":1e999}',
      '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"__proto__":{"id":"x"}}}',
      '\ufeff{}',
      '',
    ]) {
      const response = await post(connection, text);
      expect(await response.json()).toMatchObject({ error: { code: -32700 } });
    }
  });

  test('with a wrong content type is rejected with the reason', async () => {
    const { body } = await rpc(withHeaders(connection, { 'content-type': 'text/plain' }), 'tasks/get', { id: 'x' });
    expect(body.error).toMatchObject({ code: -32005, data: { reason: 'content_type_not_supported' } });
  });
});

describe('LIM-3 a server with many connections', () => {
  /** The head of a call whose body is read. */
  const headOf = (length: number): string => {
    const lines = [`POST /api/auth/token HTTP/1.1`, `Host: ${host}`, `Content-Length: ${length}`];
    return [...lines, 'Content-Type: application/x-www-form-urlencoded', '', ''].join('\r\n');
  };

  test('closes 200 connections that never finish their headers, and serves other requests', async () => {
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nX-Slow: '));
      socket.on('error', () => undefined);
      return socket;
    });
    const pushedOut = async (): Promise<boolean> => {
      expect(statusOf(await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`))).toBe('200');
      return sockets.filter(({ closed }) => closed).length > 160;
    };
    await waitFor(pushedOut, { what: 'the slow connections to be evicted' });
    expect((await rpc(connection, 'tasks/get', { id: 'x' })).body.error?.code).toBe(-32001);
    for (const socket of sockets) socket.destroy();
  });

  test('returns 408 to all but 32 of 200 clients with very slow bodies, and serves other requests', async () => {
    const replies: string[] = [];
    const sockets = Array.from({ length: 200 }, (_, at) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${headOf(1_000)}{`));
      replies[at] = '';
      socket.on('data', (chunk) => {
        replies[at] = `${replies[at]}${chunk}`;
      });
      return socket.on('error', () => undefined);
    });
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ');
    }, 200);
    try {
      await waitFor(() => sockets.filter(({ closed }) => closed).length >= 168, {
        what: 'the slow connections to be closed',
      });
      expect(replies.filter((reply) => statusOf(reply) === '408')).toHaveLength(168);
      expect(sockets.filter(({ closed }) => !closed)).toHaveLength(32);
      expect((await rpc(connection, 'tasks/get', { id: 'x' })).body.error?.code).toBe(-32001);
    } finally {
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    }
  });

  test('completes all of 50 large requests that arrive slowly and steadily', async () => {
    const length = 24_000;
    const piece = ' '.repeat(2_000);
    const sendSlowly = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(headOf(length)));
        let sent = 0;
        const timer = setInterval(() => {
          if (sent < length) socket.write(piece);
          sent += piece.length;
        }, 300);
        socket.on('error', reject);
        socket.on('data', (chunk) => {
          clearInterval(timer);
          socket.destroy();
          resolve(String(chunk));
        });
      });
    const replies = await Promise.all(Array.from({ length: 50 }, sendSlowly));
    expect(new Set(replies.map(statusOf))).toEqual(new Set(['401']));
  });

  test('completes every request in a burst of 200 valid ones', async () => {
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answers = await Promise.all(Array.from({ length: 200 }, () => raw(request)));
    expect(answers.filter((reply) => statusOf(reply) === '200')).toHaveLength(200);
  });
});

describe('LIM-9 a user', () => {
  test('can have 20 open streams, and regains a slot when one is closed', async () => {
    agent.answer(async ({ result, gone }) => {
      result(agent03.status('held', 'working'));
      await gone;
    });
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    const open = (signal?: AbortSignal): Promise<Response> =>
      post({ ...connection, signal }, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hold') });
    const responses = await Promise.all(aborts.map(({ signal }) => open(signal)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const refused = await open();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ error: { data: { reason: 'too_many_streams' } } });
    aborts[0]?.abort();
    const last = new AbortController();
    const again = await waitFor(
      async () => {
        const response = await open(last.signal);
        return response.status === 200 ? response : null;
      },
      { what: 'the slot to be released' },
    );
    expect((await readEvents(again, (events) => events.length > 0)).length).toBeGreaterThan(0);
    last.abort();
    for (const abort of aborts) abort.abort();
  });
});

test('LIM-10 SSRF-7 a call that passed through four gateways like this one is rejected as a loop', async () => {
  const through = (hops: number): Connection =>
    withHeaders(connection, { via: Array(hops).fill('1.1 parley').join(', ') });
  expect((await rpc(through(3), 'tasks/get', { id: 'x' })).body.error?.message).not.toContain('loop');
  expect((await rpc(through(4), 'tasks/get', { id: 'x' })).body.error?.message).toContain('looks like a loop');
});

test('a revoked access token’s open streams end within a second', async () => {
  const bob = await createPerson(parley.url, 'Bob');
  const slug = new URL(connection.url).pathname.split('/')[2] ?? '';
  const bobConnection = await connectTo(parley.url, bob, slug);
  agent.answer(async ({ result, gone }) => {
    result(agent03.status('endless', 'working'));
    await gone;
  });
  const response = await post(bobConnection, {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/stream',
    params: message03('go'),
  });
  let ended = 0;
  const reading = readEvents(response).finally(() => {
    ended = Date.now();
  });
  const tokens = (await (
    await fetch(`${parley.url}/api/auth/access-tokens`, { headers: { cookie: bob.cookie } })
  ).json()) as { items: { id: string }[] };
  const headers = { cookie: bob.cookie, origin: parley.url };
  const revoked = Date.now();
  await fetch(`${parley.url}/api/auth/access-tokens/${tokens.items[0]?.id}`, { method: 'DELETE', headers });
  await reading.catch(() => undefined);
  expect(ended - revoked).toBeLessThan(1_000);
  expect((await rpc(bobConnection, 'tasks/get', { id: 'x' })).status).toBe(401);
});

test('a message that arrived completely is executed even if its sender disconnects immediately', async () => {
  agent.answer(({ result, end }) => {
    result(agent03.status('left', 'completed'));
    end();
  });
  const texts = Array.from({ length: 12 }, (_, at) => `said and gone ${at}`);
  for (const [at, text] of texts.entries()) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: message03(text) });
    const whole = at % 2 ? `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    const framing = at % 2 ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
    const head = [
      `POST ${new URL(connection.url).pathname} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${connection.token}`,
    ];
    const sent = [...head, 'Content-Type: application/json', framing, '', whole].join('\r\n');
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(sent, () => socket.destroy()));
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
  }
  const isKeptOpen = async (): Promise<boolean> => {
    const { body } = await rpc(connection, 'tasks/list', { pageSize: 100, historyLength: 1 });
    return texts.every((text) => JSON.stringify(body).includes(text));
  };
  await waitFor(isKeptOpen, { what: 'the twelve messages' });
});

describe('a user who reads a task', () => {
  let adaConnection: Connection;
  let path: string;

  beforeAll(async () => {
    agent.answer(async ({ result, gone }) => {
      result(agent03.status('open', 'working'));
      await gone;
    });
    const eve = await createPerson(parley.url, 'Eve');
    const slug = new URL(connection.url).pathname.split('/')[2] ?? '';
    adaConnection = await connectTo(parley.url, eve, slug);
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go on') };
    const [event] = await readEvents(await post(adaConnection, body), (events) => events.length > 0);
    path = `/agents/${slug}/a2a/rest/tasks/${resultOf<{ id: string }>(event).id}:subscribe`;
  });

  test('regains the slots of streams that are closed before they start', async () => {
    const headers = { authorization: `Bearer ${adaConnection.token}` };
    for (let time = 0; time < 25; time++) {
      const head = await fetch(`${parley.url}${path}`, { method: 'HEAD', headers });
      expect([time, head.status]).toEqual([time, 200]);
    }
  });

  test('regains the slots of streams that waited behind another stream on their connection', async () => {
    const headers = { authorization: `Bearer ${adaConnection.token}` };
    const readTwice = async (): Promise<number[]> => {
      const aborted = new AbortController();
      const read = () => fetch(`${parley.url}${path}`, { headers, signal: aborted.signal });
      const statuses = [(await read()).status, (await read()).status];
      aborted.abort();
      return statuses;
    };
    const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${adaConnection.token}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(one.repeat(25)));
    const isFull = async (): Promise<boolean> => {
      if ((await readTwice())[0] === 429) return true;
      // A probe may have held the slots that some of these requests needed.
      socket.write(one.repeat(2));
      return false;
    };
    await waitFor(isFull, { what: 'all slots to be acquired' });
    socket.destroy();
    // Node stops reading a connection with many unsent responses. The next heartbeat detects that it is closed.
    const timeout = 2 * SSE_HEARTBEAT_MS;
    await waitFor(async () => (await readTwice())[1] === 200, { what: 'the slots to be released', timeout });
  });
});
