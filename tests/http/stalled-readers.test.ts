import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { limitStalledReaders } from '@/lib/http/guard/slow-clients';
import { countStreams, EventStream, sendStream } from '@/lib/http/sse';
import { waitFor } from '../support/wait-for';

/** Larger than all buffers of the system between two sockets. */
const kilobyte = 'x'.repeat(1_024);
const endless = Number.POSITIVE_INFINITY;
const impatient = { checkMs: 20, stallMs: 400, bufferedMs: 200 };
const sockets: Socket[] = [];
let server: Server;
let produced: Record<string, number>;
let released: string[];

/** Streams named by their path, whose agent sends a kilobyte whenever the previous one is taken. */
beforeEach(async () => {
  produced = {};
  released = [];
  server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (name === 'whole') return response.end(kilobyte.repeat(20_000));
    const stream = EventStream.of({
      batches: batchesOf(name, name === 'short' ? 50 : endless),
      encode: (item: string) => `data: ${item}\n\n`,
      onCancel: () => undefined,
    });
    stream.onEnded(() => released.push(name));
    void sendStream(stream, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function* batchesOf(name: string, count: number): AsyncGenerator<string[]> {
  try {
    for (let number = 0; number < count; number++) {
      produced[name] = number;
      yield [kilobyte];
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    released.push(`source of ${name}`);
  }
}

/** Requests a path without reading the response. */
function open(name: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET /${name} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  sockets.push(socket);
  return socket;
}

async function connections(): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

test('a stream whose client does not read ends and releases its slot and source, while others continue', async () => {
  limitStalledReaders(server, impatient);
  open('stalled');
  await waitFor(() => (produced.stalled ?? 0) > 0, { what: 'the first event' });
  await waitFor(() => released.length === 2, { what: 'the stream to be released' });
  expect(released.sort()).toEqual(['source of stalled', 'stalled']);
  expect(countStreams()).toBe(0);
  const reader = open('short');
  let text = '';
  reader.on('data', (chunk) => {
    text += chunk;
  });
  reader.resume();
  await waitFor(() => text.split('data:').length === 51, { what: 'all events of the other stream' });
});

test('a client that does not read receives no more data than its buffers hold', async () => {
  limitStalledReaders(server, impatient);
  open('stalled');
  await waitFor(() => released.includes('stalled'), { what: 'the stream to end' });
  expect(produced.stalled).toBeLessThan(20_000);
});

test('a response ends if its client does not read it', async () => {
  limitStalledReaders(server, impatient);
  open('whole');
  await waitFor(async () => (await connections()) === 1, { what: 'the connection' });
  await waitFor(async () => (await connections()) === 0, { what: 'the connection to be closed' });
});

test('a slow client that still reads is not disconnected', async () => {
  limitStalledReaders(server, { checkMs: 20, stallMs: 3_000, bufferedMs: 2_000 });
  const slow = open('whole');
  let received = 0;
  let allowed = 0;
  slow.on('data', ({ length }) => {
    received += length;
    allowed -= length;
    if (allowed <= 0) slow.pause();
  });
  // The response is one chunk, which takes several times as long as a client may read nothing.
  const timer = setInterval(() => {
    allowed = 300_000;
    slow.resume();
  }, 100);
  try {
    await waitFor(() => received > kilobyte.length * 20_000, { what: 'the whole response', timeout: 30_000 });
  } finally {
    clearInterval(timer);
  }
  expect(await connections()).toBe(1);
});
