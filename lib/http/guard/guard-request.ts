import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { once } from '../../platform/runtime/once';
import { problemOf } from '../errors/render-error';
import { isStorableUrl, UNSTORABLE_URL } from '../request';

/** The hosts that this server accepts: that of APP_URL and, on a loopback bind, the loopback names with the port. */
const allowedHosts = once((): ReadonlySet<string> => {
  const { APP_URL, HOST, PORT } = env();
  const hosts = new Set([new URL(APP_URL).host]);
  if (['127.0.0.1', 'localhost', '::1'].includes(HOST)) {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) hosts.add(`${name}:${PORT}`);
  }
  return hosts;
});

/** Returns true for health checks, because load balancers and probes send any Host or, with HTTP/1.0, none. */
function isHealthPath(url: string): boolean {
  return /^\/(?:healthz|readyz)(?:[/?]|$)/.test(url);
}

/**
 * Returns true for requests that cause no further work: probes, and files such as the one that the status check reads.
 */
export function isQuietPath(url: string): boolean {
  return isHealthPath(url) || /^\/(?:_next\/|icon\.svg)/.test(url);
}

/** Returns the error for an invalid request line or routing header, or null. */
export function guardRequest(request: IncomingMessage): ParleyError | null {
  const { url = '', rawHeaders } = request;
  if (!url.startsWith('/')) return invalidRequest('Expected a path as the request target, not an absolute URL.');
  if (!isDecodable(url)) return invalidRequest('Expected a path whose percent-encoding is valid UTF-8.');
  if (!isStorableUrl(url)) return invalidRequest(UNSTORABLE_URL);
  if (isHealthPath(url)) return null;
  const { hosts, authorizations } = countHeaders(rawHeaders);
  if (hosts !== 1) return invalidRequest('Expected exactly one Host header.');
  if (authorizations > 1) return invalidRequest('Expected at most one Authorization header.');
  if (allowedHosts().has((request.headers.host ?? '').toLowerCase())) return null;
  return new ParleyError('misdirected_request', `This server serves ${env().APP_URL}. Call that URL.`);
}

function invalidRequest(text: string): ParleyError {
  return new ParleyError('invalid_request', text);
}

/** Returns true if the path can be decoded. Next returns 500 for paths that it cannot decode. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

function countHeaders(rawHeaders: string[]): { hosts: number; authorizations: number } {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 'host'.length && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') authorizations++;
  }
  return { hosts, authorizations };
}

/**
 * Returns the APP_URL of a page that was requested under another allowed host; null under the host of APP_URL, and for
 * methods other than GET and HEAD.
 */
export function canonicalPageUrl(request: IncomingMessage): string | null {
  const { APP_URL } = env();
  const isPage = request.method === 'GET' || request.method === 'HEAD';
  if (!isPage || request.headers.host === new URL(APP_URL).host) return null;
  return `${APP_URL}${request.url ?? '/'}`;
}

/** Paths on which upgrades to WebSocket are accepted. `/_next/` is for the development server. */
const WEBSOCKET_PATHS = /^\/(?:ws|_next)\//;

/** Requests that offer an upgrade. */
const upgradeOffers = new WeakSet<IncomingMessage>();

/**
 * A request whose `upgrade` is true only for upgrades to WebSocket on the paths that accept upgrades. With a listener
 * for upgrades, Node 20 treats every `Upgrade` header as one, including `h2c`, which Java's client sends with each
 * request and which must be ignored (RFC 9110 §7.8).
 */
export class UpgradableMessage extends IncomingMessage {
  get upgrade(): boolean {
    if (!upgradeOffers.has(this)) return false;
    const isWebSocket = this.headers.upgrade?.toLowerCase() === 'websocket';
    return this.method === 'CONNECT' || (isWebSocket && WEBSOCKET_PATHS.test(this.url ?? ''));
  }

  set upgrade(value: boolean) {
    // Almost no request has the header, so a property of each request would only add cost.
    if (value) upgradeOffers.add(this);
  }
}

/**
 * Returns why an upgrade on this path is rejected: the rules of every request, or a different origin; null if it is
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
