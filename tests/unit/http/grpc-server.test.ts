import { constants, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGrpcServer, type GrpcMethod } from '@/lib/http/grpc/grpc-server';
import {
  GRPC_MAX_RESETS,
  GRPC_PING_INTERVAL_MS,
  MAX_WAITING_CONNECTIONS,
  SLOW_CONNECTION_MS,
  STALL_MS,
} from '@/lib/http/limits';
import { EventStream } from '@/lib/http/sse';
import { frameOf, RawGrpc } from '../../support/raw-grpc';
import { waitFor } from '../../support/wait-for';

let server: Http2Server;
let port: number;
let client: RawGrpc | undefined;
let answer: GrpcMethod['serve'];
let calls = 0;
const sessions: ServerHttp2Session[] = [];
const path = '/test.Service/Method';

beforeEach(async () => {
  calls = 0;
  const methods = new Map<string, GrpcMethod>([
    [
      path,
      {
        priority: 'calls',
        serve: (...call) => {
          calls += 1;
          return answer(...call);
        },
      },
    ],
  ]);
  ({ server } = createGrpcServer(methods));
  server.on('session', (session) => sessions.push(session));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});

afterEach(() => {
  vi.useRealTimers();
  client?.close();
  for (const session of sessions.splice(0)) session.destroy();
  server.close();
});

function open(options = {}): RawGrpc {
  client = new RawGrpc(`127.0.0.1:${port}`, options);
  return client;
}

/** A stream of `count` messages of this size. */
function messages(count: number, size: number): { response: EventStream; sent: () => number } {
  let sent = 0;
  async function* batches(): AsyncGenerator<number[]> {
    for (let index = 0; index < count; index++) {
      sent += 1;
      yield [index];
    }
  }
  const encode = (): Buffer[] => [frameOf(Buffer.alloc(size))];
  return {
    response: EventStream.ofFrames({ batches: batches(), encode, onCancel: () => undefined }),
    sent: () => sent,
  };
}

/** Lets only the timers of the server pass, because sockets need real time. */
async function pass(ms: number): Promise<void> {
  await delay(50);
  vi.advanceTimersByTime(ms);
  vi.useRealTimers();
}

describe('flow control:', () => {
  test('a client whose window is closed gets its messages only as it reads, and is disconnected', async () => {
    const { response, sent } = messages(1_000, 65_536);
    answer = async () => response;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const raw = open({ settings: { initialWindowSize: 0 } });
    const closed = raw.call(path, frameOf(Buffer.alloc(0)));
    await pass(STALL_MS + 1);
    expect(sent()).toBeLessThan(5);
    expect((await closed).reset).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });

  test('the response to a unary call does not wait for such a client either', async () => {
    answer = async () => ({ status: 200, headers: {}, body: frameOf(Buffer.alloc(100)) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const closed = open({ settings: { initialWindowSize: 0 } }).call(path, frameOf(Buffer.alloc(0)));
    await pass(STALL_MS + 1);
    expect((await closed).reset).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  });

  test('a client that reads receives all messages', async () => {
    answer = async () => messages(50, 65_536).response;
    const { bytes, metadata } = await open().call(path, frameOf(Buffer.alloc(0)));
    expect(bytes.length).toBe(50 * (65_536 + 5));
    expect(metadata['grpc-status']).toBe('0');
  });
});

describe('a client that disconnects', () => {
  test('aborts the call that it waits for', async () => {
    let signal: AbortSignal | undefined;
    answer = (request) => {
      ({ signal } = request);
      return new Promise(() => undefined);
    };
    const raw = open();
    void raw.call(path, frameOf(Buffer.alloc(0)));
    await waitFor(() => signal, { what: 'the call' });
    raw.close();
    await waitFor(() => signal?.aborted, { what: 'the call to be aborted' });
  });

  test('ends a stream that begins or has begun', async () => {
    let canceled = 0;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    for (const wait of [begun, Promise.resolve()]) {
      answer = async () => {
        await wait;
        async function* batches(): AsyncGenerator<number[]> {
          yield [1];
          await new Promise((resolve) => setTimeout(resolve, 300));
        }
        const encode = (): Buffer[] => [frameOf(Buffer.alloc(1))];
        return EventStream.ofFrames({ batches: batches(), encode, onCancel: () => (canceled += 1) });
      };
      const before = calls;
      const raw = open();
      void raw.call(path, frameOf(Buffer.alloc(0)));
      await waitFor(() => calls > before, { what: 'the call' });
      await delay(50);
      raw.close();
      await delay(50);
      begin();
    }
    await waitFor(() => canceled === 2, { what: 'the streams to be canceled' });
  });
});

describe('a connection', () => {
  test('on which too many calls are canceled is closed, and others are not', async () => {
    const signals: AbortSignal[] = [];
    answer = (request) => {
      signals.push(request.signal);
      return new Promise(() => undefined);
    };
    const raw = open();
    const closed = new Promise((resolve) => raw.session.once('close', resolve));
    for (let index = 0; index < 2 * GRPC_MAX_RESETS && !raw.session.destroyed; index++) {
      const stream = raw.session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc' });
      stream.on('error', () => undefined);
      stream.close(constants.NGHTTP2_CANCEL);
      if (index % 50 === 0) await delay(1);
    }
    await closed;
    await waitFor(() => signals.every(({ aborted }) => aborted), { what: 'the calls to be aborted' });
  });

  test('with a call is not limited, but one without a call is closed if there are many', async () => {
    answer = async () => ({ status: 200, headers: {}, body: frameOf(Buffer.alloc(1)) });
    const address = `127.0.0.1:${port}`;
    const called = Array.from({ length: MAX_WAITING_CONNECTIONS + 5 }, () => new RawGrpc(address));
    await Promise.all(called.map((each) => each.call(path, frameOf(Buffer.alloc(0)))));
    const silent = Array.from({ length: MAX_WAITING_CONNECTIONS + 5 }, () => new RawGrpc(address));
    await Promise.all(silent.map(({ session }) => new Promise((resolve) => session.once('connect', resolve))));
    await delay(SLOW_CONNECTION_MS + 100);
    const next = new RawGrpc(address);
    await next.call(path, frameOf(Buffer.alloc(0)));
    await waitFor(() => silent.some(({ session }) => session.destroyed), { what: 'a silent connection to be closed' });
    expect(called.every(({ session }) => !session.destroyed)).toBe(true);
    for (const each of [...called, ...silent, next]) each.close();
  });

  test('that does not answer a ping is closed', async () => {
    answer = () => new Promise(() => undefined);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    server.close();
    const methods = new Map<string, GrpcMethod>([[path, { priority: 'calls', serve: (...call) => answer(...call) }]]);
    ({ server } = createGrpcServer(methods));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    socket.write(Buffer.concat([frame(4, 0, 0), frame(1, 4, 1, requestHead())]));
    await delay(100);
    vi.advanceTimersByTime(GRPC_PING_INTERVAL_MS);
    await delay(100);
    vi.advanceTimersByTime(GRPC_PING_INTERVAL_MS);
    await closed;
  });

  test('with two authorizations in one call does not reach the method', async () => {
    answer = () => new Promise(() => undefined);
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const twice = Buffer.concat([requestHead(), literal('authorization', 'a'), literal('authorization', 'b')]);
    socket.write(Buffer.concat([frame(4, 0, 0), frame(1, 5, 1, twice), frame(1, 5, 3, requestHead())]));
    await waitFor(() => calls > 0, { what: 'the second call' });
    expect(calls).toBe(1);
    socket.destroy();
  });
});

/** One HTTP/2 frame (RFC 9113 §4.1): type, flags and stream. */
function frame(...[type, flags, streamId, payload = Buffer.alloc(0)]: [number, number, number, Buffer?]): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** A header field without compression (RFC 7541 §6.2.2). */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}

function requestHead(): Buffer {
  const fields = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'x',
    'content-type': 'application/grpc',
  };
  return Buffer.concat(Object.entries(fields).map(([name, value]) => literal(name, value)));
}
