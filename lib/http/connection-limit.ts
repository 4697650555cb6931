import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections of one address that have not shown a credential and have a request under way (LIM-3). */
const maxPerAddress = 32;

/**
 * Caps connections of one address that have not yet brought a whole request with a credential: when one more comes, the
 * oldest that still has not sent its headers is closed. So slow senders push out each other and never a working client.
 */
export function limitConnections(server: Server): void {
  const waiting = new Map<string, Set<Socket>>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const sockets = waiting.get(address) ?? new Set();
    waiting.set(address, sockets);
    if (sockets.size >= maxPerAddress) evictOldest(sockets);
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0 && waiting.get(address) === sockets) waiting.delete(address);
    });
  });
  server.on('request', ({ socket }: IncomingMessage) => {
    waiting.get(socket.remoteAddress ?? '')?.delete(socket);
  });
}

function evictOldest(sockets: Set<Socket>): void {
  const oldest = sockets.values().next().value;
  if (!oldest) return;
  sockets.delete(oldest);
  oldest.destroy();
}
