import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of one address whose request has not come yet (LIM-3). */
const maxPerAddress = 32;
/** How long a request may be on its way before its connection counts as slow, milliseconds. */
const slowAfterMs = 1_000;

/**
 * Caps the connections of one address that have sent no whole request head: when one more comes, those that have been
 * waiting for longer than a second are closed, the oldest first. So slow senders make room for others, and a burst of
 * honest connections, as a proxy opens them, loses none.
 */
export function limitConnections(server: Server): void {
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
  server.on('request', ({ socket }: IncomingMessage) => {
    waiting.get(socket.remoteAddress ?? '')?.delete(socket);
  });
}

function closeSlowConnections(sockets: Map<Socket, number>): void {
  const since = performance.now() - slowAfterMs;
  for (const [socket, openedAt] of sockets) {
    if (sockets.size < maxPerAddress || openedAt > since) return;
    sockets.delete(socket);
    socket.destroy();
  }
}
