import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Counter, metrics } from '@opentelemetry/api';
import { processSingleton } from '../../platform/singleton';
import { MAX_BUFFERED_RESPONSE_BYTES, STALL_BUFFERED_MS, STALL_CHECK_MS, STALL_MS } from '../limits';

interface StallTimes {
  checkMs: number;
  /** Time without progress until a connection is closed. */
  stallMs: number;
  /** The same while more than {@link MAX_BUFFERED_RESPONSE_BYTES} wait for the client. */
  bufferedMs: number;
}

const stallTimes: StallTimes = { checkMs: STALL_CHECK_MS, stallMs: STALL_MS, bufferedMs: STALL_BUFFERED_MS };

/**
 * Closes connections whose client does not read its response: nothing was accepted for {@link STALL_MS} although data is
 * waiting, or for {@link STALL_BUFFERED_MS} if a lot of data is. A slow client that reads keeps its connection. Closing
 * it releases what its response holds, such as a stream slot.
 */
export function limitStalledReaders(server: Server, times = stallTimes): void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // The hub has its own rules for workers.
  server.on('upgrade', ({ socket }) => sockets.delete(socket));
  const timer = setInterval(() => {
    for (const socket of sockets) watch(socket, times);
  }, times.checkMs);
  timer.unref();
  server.on('close', () => clearInterval(timer));
}

/** Sets the socket's timeout while data is waiting. Node restarts it when the client accepts a part of a chunk, too. */
function watch(socket: Socket, { stallMs, bufferedMs }: StallTimes): void {
  const isWatched = socket.timeout === stallMs || socket.timeout === bufferedMs;
  if (socket.writableLength === 0) {
    // After the end of a response the timeout is that of an idle connection.
    if (isWatched) socket.setTimeout(0);
    socket.off('timeout', countStalled);
    return;
  }
  const timeout = socket.writableLength > MAX_BUFFERED_RESPONSE_BYTES ? bufferedMs : stallMs;
  if (socket.timeout === timeout) return;
  socket.setTimeout(timeout);
  socket.off('timeout', countStalled);
  socket.on('timeout', countStalled);
}

/** Node's own listener closes the socket. */
function countStalled(): void {
  counter().add(1);
}

function counter(): Counter {
  return processSingleton('stalled-readers', () =>
    metrics.getMeter('parley').createCounter('http.server.stalled', {
      description: 'Connections closed because the client did not read its response',
    }),
  );
}
