import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { problemOf } from '../errors/render-error';
import { guardRequest } from './guard-request';

/** Paths whose offers of an upgrade to WebSocket are accepted; `/_next/` is the development server's. */
const WEBSOCKET_PATHS = /^\/(?:ws|_next)\//;

/** Requests that offer an upgrade. */
const upgradeOffers = new WeakSet<IncomingMessage>();

/**
 * A request whose `upgrade` is true only for WebSocket offers on the paths above. With a listener for upgrades, Node 20
 * treats every offer as an upgrade, also `h2c`, which Java's client sends with each request; those must be ignored (RFC
 * 9110 §7.8).
 */
export class UpgradableMessage extends IncomingMessage {
  get upgrade(): boolean {
    if (!upgradeOffers.has(this)) return false;
    const isWebSocket = this.headers.upgrade?.toLowerCase() === 'websocket';
    return this.method === 'CONNECT' || (isWebSocket && WEBSOCKET_PATHS.test(this.url ?? ''));
  }

  set upgrade(value: boolean) {
    // Almost no request offers one, so a property of each request would only add cost.
    if (value) upgradeOffers.add(this);
  }
}

/**
 * The reason why an upgrade on this path is rejected: the rules of every request, or a different origin; null if it is
 * accepted.
 */
export function guardUpgrade(request: IncomingMessage): ParleyError | null {
  const rejection = guardRequest(request);
  if (rejection) return rejection;
  const { origin } = request.headers;
  if (origin === undefined || origin === env().APP_URL) return null;
  return new ParleyError('origin_required', 'Pages from other origins may not open this connection.');
}

/** Responds to an upgrade with an error, and closes the connection. */
export function rejectUpgrade(socket: Duplex, error: ParleyError): void {
  const { status, headers, body } = problemOf(error, newId('req'));
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body ?? '')),
    connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  socket.end(`HTTP/1.1 ${status} ${status === 426 ? 'Upgrade Required' : 'Rejected'}\r\n${head}\r\n\r\n${body ?? ''}`);
}
