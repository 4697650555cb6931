import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Counter, metrics } from '@opentelemetry/api';
import { networkOf } from '../../platform/http-client/client-address';
import { once } from '../../platform/runtime/once';
import {
  MAX_BUFFERED_RESPONSE_BYTES,
  MAX_SLOW_BODIES,
  MIN_BODY_BYTES,
  SLOW_BODY_CHECK_MS,
  STALL_BUFFERED_MS,
  STALL_CHECK_MS,
  STALL_MS,
} from '../limits';

/** A request with a body. */
interface Upload {
  request: IncomingMessage;
  response: ServerResponse;
  /** The number of bytes that the connection had received at the last check; null before the first. */
  bytesRead: number | null;
}

interface Connection {
  /** The last request of the connection; null if it has no body. */
  upload: Upload | null;
}

/** Node's response to a request that takes too long (RFC 9110 §15.5.9). */
const timeoutResponse = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/**
 * Limits the requests of one address whose bodies arrive very slowly, because each counts as in progress until its
 * timeout. If more than {@link MAX_SLOW_BODIES} are slow, the oldest receive 408. Clients that continue to send are not
 * affected.
 */
export function limitSlowBodies(server: Server, addressOf: (request: IncomingMessage) => string): void {
  // The last request of each connection. An entry for each request would keep reallocating the map.
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { upload: null });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection) connection.upload = hasBody(request) ? { request, response, bytesRead: null } : null;
  });
  const check = (): void => {
    for (const uploads of findSlow(connections.values(), addressOf).values())
      for (const upload of uploads.slice(0, Math.max(0, uploads.length - MAX_SLOW_BODIES))) closeSlow(upload);
  };
  // After the poll phase, so that data that arrived while the event loop was busy counts.
  const timer = setInterval(() => setImmediate(check), SLOW_BODY_CHECK_MS);
  timer.unref();
  server.on('close', () => clearInterval(timer));
}

/** Returns the requests with slow bodies by network, oldest connection first. */
function findSlow(
  connections: Iterable<Connection>,
  addressOf: (request: IncomingMessage) => string,
): Map<string, Upload[]> {
  const slow = new Map<string, Upload[]>();
  for (const connection of connections) {
    const { upload } = connection;
    if (!upload) continue;
    if (upload.request.complete || upload.response.headersSent) connection.upload = null;
    else if (isSlow(upload)) {
      const network = networkOf(addressOf(upload.request));
      const uploads = slow.get(network);
      if (uploads) uploads.push(upload);
      else slow.set(network, [upload]);
    }
  }
  return slow;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Returns true if almost no data arrived since the last check, although the server was reading. */
function isSlow(upload: Upload): boolean {
  const { request, bytesRead } = upload;
  upload.bytesRead = request.socket.bytesRead;
  const isUnread = request.readableLength >= request.readableHighWaterMark;
  return bytesRead !== null && !isUnread && upload.bytesRead - bytesRead < MIN_BODY_BYTES;
}

function closeSlow({ request: { socket } }: Upload): void {
  slowCounter().add(1);
  socket.write(timeoutResponse);
  socket.destroy();
}

const slowCounter = once(
  (): Counter =>
    metrics.getMeter('parley').createCounter('http.server.slow_bodies', {
      description: 'Requests closed because their bodies arrived too slowly and their address had too many of them',
    }),
);

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
  /**
   * Number of bytes of the finished writes, and number of bytes of the current write that the system has not accepted.
   */
  finished: number;
  unsent: number;
  /** The time at which either last changed. */
  at: number;
}

/**
 * Closes connections whose client does not read its response: it accepted no data for {@link STALL_MS} although data is
 * waiting, or for {@link STALL_BUFFERED_MS} if a large amount is waiting. A slow client that reads keeps its
 * connection. Closing a connection releases the resources of its response, such as a stream slot.
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
    for (const [socket, progress] of connections) if (isStalled(socket, progress, times)) closeStalled(socket);
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

/**
 * Returns the unsent bytes. The transfer of one chunk can exceed the timeout, and only Node's handle shows that a part
 * of it was accepted.
 */
function unsentBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const size: unknown = typeof handle === 'object' && handle ? Reflect.get(handle, 'writeQueueSize') : 0;
  return typeof size === 'number' ? size : 0;
}

function closeStalled(socket: Socket): void {
  stalledCounter().add(1);
  socket.destroy();
}

const stalledCounter = once(
  (): Counter =>
    metrics.getMeter('parley').createCounter('http.server.stalled', {
      description: 'Connections closed because the client did not read its response',
    }),
);
