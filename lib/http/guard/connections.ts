import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { LINGER_MS, MAX_DRAIN_BYTES, MAX_WAITING_CONNECTIONS, SLOW_CONNECTION_MS } from '../limits';

/**
 * Limits the connections of one address without a complete request head. At the limit, a new connection closes the slow
 * ones, oldest first. A burst of normal connections, for example from a proxy, is not affected.
 */
export function limitConnections(server: Server): void {
  const release = limitWaitingConnections(server);
  server.on('request', ({ socket }) => release(socket));
  server.on('upgrade', ({ socket }) => release(socket as Socket));
}

/**
 * Limits the connections of one address without a request, as {@link limitConnections} does. Returns the function to
 * call for each connection with a request.
 */
export function limitWaitingConnections(server: NetServer): (socket: Socket) => void {
  const waiting = new Map<string, Map<Socket, number>>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const sockets = waiting.get(address) ?? new Map<Socket, number>();
    waiting.set(address, sockets);
    closeSlowConnections(sockets);
    sockets.set(socket, performance.now());
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && waiting.get(address) === sockets) waiting.delete(address);
    });
  });
  return (socket) => {
    waiting.get(socket.remoteAddress ?? '')?.delete(socket);
  };
}

function closeSlowConnections(sockets: Map<Socket, number>): void {
  const threshold = performance.now() - SLOW_CONNECTION_MS;
  for (const [socket, openedAt] of sockets) {
    if (sockets.size < MAX_WAITING_CONNECTIONS || openedAt > threshold) return;
    sockets.delete(socket);
    socket.destroy();
  }
}

/**
 * Emits `close` on pipelined responses (RFC 9112 §9.3.2) when their connection closes, which Node does only for the
 * current one. Otherwise, their resources, such as stream slots, would never be released.
 */
export function closePipelinedResponses(request: IncomingMessage, response: ServerResponse): void {
  if (response.socket) return;
  const { socket } = request;
  // One listener per waiting response. Node stops reading requests while responses are pending.
  socket.setMaxListeners(0);
  socket.once('close', () => {
    if (response.socket || response.destroyed) return;
    response.destroy();
    response.emit('close');
  });
}

/**
 * Handles a request body that is unread after the response: drains a small one to keep the connection, otherwise closes
 * it.
 */
export function discardUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  if (Number(request.headers['content-length'] ?? Number.NaN) <= MAX_DRAIN_BYTES) request.resume();
  else request.pause();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, LINGER_MS).unref();
}

/**
 * Delays the close after a `Connection: close` response whose request body is still arriving. An immediate close is a
 * reset, which can arrive at the client before the response (RFC 9112 §9.6).
 */
export function delaySocketClose({ complete, socket }: IncomingMessage): void {
  if (complete) return;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** The number of open requests of a server. */
export interface OpenRequests {
  begin: () => void;
  end: () => void;
  /** Resolves when no requests are open, or after this time. */
  drained: (withinMs: number) => Promise<void>;
}

/**
 * Counts the open requests in a number instead of a set. A set that changes with every request would keep reallocating
 * its table, and the old tables would retain requests until an expensive garbage collection.
 */
export function countRequests(): OpenRequests {
  let open = 0;
  let onChange: () => void = () => undefined;
  return {
    begin() {
      open += 1;
    },
    end() {
      open -= 1;
      onChange();
    },
    drained: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        onChange = () => {
          if (open > 0) return;
          clearTimeout(timer);
          resolve();
        };
        onChange();
      }),
  };
}
