import dns from 'node:dns';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, Socket } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ParleyError } from '@/lib/platform/errors';
import { allowOrigin, checkExternalUrl } from '@/lib/platform/http-client/external-urls';
import { fetchHttp2 } from '@/lib/platform/http-client/fetch-http2';
import { fetchExternal, fetchExternalBody } from '@/lib/platform/http-client/safe-fetch';
import { env } from '@/lib/platform/runtime/env';
import { hostileUrls } from '../fakes/hostile-urls';
import { useTestDatabase } from '../support/database';
import { createPerson, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

useTestDatabase();

let canary: Server;
let target: HttpServer;
/** Disconnects immediately. */
let mute: Server;
/** Responds, but not in HTTP. */
let garbage: Server;
let closedPort: number;
let connections = 0;
const requests: string[] = [];
/** Addresses that sockets of this process dialed, other than those the test's own helpers need. */
const dialled: string[] = [];

// The egress allow-list is by port; the canary uses the first one that is free here.
async function listenAnywhere(server: Server): Promise<number> {
  for (const port of [8443, 9443, 4443]) {
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '::', () => resolve(true));
    });
    if (isListening) return port;
  }
  throw new Error('no port of the allow-list is free for the canary');
}

let canaryPort: number;
let targetUrl: string;

beforeAll(async () => {
  canary = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  canaryPort = await listenAnywhere(canary);
  target = createHttpServer((request, response) => {
    requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end('{"ok":true}');
  });
  await listen(target);
  targetUrl = originOf(target);
  mute = await listen(createServer((socket) => socket.destroy()));
  garbage = await listen(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
  const closed = await listen(createServer());
  closedPort = Number(new URL(originOf(closed)).port);
  await new Promise((resolve) => closed.close(resolve));
  process.env.AGENT_URL_ALLOW = targetUrl;
});

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterAll(async () => {
  target?.closeAllConnections();
  for (const server of [target, canary, mute, garbage]) server?.close();
});

/** Records every dialed address while `work` runs. */
async function watchDialling<T>(work: () => Promise<T>): Promise<T> {
  dialled.length = 0;
  const emit = Socket.prototype.emit;
  Socket.prototype.emit = function (this: Socket, event: string | symbol, ...rest: unknown[]): boolean {
    if (event === 'connectionAttempt') dialled.push(String(rest[0]));
    return Reflect.apply(emit, this, [event, ...rest]) as boolean;
  };
  try {
    return await work();
  } finally {
    Socket.prototype.emit = emit;
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return error instanceof ParleyError ? error.code : String(error);
  }
}

const get = (url: string): Promise<unknown> =>
  fetchExternalBody({ url, method: 'GET', signal: AbortSignal.timeout(20_000), maxBytes: 1000, totalMs: 8_000 });

/** A gRPC call, whose connection has rules of its own for TLS and names. */
const call = (url: string, waitMs = 8_000): Promise<unknown> =>
  fetchHttp2({
    url: `${url}/lf.a2a.v1.A2AService/GetTask`,
    signal: AbortSignal.timeout(20_000),
    maxBytes: 1_000,
    waitMs,
    waitFor: 'headers',
    silenceTimeoutMs: 1_000,
  });

test('the test canary records every connection over IPv4 and IPv6', async () => {
  for (const host of ['127.0.0.1', '::1']) {
    await watchDialling(() => new Promise((resolve) => connect(canaryPort, host).once('close', resolve)));
    expect(dialled).toEqual([host]);
  }
  expect(connections).toBe(2);
  connections = 0;
});

describe('the single egress path', () => {
  test('SSRF-1: is the only code in lib/ that calls external addresses', () => {
    const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.startsWith(`generated${path.sep}`),
    );
    expect(files.length).toBeGreaterThan(100);
    const callers = files.filter((name) =>
      /\bfetch\(|from '(undici|node:https?|node:tls|node:http2)'|https?\.(get|request)\(/.test(
        code(path.join('lib', name)),
      ),
    );
    // The status page requests its own server's pages, at the address it listens on.
    const own = path.join('status', 'endpoints.ts');
    // Extends the class of incoming requests.
    const incoming = path.join('http', 'guard', 'guard-request.ts');
    // Calls the models that the operator configured, which may be internal; it follows no redirect.
    const service = path.join('platform', 'http-client', 'post-to-service.ts');
    // The server of the gRPC binding, and the types of its calls.
    const grpc = ['grpc-response.ts', 'grpc-server.ts', 'session-guard.ts'].map((name) =>
      path.join('http', 'grpc', name),
    );
    // Connects for gRPC calls to agents, with the lookup of safe-fetch.
    const http2 = path.join('platform', 'http-client', 'http2-sessions.ts');
    // Serves the metrics.
    const metrics = path.join('observability', 'telemetry.ts');
    expect(callers.sort()).toEqual([
      ...grpc,
      incoming,
      metrics,
      http2,
      service,
      path.join('platform', 'http-client', 'safe-fetch.ts'),
      own,
    ]);
  });

  test('SSRF-2, SSRF-4: connects to none of more than 400 spellings of internal addresses', async () => {
    const urls = hostileUrls(canaryPort);
    expect(new Set(urls).size).toBeGreaterThan(400);
    const passed = await watchDialling(async () => {
      const codes = await Promise.all(urls.map(async (url) => [url, await codeOf(get(url))] as const));
      return codes.filter(([, code]) => code !== 'url_refused' && code !== 'agent_unreachable');
    });
    expect(passed).toEqual([]);
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  test('SSRF-2, SSRF-4: connects to none of them for gRPC either', async () => {
    const passed = await watchDialling(async () => {
      const urls = hostileUrls(canaryPort);
      const codes = await Promise.all(urls.map(async (url) => [url, await codeOf(call(url))] as const));
      return codes.filter(([, code]) => code !== 'url_refused' && code !== 'agent_unreachable');
    });
    expect(passed).toEqual([]);
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  test('SSRF-2: accepts https on permitted ports, and otherwise gives the reason', () => {
    expect(checkExternalUrl('https://agent.example.com:8443/a?b=c').port).toBe('8443');
    for (const [url, found] of [
      ['http://agent.example.com', 'not https'],
      ['https://agent.example.com:22', 'port is 22'],
      ['https://u:p@agent.example.com', 'user name or password'],
      ['https://agent.example.com/#x', 'fragment'],
      ['ftp://agent.example.com', 'scheme is ftp:'],
      ['agent.example.com', 'not an absolute URL'],
      ['https://10.0.0.1', 'not public'],
    ] as const) {
      expect(() => checkExternalUrl(url)).toThrow(found);
      expect(() => checkExternalUrl(url)).toThrow('AGENT_URL_ALLOW');
    }
  });

  test('reaches an exempt origin, but no other', async () => {
    requests.length = 0;
    expect(await codeOf(get(`${targetUrl}/open`))).toBe('done');
    expect(requests).toHaveLength(1);
    expect(await codeOf(get(`http://127.0.0.1:${canaryPort}/`))).toBe('url_refused');
    expect(await codeOf(get(targetUrl.replace('127.0.0.1', 'localhost')))).toBe('url_refused');
    expect(connections).toBe(0);
  });

  test('SSRF-5: sends no cookies or credentials, uses no environment proxy, and follows no redirect', async () => {
    requests.length = 0;
    const proxy = `http://127.0.0.1:${canaryPort}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    for (const name of names) process.env[name] = proxy;
    try {
      await get(`${targetUrl}/headers`);
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(connections).toBe(0);
    const sent = JSON.parse(requests[0]?.replace(/^\S+ /, '') ?? '{}') as Record<string, string>;
    expect(Object.keys(sent).sort()).toEqual(['accept-encoding', 'connection', 'host', 'user-agent', 'via']);
    expect(sent).toMatchObject({ 'user-agent': 'Parley', via: '1.1 parley', 'accept-encoding': 'identity' });
  });

  test('SSRF-5: returns the same error for a closed port, a broken TLS handshake and invalid data', async () => {
    const urls = [
      `http://127.0.0.1:${closedPort}`,
      originOf(mute),
      originOf(garbage),
      originOf(garbage).replace('http', 'https'),
    ];
    const responses = [];
    for (const url of urls) {
      allowOrigin(url);
      const error = await get(`${url}/`).catch((failure: unknown) => failure);
      responses.push(error instanceof ParleyError ? `${error.code} ${error.message}` : 'no error');
    }
    expect(new Set(responses).size).toBe(1);
    expect(responses[0]).toMatch(/^agent_unreachable /);
  });

  test('SSRF-7: rejects Parley under any of its names, even if its origin is exempt', async () => {
    const own = new URL(env().APP_URL);
    for (const host of [
      own.hostname,
      `${own.hostname}.`,
      'localhost',
      '127.0.0.1',
      '[::1]',
      '127.1',
      'app.localhost',
    ]) {
      const url = `http://${host}:${env().PORT}`;
      allowOrigin(new URL(url).origin);
      expect(() => checkExternalUrl(`${url}/agents/x/a2a/jsonrpc`)).toThrow('Parley itself');
    }
  });
});

describe('SSRF-3: a name that is checked when the connection is opened', () => {
  const lookup = dns.lookup;
  let asked: string[] = [];

  /** Replaces the resolver: each lookup of a name gets the next answer. */
  function answer(...responses: string[][]): void {
    asked = [];
    const stub = (
      name: string,
      _options: object,
      callback: (error: Error | null, found: dns.LookupAddress[]) => void,
    ): void => {
      asked.push(name);
      const addresses = responses[Math.min(asked.length, responses.length) - 1] ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    dns.lookup = stub as typeof dns.lookup;
    syncBuiltinESMExports();
  }

  afterEach(() => {
    dns.lookup = lookup;
    syncBuiltinESMExports();
  });

  test.each([
    ['loopback', ['127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['an IPv6 loopback', ['::1']],
    ['a public and a private address', ['93.184.216.34', '10.0.0.1']],
    ['a public IPv4 and a mapped loopback', ['93.184.216.34', '::ffff:127.0.0.1']],
    ['NAT64 of a private address', ['64:ff9b::a00:1']],
    ['nothing', []],
  ])('is rejected before any connection is opened if it resolves to %s', async (_title, addresses) => {
    answer(addresses);
    const code = await watchDialling(() => codeOf(get(`https://rebind.example:${canaryPort}/`)));
    expect(code).toBe('url_refused');
    expect(asked).toEqual(['rebind.example']);
    expect(dialled).toEqual([]);
    expect(await watchDialling(() => codeOf(call(`https://rebind.example:${canaryPort}`)))).toBe('url_refused');
    expect(asked).toEqual(['rebind.example', 'rebind.example']);
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });

  test('is connected to at the checked address, without a second lookup', async () => {
    answer(['2001:db8::1', '93.184.216.34'], ['127.0.0.1']);
    expect(await watchDialling(() => codeOf(get(`https://mixed.example:${canaryPort}/`)))).toBe('url_refused');
    answer(['93.184.216.34'], ['127.0.0.1']);
    const signal = AbortSignal.timeout(1_500);
    const request = (): Promise<string> =>
      codeOf(
        fetchExternal({
          url: `https://flip.example:${canaryPort}/`,
          method: 'GET',
          signal,
          maxBytes: 1,
          waitMs: 1_000,
          waitFor: 'whole',
          silenceTimeoutMs: 1_000,
        }),
      );
    await watchDialling(request);
    expect(asked).toEqual(['flip.example']);
    expect(dialled).toEqual(['93.184.216.34']);
  });

  test('is connected to at the checked address for gRPC, without a second lookup', async () => {
    answer(['93.184.216.34'], ['127.0.0.1']);
    await watchDialling(() => codeOf(call(`https://flip-grpc.example:${canaryPort}`, 1_000)));
    expect(asked).toEqual(['flip-grpc.example']);
    expect(dialled).toEqual(['93.184.216.34']);
  });

  test('SSRF-6: is checked again at the next call even if it passed before', async () => {
    answer(['93.184.216.34'], ['127.0.0.1']);
    await watchDialling(() => codeOf(get(`https://flip.example:${canaryPort}/`)));
    expect(dialled).toEqual(['93.184.216.34']);
    expect(await watchDialling(() => codeOf(get(`https://flip.example:${canaryPort}/`)))).toBe('url_refused');
    expect(dialled).toEqual([]);
    expect(connections).toBe(0);
  });
});

describe('registering an agent', () => {
  let parley: Parley;
  let ada: Person;

  beforeAll(async () => {
    const exempt = [`http://127.0.0.1:${closedPort}`, originOf(mute), originOf(garbage)].join(',');
    parley = await startParley({ env: { AGENT_URL_ALLOW: exempt } });
    ada = await createPerson(parley.url, 'Ada');
  });

  afterAll(async () => {
    await parley?.stop();
  });

  const register = async (url: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await send(`${parley.url}/api/agents`, { body: { url }, bearer: ada.accessToken });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('SSRF-2, SSRF-4: connects to none of more than 400 spellings of internal addresses', async () => {
    const passed: unknown[] = [];
    for (const url of hostileUrls(canaryPort)) {
      const { status, body } = await register(url);
      if (!['url_refused', 'card_unreachable', 'invalid_request'].includes(String(body.code)) || status >= 500) {
        passed.push([url, status, body]);
      }
    }
    expect(passed).toEqual([]);
    expect(connections).toBe(0);
  });

  test('distinguishes a closed port, a disconnection and another protocol', async () => {
    const responses = [];
    for (const url of [`http://127.0.0.1:${closedPort}`, originOf(mute), originOf(garbage)]) {
      const { status, body } = await register(`${url}/agent`);
      const { requestId: _requestId, ...shown } = body;
      responses.push({ status, shown });
    }
    expect(responses[0]).toMatchObject({ status: 422, shown: { code: 'card_unreachable' } });
    expect(responses.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(responses.map(({ shown }) => shown.code))).toEqual(new Set(['card_unreachable']));
    expect(responses.map(({ shown }) => String(shown.title))).toEqual([
      expect.stringContaining('Connection refused'),
      expect.stringContaining('closed the connection'),
      expect.stringContaining('not HTTP'),
    ]);
  });

  test('SSRF-7: does not list Parley as an agent of itself', async () => {
    for (const url of [parley.url, parley.url.replace('localhost', '127.0.0.1'), `${parley.url}/agents/x`]) {
      expect(await register(url)).toMatchObject({ status: 422, body: { code: 'url_refused' } });
    }
  });
});

/** A file without comments and type imports. */
function code(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return text.replace(/^import type .*$/gm, '');
}
