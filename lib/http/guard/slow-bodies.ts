import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Counter, metrics } from '@opentelemetry/api';
import { networkOf } from '../../platform/http-client/address';
import { once } from '../../platform/runtime/once';
import { MAX_SLOW_BODIES, MIN_BODY_BYTES, SLOW_BODY_CHECK_MS } from '../limits';

/** A request with a body. */
interface Upload {
  request: IncomingMessage;
  response: ServerResponse;
  /** The bytes that its connection had received at the last check; null before the first. */
  bytesRead: number | null;
}

interface Connection {
  /** Its last request; null without a body. */
  upload: Upload | null;
}

/** Node's response to a request that takes too long (RFC 9110 §15.5.9). */
const timeoutResponse = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

/**
 * Limits the requests of one address whose bodies arrive very slowly, because each counts as in progress until its
 * timeout. If more than {@link MAX_SLOW_BODIES} are slow, the oldest receive 408. Clients that keep sending are not
 * affected.
 */
export function limitSlowBodies(server: Server, addressOf: (request: IncomingMessage) => string): void {
  // The last request of each connection: an entry for each request would keep reallocating the map.
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
      for (const upload of uploads.slice(0, Math.max(0, uploads.length - MAX_SLOW_BODIES))) close(upload);
  };
  // After the poll phase, so that data that arrived while the event loop was busy counts.
  const timer = setInterval(() => setImmediate(check), SLOW_BODY_CHECK_MS);
  timer.unref();
  server.on('close', () => clearInterval(timer));
}

/** The requests with slow bodies, the oldest connection first, by network. */
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

/** True if almost no data arrived since the last check, although the server was reading. */
function isSlow(upload: Upload): boolean {
  const { request, bytesRead } = upload;
  upload.bytesRead = request.socket.bytesRead;
  const isUnread = request.readableLength >= request.readableHighWaterMark;
  return bytesRead !== null && !isUnread && upload.bytesRead - bytesRead < MIN_BODY_BYTES;
}

function close({ request: { socket } }: Upload): void {
  counter().add(1);
  socket.write(timeoutResponse);
  socket.destroy();
}

const counter = once(
  (): Counter =>
    metrics.getMeter('parley').createCounter('http.server.slow_bodies', {
      description: 'Requests closed because their bodies arrived too slowly and their address had too many of them',
    }),
);
