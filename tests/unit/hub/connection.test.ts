import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { type Connected, WorkerConnection } from '@/lib/hub/connections/connection';
import { ParleyError } from '@/lib/platform/errors';
import { HubError } from '@/lib/protocol/hub/errors';

/** A socket that accepts all data and sends none. */
class FakeSocket extends EventEmitter {
  bufferedAmount = 0;
  isPaused = false;
  pings = 0;
  closes: number[] = [];
  terminated = false;

  ping(): void {
    this.pings += 1;
  }

  close(code: number): void {
    this.closes.push(code);
  }

  terminate(): void {
    this.terminated = true;
  }
}

/** The connection of a worker after its hello. */
class TestConnection extends WorkerConnection {
  /** The errors of the next checks of its right to serve. */
  readonly failures: Error[] = [];

  protected handleFrame(): void {}

  protected reauthorize(): Promise<void> {
    const failure = this.failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve();
  }

  begin(): void {
    this.connected = {} as Connected;
  }
}

let socket: FakeSocket;
let connection: TestConnection;

beforeEach(() => {
  vi.useFakeTimers();
  socket = new FakeSocket();
  const times = { helloTimeoutMs: 3_600_000, silenceTimeoutMs: 45_000 };
  connection = new TestConnection(socket as object as WebSocket, () => undefined, times);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs the checks of this many intervals. */
function check(times: number): void {
  for (let n = 0; n < times; n++) {
    vi.advanceTimersByTime(20_000);
    connection.check(performance.now());
  }
}

test('a worker that leaves more than 1 MiB unread for 10 s is closed with 1013, and terminated 5 s later', () => {
  socket.bufferedAmount = 1_048_577;
  socket.emit('pong');
  check(1);
  expect([socket.pings, socket.closes]).toEqual([1, []]);
  check(1);
  expect([socket.closes, socket.terminated]).toEqual([[1013], false]);
  vi.advanceTimersByTime(5_000);
  expect(socket.terminated).toBe(true);
});

test('a worker that reads before the limit stays connected', () => {
  for (const bytes of [1_048_577, 0, 1_048_577, 1_048_576]) {
    socket.bufferedAmount = bytes;
    socket.emit('pong');
    check(1);
  }
  expect(socket.closes).toEqual([]);
});

test('a worker that sends no frame for 45 s is terminated, unless it answers pings', () => {
  check(2);
  socket.emit('pong');
  check(2);
  expect(socket.terminated).toBe(false);
  check(1);
  expect(socket.terminated).toBe(true);
});

test('a silent worker is also terminated between two checks', () => {
  check(2);
  vi.advanceTimersByTime(4_000);
  expect(connection.endIfSilent(performance.now())).toBe(false);
  vi.advanceTimersByTime(2_000);
  expect(connection.endIfSilent(performance.now())).toBe(true);
  expect(socket.terminated).toBe(true);
});

test('a permission check that fails temporarily is retried until it ends the connection', async () => {
  connection.begin();
  const busy = new ParleyError('unavailable', 'Too many tokens.');
  connection.failures.push(busy, busy, new HubError('invalid_token', 'The token was revoked.'));
  connection.recheck();
  await vi.advanceTimersByTimeAsync(100);
  expect(socket.closes).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(socket.closes).toEqual([4401]);
});

test('a worker whose socket is paused is not treated as silent', () => {
  socket.isPaused = true;
  check(5);
  expect(socket.pings).toBe(5);
});
