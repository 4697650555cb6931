import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import {
  createPerson,
  type Line,
  lineTo,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  withHeaders,
} from '../support/world';

let parley: Parley;
let agent: ScriptedAgent;
let ada: Person;
let line: Line;
let host: string;
let port: number;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Edge' });
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  ada = await createPerson(parley.url);
  line = await lineTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  host = new URL(parley.url).host;
  port = Number(new URL(parley.url).port);
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

/** Writes bytes to the server and reads until it closes or has sent a whole head. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    const done = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(15_000, done);
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.includes('\r\n\r\n')) done();
    });
    socket.on('close', done);
    socket.on('error', (error) =>
      answer === '' && !('code' in error && error.code === 'ECONNRESET') ? reject(error) : done(),
    );
  });
}

/** Sends chunks without end (at most 64 MB) until the server closes; answers what it said and how much it let in. */
function pour(head: string): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve) => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    let answer = '';
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
      answer += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answer, sent }));
  });
}

const statusOf = (answer: string): string => answer.slice('HTTP/1.1 '.length, 12);

describe('RS-5 what no handler should see', () => {
  test.each([
    ['an absolute target', () => `GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`, '400'],
    ['TRACE', () => `TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, '405'],
    ['CONNECT', () => `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, ''],
    ['two Host headers', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`, '400'],
    ['no Host header', () => 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['a foreign Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', '421'],
    [
      'length and chunks together',
      () =>
        `POST /api/auth/local HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400',
    ],
    [
      'two lengths',
      () => `POST /api/auth/local HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`,
      '400',
    ],
    [
      'a bad chunk',
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
  ])('%s', async (_, request, status) => {
    expect(statusOf(await raw(request()))).toBe(status);
  });

  test.each([
    ['bad bytes', () => `GET /api/agents/%00 HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'invalid_request'],
    ['a path that is not UTF-8', () => `GET /v1/%ff HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 'invalid_request'],
    ['an unknown Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', 'misdirected_request'],
  ])('says why as problem JSON: %s', async (_, request, code) => {
    const answer = await raw(request());
    expect(answer).toMatch(/content-type: application\/problem\+json/i);
    const body = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(body).toMatchObject({ code, requestId: expect.stringMatching(/^req_/) });
  });

  test.each([
    ['/', 'POST, GET, HEAD'],
    ['/docs', 'GET, HEAD'],
    ['/api/auth/introspect', 'POST'],
  ])('TRACE %s names the methods that there are', async (path, allow) => {
    const answer = await raw(`TRACE ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(statusOf(answer)).toBe('405');
    expect(/^allow: (.*)\r$/im.exec(answer)?.[1]).toContain(allow);
  });

  // As Java's HttpClient and curl --http2 offer it.
  test.each([
    ['an endpoint', () => `POST /api/auth/introspect HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n`, '415'],
    ['a page', () => `GET /agents HTTP/1.1\r\nHost: ${host}\r\n`, '200'],
    ['what is not there', () => `GET /nosuch HTTP/1.1\r\nHost: ${host}\r\n`, '404'],
    ['a foreign Host', () => 'GET / HTTP/1.1\r\nHost: evil.example\r\n', '421'],
  ])('an offer to speak another protocol is passed over: %s', async (_, head, status) => {
    // Next hears of the server with the first page.
    expect((await fetch(`${parley.url}/agents`)).status).toBe(200);
    const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n';
    expect(statusOf(await raw(head() + offer))).toBe(status);
  });

  test('health answers on any host', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(statusOf(await raw(`GET ${path} HTTP/1.1\r\nHost: 10.1.2.3\r\n\r\n`))).toBe('200');
  });

  test('pages on another allowed host go to APP_URL', async () => {
    const answer = await raw(`GET /agents?q=a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(answer).toContain('307');
    expect(answer.toLowerCase()).toContain(`location: ${parley.url}/agents?q=a`);
    expect(statusOf(await raw(`HEAD /agents HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`))).toBe('307');
  });
});

describe('RS-8 headers that frameworks trust', () => {
  test.each([
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-middleware-next',
    'next-action',
    'rsc',
    'x-nextjs-data',
    'x-forwarded-host',
  ])('%s opens nothing', async (name) => {
    const value = name === 'x-middleware-subrequest' ? 'middleware:middleware:middleware:middleware:middleware' : '1';
    for (const path of ['/settings/sessions', '/console', '/api/auth/sessions', '/api/apps']) {
      const response = await fetch(`${parley.url}${path}`, { headers: { [name]: value }, redirect: 'manual' });
      expect(response.status, path).toBeGreaterThanOrEqual(300);
      expect(response.status, path).toBeLessThan(500);
    }
  });
});

describe('RS-1, RS-2 bearer tokens', () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: 'x' } };

  test.each([
    ['none', {}, 'Bearer realm="parley"'],
    ['garbage', { authorization: 'Bearer garbage' }, 'Bearer realm="parley", error="invalid_token"'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'Bearer realm="parley", error="invalid_token"'],
    ['quotes', { authorization: 'Bearer a"b' }, 'Bearer realm="parley", error="invalid_token"'],
    ['two tokens', { authorization: 'Bearer a b' }, 'Bearer realm="parley", error="invalid_token"'],
  ])('%s is 401 with a challenge before the body is read', async (_, headers, challenge) => {
    const response = await fetch(line.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: 'not even JSON',
    });
    expect(response.status).toBe(401);
    const { origin, pathname } = new URL(line.url);
    const metadata = `${origin}/.well-known/oauth-protected-resource${pathname}`;
    expect(response.headers.get('www-authenticate')).toBe(`${challenge}, resource_metadata="${metadata}"`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  test('a token in the query or the body counts for nothing', async () => {
    const inQuery = await fetch(`${line.url}?access_token=${line.token}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const inBody = await fetch(line.url, {
      method: 'POST',
      body: JSON.stringify({ ...body, access_token: line.token }),
    });
    expect([inQuery.status, inBody.status]).toEqual([401, 401]);
  });

  test('TOK-1 a token for one agent opens no other', async () => {
    const other = await listAgent(parley.url, ada, { url: `${agent.url}/second/.well-known/agent-card.json` });
    const { status } = await rpc({ ...line, url: `${parley.url}/agents/${other}/a2a/jsonrpc` }, 'tasks/get', {
      id: 'x',
    });
    expect(status).toBe(401);
    const absent = await rpc({ ...line, url: `${parley.url}/agents/no-such-agent/a2a/jsonrpc` }, 'tasks/get', {
      id: 'x',
    });
    expect(absent.status).toBe(401);
  });
});

describe('LIM-1 bodies', () => {
  const big = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: message03('x'.repeat(1_048_576)),
  });

  test('more than 1 MB declared is 413 at once, in the dialect', async () => {
    const response = await post(line, big);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      error: { code: -32600, data: { reason: 'payload_too_large', limit: 1_048_576 } },
    });
  });

  // A caller that writes on into a closing connection may learn of the break before it reads the answer (RFC 9112 §9.6).
  const mayMissIt = { retry: 3 };
  test('more than 1 MB in chunks is 413 as soon as it is counted, and the connection closes', mayMissIt, async () => {
    const head = `POST ${new URL(line.url).pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${line.token}\r\n`;
    const { answer, sent } = await pour(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
    expect(statusOf(answer)).toBe('413');
    expect(sent).toBeLessThan(20 * 1_048_576);
  });

  test('so it is at the token endpoint, before anybody is known', mayMissIt, async () => {
    const head = `POST /api/auth/token HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer x\r\nTransfer-Encoding: chunked\r\n`;
    const { answer, sent } = await pour(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\n`);
    expect(statusOf(answer)).toBe('413');
    expect(sent).toBeLessThan(20 * 1_048_576);
  });

  test('LIM-4 a compressed body is refused', async () => {
    const { body } = await rpc(withHeaders(line, { 'content-encoding': 'gzip' }), 'tasks/get', { id: 'x' });
    expect(body.error).toMatchObject({ code: -32005 });
  });

  test('LIM-5, LIM-6 JSON that only looks harmless is refused', async () => {
    for (const text of [
      '['.repeat(100_000),
      '{"a":1e999}',
      '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"__proto__":{"id":"x"}}}',
      '\ufeff{}',
      '',
    ]) {
      const response = await post(line, text);
      expect(await response.json()).toMatchObject({ error: { code: -32700 } });
    }
  });

  test('a wrong content type is named', async () => {
    const { body } = await rpc(withHeaders(line, { 'content-type': 'text/plain' }), 'tasks/get', { id: 'x' });
    expect(body.error).toMatchObject({ code: -32005, data: { reason: 'content_type_not_supported' } });
  });
});

describe('LIM-3 many connections', () => {
  test('200 that never finish their headers are pushed out and keep nobody out', async () => {
    const sockets = Array.from({ length: 200 }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nX-Slow: '));
      socket.on('error', () => undefined);
      return socket;
    });
    const pushedOut = async (): Promise<boolean> => {
      expect(statusOf(await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`))).toBe('200');
      return sockets.filter(({ closed }) => closed).length > 160;
    };
    await waitFor(pushedOut, { what: 'the slow ones to be pushed out' });
    expect((await rpc(line, 'tasks/get', { id: 'x' })).body.error?.code).toBe(-32001);
    for (const socket of sockets) socket.destroy();
  });

  test('a burst of 200 honest ones loses none', async () => {
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const answers = await Promise.all(Array.from({ length: 200 }, () => raw(request)));
    expect(answers.filter((answer) => statusOf(answer) === '200')).toHaveLength(200);
  });
});

describe('LIM-9 what one person may hold', () => {
  test('20 open streams, and a place again when one is left', async () => {
    agent.answer(async ({ result, gone }) => {
      result(agent03.status('held', 'working'));
      await gone;
    });
    const aborts = Array.from({ length: 20 }, () => new AbortController());
    const open = (signal?: AbortSignal): Promise<Response> =>
      post({ ...line, signal }, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hold') });
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
      { what: 'the place to be given back' },
    );
    expect((await readEvents(again, (events) => events.length > 0)).length).toBeGreaterThan(0);
    last.abort();
    for (const abort of aborts) abort.abort();
  });
});

test('LIM-10 SSRF-7 a call that came through four gateways like this one is refused as a loop', async () => {
  const through = (hops: number): Line => withHeaders(line, { via: Array(hops).fill('1.1 parley').join(', ') });
  expect((await rpc(through(3), 'tasks/get', { id: 'x' })).body.error?.message).not.toContain('loop');
  expect((await rpc(through(4), 'tasks/get', { id: 'x' })).body.error?.message).toContain('it is a loop');
});

test('revoking the access token ends its open streams within a second', async () => {
  const bob = await createPerson(parley.url, 'Bob');
  const slug = new URL(line.url).pathname.split('/')[2] ?? '';
  const his = await lineTo(parley.url, bob, slug);
  agent.answer(async ({ result, gone }) => {
    result(agent03.status('endless', 'working'));
    await gone;
  });
  const response = await post(his, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go') });
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
  expect((await rpc(his, 'tasks/get', { id: 'x' })).status).toBe(401);
});

test('a message that arrived whole is carried out, although its sender left without waiting for anything', async () => {
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
      `POST ${new URL(line.url).pathname} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${line.token}`,
    ];
    const sent = [...head, 'Content-Type: application/json', framing, '', whole].join('\r\n');
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(sent, () => socket.destroy()));
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
  }
  const isKept = async (): Promise<boolean> => {
    const { body } = await rpc(line, 'tasks/list', { pageSize: 100, historyLength: 1 });
    return texts.every((text) => JSON.stringify(body).includes(text));
  };
  await waitFor(isKept, { what: 'the twelve messages' });
});

describe('a person who reads a task', () => {
  let hers: Line;
  let path: string;

  beforeAll(async () => {
    agent.answer(async ({ result, gone }) => {
      result(agent03.status('open', 'working'));
      await gone;
    });
    const eve = await createPerson(parley.url, 'Eve');
    const slug = new URL(line.url).pathname.split('/')[2] ?? '';
    hers = await lineTo(parley.url, eve, slug);
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go on') };
    const [event] = await readEvents(await post(hers, body), (events) => events.length > 0);
    path = `/agents/${slug}/a2a/rest/tasks/${resultOf<{ id: string }>(event).id}:subscribe`;
  });

  test('gets the places of streams back that are left before they begin', async () => {
    const headers = { authorization: `Bearer ${hers.token}` };
    for (let time = 0; time < 25; time++) {
      const head = await fetch(`${parley.url}${path}`, { method: 'HEAD', headers });
      expect([time, head.status]).toEqual([time, 200]);
    }
  });

  test('gets the places of streams back that waited behind another one of their connection', async () => {
    const headers = { authorization: `Bearer ${hers.token}` };
    const readTwice = async (): Promise<number[]> => {
      const aborted = new AbortController();
      const read = () => fetch(`${parley.url}${path}`, { headers, signal: aborted.signal });
      const statuses = [(await read()).status, (await read()).status];
      aborted.abort();
      return statuses;
    };
    const one = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${hers.token}\r\n\r\n`;
    const socket = connect(port, '127.0.0.1', () => socket.write(one.repeat(25)));
    await waitFor(async () => (await readTwice())[0] === 429, { what: 'all places to be taken' });
    socket.destroy();
    await waitFor(async () => (await readTwice())[1] === 200, { what: 'the places to be given back' });
  });
});
