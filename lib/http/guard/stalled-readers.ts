import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Counter, metrics } from '@opentelemetry/api';
import { once } from '../../platform/runtime/once';
import { MAX_BUFFERED_RESPONSE_BYTES, STALL_BUFFERED_MS, STALL_CHECK_MS, STALL_MS } from '../limits';

interface StallTimes {
  checkMs: number;
  /** Timeout without progress, after which a connection is closed. */
  stallMs: number;
  /** Timeout while more than {@link MAX_BUFFERED_RESPONSE_BYTES} wait for the client. */
  bufferedMs: number;
}

const stallTimes: StallTimes = { checkMs: STALL_CHECK_MS, stallMs: STALL_MS, bufferedMs: STALL_BUFFERED_MS };

/** The reading progress of a connection's client. */
interface Progress {
  /** Bytes of the writes that are finished, and those that the system has not accepted of the current one. */
  finished: number;
  unsent: number;
  /** The time of the last change of either. */
  at: number;
}

/**
 * Closes connections whose client does not read its response: nothing was accepted for {@link STALL_MS} although data
 * is waiting, or for {@link STALL_BUFFERED_MS} if a lot of data is. A slow client that reads keeps its connection.
 * Closing a connection releases the resources of its response, such as a stream slot.
 */
export function limitStalledReaders(server: Server, times = stallTimes): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { finished: 0, unsent: 0, at: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  // The hub has its own rules for workers.
  server.on('upgrade', ({ socket }) => connections.delete(socket));
  const timer = setInterval(() => {
    for (const [socket, progress] of connections) if (isStalled(socket, progress, times)) close(socket);
  }, times.checkMs);
  timer.unref();
  server.on('close', () => clearInterval(timer));
}

function isStalled(socket: Socket, progress: Progress, { stallMs, bufferedMs }: StallTimes): boolean {
  const now = performance.now();
  const { writableLength } = socket;
  const finished = socket.bytesWritten - writableLength;
  const unsent = unsentBytes(socket);
  if (writableLength === 0 || finished !== progress.finished || unsent !== progress.unsent)
    Object.assign(progress, { finished, unsent, at: now });
  return now - progress.at >= (writableLength > MAX_BUFFERED_RESPONSE_BYTES ? bufferedMs : stallMs);
}

/** The transfer of one chunk can exceed the timeout; only Node's handle shows that a part of it was accepted. */
function unsentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const size: unknown = typeof handle === 'object' && handle ? Reflect.get(handle, 'writeQueueSize') : 0;
  return typeof size === 'number' ? size : 0;
}

function close(socket: Socket): void {
  counter().add(1);
  socket.destroy();
}

const counter = once(
  (): Counter =>
    metrics.getMeter('parley').createCounter('http.server.stalled', {
      description: 'Connections closed because the client did not read its response',
    }),
);
