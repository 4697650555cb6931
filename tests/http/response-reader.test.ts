import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ParleyError } from '@/lib/platform/errors';
import { ResponseReader } from '@/lib/platform/http-client/response-reader';
import { type ExternalRequest, fetchExternal } from '@/lib/platform/http-client/safe-fetch';
import { LightAbortController } from '@/lib/platform/runtime/abort';

let server: Server;
/** The server's handling of a connection after a request. */
let response: (socket: Socket) => void = () => undefined;
let closed = 0;

beforeAll(async () => {
  process.env.AGENT_URL_ALLOW = 'http://127.0.0.1:*';
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    socket.on('data', () => response(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const ok = 'HTTP/1.1 200 OK\r\n';
const inChunks = `${ok}transfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

function ask(limits: Partial<ExternalRequest> = {}): Promise<ResponseReader> {
  const { port } = server.address() as AddressInfo;
  const usual = { waitMs: 5_000, waitFor: 'whole' as const, silenceTimeoutMs: 5_000, maxBytes: 1_000_000 };
  return fetchExternal({
    url: `http://127.0.0.1:${port}/`,
    method: 'GET',
    signal: new LightAbortController(),
    ...usual,
    ...limits,
  });
}

async function codeOf(asked: Promise<unknown>): Promise<string | undefined> {
  const error = await asked.then(
    () => null,
    (error: unknown) => error,
  );
  if (error instanceof ParleyError) return error.code;
  return error instanceof Error ? error.name : undefined;
}

const readAll = async (limits: Partial<ExternalRequest>, most = 1_000_000): Promise<string> =>
  String(await (await ask(limits)).buffer(most));

test('the response reader returns a whole response, or its chunks as they arrive', async () => {
  response = (socket) => socket.write(`${inChunks}${chunk('one ')}${chunk('two')}0\r\n\r\n`);
  expect(await readAll({})).toBe('one two');
  let text = '';
  for await (const piece of (await ask()).chunks()) text += piece;
  expect(text).toBe('one two');
});

test('LIM-1: the response reader stops at the limit, whatever length is declared', async () => {
  response = (socket) => socket.write(`${ok}content-length: 11\r\n\r\nhello world`);
  expect(await codeOf(ask({ maxBytes: 10 }))).toBe('agent_misbehaved');
  expect(await codeOf(readAll({}, 10))).toBe('agent_misbehaved');
  response = (socket) => socket.write(`${inChunks}${chunk('hello')}${chunk('world!')}`);
  expect(await codeOf(readAll({ maxBytes: 10 }))).toBe('agent_misbehaved');
});

test('a slow reader applies backpressure, and receives all data', async () => {
  const piece = 'x'.repeat(10_000);
  response = (socket) => socket.write(`${inChunks}${chunk(piece).repeat(100)}0\r\n\r\n`);
  let taken = 0;
  const reception = await ask({
    onChunk(bytes) {
      taken += bytes.length;
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBeLessThan(300_000);
  let length = 0;
  for await (const piece of reception.chunks()) {
    await new Promise(setImmediate);
    length += piece.length;
  }
  expect(length).toBe(1_000_000);
});

test('a connection that is reset while no one reads the response is an agent error, and does not end the process', async () => {
  response = (socket) => {
    socket.write(`${ok}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
    for (let at = 0; at < 80; at++) setTimeout(() => socket.write(chunk('x'.repeat(1_000))), at);
    setTimeout(() => socket.resetAndDestroy(), 300);
  };
  const reception = await ask();
  await new Promise((resolve) => setTimeout(resolve, 600));
  const read = async (): Promise<void> => {
    for await (const _ of reception.chunks());
  };
  expect(await codeOf(read())).toBe('agent_unreachable');
});

test('the response reader can be aborted before sending, while waiting, and within the body', async () => {
  response = (socket) => socket.write(`${inChunks}${chunk('one')}`);
  const gone = new LightAbortController();
  gone.abort();
  expect(await codeOf(ask({ signal: gone }))).toBe('AbortError');
  const within = new LightAbortController();
  const body = readAll({ signal: within });
  setTimeout(() => within.abort(), 50);
  expect(await codeOf(body)).toBe('AbortError');
  response = () => undefined;
  const waiting = new LightAbortController();
  const asked = ask({ signal: waiting });
  setTimeout(() => waiting.abort(), 50);
  expect(await codeOf(asked)).toBe('AbortError');
});

test('the response reader times out, both for the head and for the whole response', async () => {
  response = () => undefined;
  expect(await codeOf(ask({ waitMs: 50 }))).toBe('agent_timeout');
  response = (socket) => socket.write(`${inChunks}${chunk('one')}`);
  expect(await codeOf(readAll({ waitMs: 50 }))).toBe('agent_timeout');
  response = (socket) => {
    socket.write(`${inChunks}${chunk('one')}`);
    setTimeout(() => socket.write('0\r\n\r\n'), 700);
  };
  // The head must arrive in this time, also on a busy machine.
  expect(await readAll({ waitMs: 500, waitFor: 'headers' })).toBe('one');
});

test('a reader that stops early closes the connection, unless the rest of the response arrives immediately', async () => {
  const leave = async (): Promise<void> => {
    for await (const _ of (await ask()).chunks()) return;
  };
  response = (socket) => socket.write(`${inChunks}${chunk('one')}`);
  const before = closed;
  await leave();
  await expect.poll(() => closed, { timeout: 5_000 }).toBe(before + 1);
  response = (socket) => {
    socket.write(`${inChunks}${chunk('one')}`);
    setTimeout(() => socket.write('0\r\n\r\n'), 50);
  };
  await leave();
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(closed).toBe(before + 1);
});

test.each([
  ['EMFILE', 'unavailable'],
  ['ENFILE', 'unavailable'],
  ['ECONNREFUSED', 'agent_unreachable'],
])('%s is reported as a fault of the node or of the agent', async (code, expected) => {
  const limits = { waitMs: 5_000, waitFor: 'whole' as const, maxBytes: 1_000, silenceTimeoutMs: 5_000 };
  const reader = new ResponseReader({ ...limits, signal: new LightAbortController() });
  const failure = new Error('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  const { headersReceived } = reader;
  Reflect.apply(reader.onResponseError, reader, [null, failure]);
  expect(await codeOf(headersReceived)).toBe(expected);
});
