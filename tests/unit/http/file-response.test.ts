import { createServer, request as open, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { fileResponse } from '@/lib/http/download';
import { handleNode } from '@/lib/http/node-adapter';
import { setLogSink } from '@/lib/platform/runtime/log';

vi.stubEnv('APP_URL', 'https://parley.test');

let server: Server;

afterEach(() => {
  setLogSink(null);
  server.closeAllConnections();
  server.close();
});

/** The URL of a file with these chunks. */
async function serve(chunks: AsyncGenerator<string>): Promise<string> {
  server = createServer((request, response) => {
    const handler = async (): Promise<ReturnType<typeof fileResponse>> => fileResponse(chunks, 'rows.csv');
    void handleNode(handler, { request, response, context: { params: {}, address: '127.0.0.1' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Counts the chunks produced, and whether the producer was cleaned up. */
function counted(
  pieces: number,
  textOf = (made: number): string => `piece ${made}\n`,
): { made: () => number; over: () => boolean; source: AsyncGenerator<string> } {
  let made = 0;
  let isFinished = false;
  async function* make(): AsyncGenerator<string> {
    try {
      while (made < pieces) yield textOf(++made);
    } finally {
      isFinished = true;
    }
  }
  return { made: () => made, over: () => isFinished, source: make() };
}

/** Larger than all buffers of the system between two sockets, 200 times. */
const large = (): string => 'x'.repeat(1_048_576);

test('a file response’s chunks all arrive in order', async () => {
  const { source, over } = counted(3);
  const response = await fetch(await serve(source));
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="rows.csv"');
  expect(await response.text()).toBe('piece 1\npiece 2\npiece 3\n');
  expect(over()).toBe(true);
});

test('a file chunk is produced only after the previous one was read, and none after the reader disconnects', async () => {
  const { source, made, over } = counted(200, large);
  const url = await serve(source);
  const stalled = await new Promise<ReturnType<typeof open>>((resolve) => {
    const request = open(url, (response) => {
      response.pause();
      resolve(request);
    });
    request.on('error', () => undefined).end();
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const madeWhileStalled = made();
  expect(madeWhileStalled).toBeLessThan(50);
  expect(over()).toBe(false);
  stalled.destroy();
  await vi.waitFor(() => expect(over()).toBe(true));
  expect(made()).toBeLessThanOrEqual(madeWhileStalled + 1);
});

test('a HEAD request for a file produces no chunks', async () => {
  const { source, made } = counted(3);
  const response = await fetch(await serve(source), { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(made()).toBe(0);
});

test('a failure while a file is sent aborts the response', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield 'begun';
    throw new Error('the database is away');
  }
  const events: string[] = [];
  setLogSink(({ event }) => events.push(event));
  const url = await serve(failing());
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  expect(events).toEqual(['response.failed']);
});

test('a failure before a file’s first chunk returns a problem', async () => {
  async function* failing(): AsyncGenerator<string> {
    yield await Promise.reject<string>(new Error('the database is away'));
  }
  setLogSink(() => undefined);
  const response = await fetch(await serve(failing()));
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
});
