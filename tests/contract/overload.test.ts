import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { admitRequest, priorityOf } from '@/lib/endpoints/admission';
import { matchEndpoint } from '@/lib/endpoints/router';
import { endpoints } from '@/lib/endpoints/table';
import { admit, type Sheddable } from '@/lib/http/admission/admission';
import { MAX_REQUESTS_IN_PROGRESS } from '@/lib/http/limits';

let server: Server;
let origin: string;
const inProgress: (() => void)[] = [];

/** Requests that are in progress: as many as a node accepts. */
function fill(priority: Sheddable): void {
  for (let count = 0; count < MAX_REQUESTS_IN_PROGRESS[priority]; count++) {
    const finish = admit(priority);
    if (finish) inProgress.push(finish);
  }
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    const isPage = request.headers.accept === 'text/html';
    const match = isPage ? { kind: 'none' as const } : matchEndpoint(request.method ?? 'GET', path);
    if (admitRequest(request, response, { path, match })) response.end('accepted');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  for (const finish of inProgress.splice(0)) finish();
});

afterAll(() => server?.close());

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(origin + path, { method, headers, ...(method === 'POST' && { body: 'a body that nobody reads' }) });
}

async function expectRejection(response: Response): Promise<string> {
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toMatch(/^[1-5]$/);
  expect(response.headers.get('connection')).not.toBe('close');
  return response.text();
}

test('an overloaded server rejects background requests first, then calls, and never critical requests', async () => {
  const critical: [string, string][] = [
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['POST', '/api/auth/introspect'],
    ['POST', '/api/auth/revoke'],
    ['GET', '/.well-known/jwks.json'],
    ['POST', '/api/webhooks/stripe'],
    ['POST', '/api/push/t-1'],
  ];
  const calls: [string, string][] = [
    ['POST', '/'],
    ['POST', '/agents/chef'],
    ['POST', '/agents/chef/a2a/jsonrpc'],
    ['POST', '/agents/chef/a2a/rest/message:send'],
    ['POST', '/api/auth/handshake'],
    ['POST', '/api/auth/token'],
    ['POST', '/mcp'],
    ['POST', '/v1/chat/completions'],
    ['POST', '/api/chat/messages'],
  ];
  const background: [string, string][] = [
    ['GET', '/api/agents'],
    ['POST', '/api/ard/search'],
    ['GET', '/api/console/overview'],
    ['GET', '/_next/static/chunk.js'],
    ['GET', '/openapi.json'],
  ];
  const statuses = (requests: [string, string][]): Promise<number[]> =>
    Promise.all(requests.map(async ([method, path]) => (await send(method, path)).status));
  fill('background');
  expect(new Set(await statuses(background))).toEqual(new Set([503]));
  expect(new Set(await statuses([...calls, ...critical]))).toEqual(new Set([200]));
  fill('calls');
  expect(new Set(await statuses([...background, ...calls]))).toEqual(new Set([503]));
  expect(new Set(await statuses(critical))).toEqual(new Set([200]));
});

test('every call endpoint has the calls’ priority, and only necessary endpoints are critical', () => {
  const pathsOf = (priority: string): string[] =>
    endpoints.map(({ path }) => path).filter((path) => priorityOf(path) === priority);
  expect(pathsOf('critical')).toHaveLength(7);
  expect(pathsOf('background').filter((path) => /a2a|tasks\/process|society$|mcp$|^\/v1\//.test(path))).toEqual([]);
});

test('an overload rejection has the endpoint’s format and a Retry-After header', async () => {
  fill('background');
  fill('calls');
  for (const path of ['/agents/chef/a2a/jsonrpc', '/agents/chef/society', '/tasks/process', '/v1/agent-systems/chef']) {
    const body = JSON.parse(await expectRejection(await send('POST', path)));
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32603 } });
  }
  const inVersion1 = await send('POST', '/agents/chef/a2a/jsonrpc', { 'a2a-version': '1.0' });
  expect(JSON.parse(await expectRejection(inVersion1)).error.data[0]).toMatchObject({ reason: 'UNAVAILABLE' });
  const rest = JSON.parse(await expectRejection(await send('POST', '/agents/chef/a2a/rest/message:send')));
  expect(rest.error).toMatchObject({ code: 503, status: 'UNAVAILABLE' });
  const token = JSON.parse(await expectRejection(await send('POST', '/api/auth/token')));
  expect(token).toMatchObject({ error: 'temporarily_unavailable' });
  const openAi = JSON.parse(await expectRejection(await send('POST', '/v1/chat/completions')));
  expect(openAi.error).toMatchObject({ type: 'server_error', code: 'unavailable' });
  const ard = JSON.parse(await expectRejection(await send('POST', '/api/ard/search')));
  expect(ard).toMatchObject({ errorCode: 'UNAVAILABLE', code: 'unavailable' });
  const problem = await send('GET', '/api/agents');
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(JSON.parse(await expectRejection(problem))).toMatchObject({ status: 503, code: 'unavailable' });
});

test('a browser request that is rejected returns a page', async () => {
  fill('background');
  const page = await send('GET', '/agents/chef', { accept: 'text/html' });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await expectRejection(page)).toContain('<h1>Too many requests');
});

test('a large body that is rejected closes the connection without being read', async () => {
  fill('background');
  const response = await fetch(`${origin}/api/agents`, { method: 'POST', body: 'x'.repeat(70_000) });
  expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
});
