import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { HttpRequest } from '@/lib/http/handler';
import { handleNode } from '@/lib/http/node-adapter';
import { readText } from '@/lib/http/request';

let server: Server;

afterEach(() => {
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
])('a body that broke off (%s) before it was read fails', async (_how, text) => {
  await expect(afterLeaving(text, readText)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the abort signal is already aborted when first read after the caller disconnected', async () => {
  const isAborted = async ({ signal }: HttpRequest): Promise<boolean> => signal.aborted;
  expect(await afterLeaving(`${head('Content-Length: 5')}hello`, isAborted)).toBe(true);
});
