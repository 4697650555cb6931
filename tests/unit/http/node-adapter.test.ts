import { createServer, request as open, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { Handler, HttpRequest } from '@/lib/http/handler';
import { handleNode } from '@/lib/http/node-adapter';
import { readText } from '@/lib/http/request';
import { imageResponse, jsonResponse, respond } from '@/lib/http/respond';
import { setLogSink } from '@/lib/platform/runtime/log';

vi.stubEnv('APP_URL', 'https://parley.test');

let server: Server;

afterEach(() => {
  setLogSink(null);
  server.close();
});

/**
 * Sends a text as a whole connection, disconnects, and returns what an endpoint that reads its request only then
 * receives.
 */
async function afterLeaving<Found>(text: string, inspect: (request: HttpRequest) => Promise<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    server = createServer((request, response) => {
      const endpoint = async (plain: HttpRequest): Promise<{ status: number; headers: object; body: null }> => {
        await new Promise((left) => request.once('close', left));
        await inspect(plain).then(resolve, reject);
        return { status: 204, headers: {}, body: null };
      };
      const context = { params: {}, address: '127.0.0.1' };
      handleNode(endpoint as Parameters<typeof handleNode>[0], { request, response, context }).catch(reject);
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1', () => socket.write(text, () => setImmediate(() => socket.destroy())));
      socket.on('error', () => undefined);
    });
  });
}

const head = (framing: string): string => `POST / HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`;

test.each([
  ['with its length', `${head('Content-Length: 5')}hello`],
  ['in chunks', `${head('Transfer-Encoding: chunked')}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`],
])('a complete body (%s) can be read after its sender has disconnected', async (_how, text) => {
  expect(await afterLeaving(text, readText)).toBe('hello');
});

test.each([
  ['with its length', `${head('Content-Length: 50')}hello`],
  ['in chunks', `${head('Transfer-Encoding: chunked')}5\r\nhello\r\n`],
])('reading a body that was cut off (%s) throws', async (_how, text) => {
  await expect(afterLeaving(text, readText)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a request’s abort signal is already aborted if it is first read after the caller disconnected', async () => {
  const isAborted = async ({ signal }: HttpRequest): Promise<boolean> => signal.aborted;
  expect(await afterLeaving(`${head('Content-Length: 5')}hello`, isAborted)).toBe(true);
});

interface Written {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** The response of a handler as a client receives it. */
async function written(handler: Handler, method = 'GET'): Promise<Written> {
  server = createServer((request, response) => {
    void handleNode(handler, { request, response, context: { params: {}, address: '127.0.0.1' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const request = open({ port, method, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode, headers: response.headers, body });
    });
    request.on('error', reject).end();
  });
}

test('a response to HEAD has the body’s length, but no body', async () => {
  const found = await written(async () => jsonResponse({ text: 'é' }), 'HEAD');
  expect([found.headers['content-length'], found.body]).toEqual(['13', '']);
});

test('a body of bytes is sent with its length', async () => {
  const found = await written(async () => imageResponse(new Uint8Array([1, 2, 3]), { 'cache-control': 'no-store' }));
  expect(found).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp', 'content-length': '3' } });
  expect(found.body).toBe('\u0001\u0002\u0003');
});

test.each([
  [204, undefined],
  [304, undefined],
  [303, '0'],
])('a response with %i and no body has the length %s', async (status, length) => {
  const found = await written(async () => respond(status, null));
  expect([found.status, found.headers['content-length'], found.headers['transfer-encoding']]).toEqual([
    status,
    length,
    undefined,
  ]);
});

test('each cookie is sent in a separate header', async () => {
  const found = await written(async () => respond(204, null, { 'set-cookie': ['a=1', 'b=2'] }));
  expect(found.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test.each<[string, Handler]>([
  [
    'throws',
    async () => {
      throw new TypeError('a defect');
    },
  ],
  ['returns a header that cannot be sent', async () => respond(200, 'text', { 'x-name': 'a\nb' })],
])('a handler that %s is logged and returns a problem with a request id', async (_how, handler) => {
  const logged: unknown[] = [];
  setLogSink(({ event, fields }) => logged.push([event, fields.requestId]));
  const found = await written(handler);
  const requestId = found.headers['x-request-id'];
  expect(found).toMatchObject({ status: 500, headers: { 'content-type': 'application/problem+json' } });
  expect(JSON.parse(found.body)).toMatchObject({ code: 'internal', requestId });
  expect(logged).toEqual([['request.failed', requestId]]);
});
