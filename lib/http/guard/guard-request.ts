import type { IncomingMessage } from 'node:http';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { once } from '../../platform/runtime/once';
import { isStorableUrl, UNSTORABLE_URL } from './storable';

/** Hosts this server accepts: APP_URL's, and on a loopback bind the loopback names with the port. */
const allowedHosts = once((): ReadonlySet<string> => {
  const { APP_URL, HOST, PORT } = env();
  const hosts = new Set([new URL(APP_URL).host]);
  if (['127.0.0.1', 'localhost', '::1'].includes(HOST)) {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) hosts.add(`${name}:${PORT}`);
  }
  return hosts;
});

/** True for health checks: load balancers and probes send any Host or, with HTTP/1.0, none. */
function isHealthPath(url: string): boolean {
  return /^\/(?:healthz|readyz)(?:[/?]|$)/.test(url);
}

/**
 * True for paths whose requests cause no further work: those of probes, and files such as the one that the status check
 * reads.
 */
export function isQuietPath(url: string): boolean {
  return isHealthPath(url) || /^\/(?:_next\/|icon\.svg)/.test(url);
}

/** The error of a request line or routing header that is invalid, or null. */
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

/** Next returns 500 for paths that it cannot decode. */
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

/** The APP_URL address of a page requested under another allowed host; null under APP_URL's host. */
export function canonicalPageUrl(request: IncomingMessage): string | null {
  const { APP_URL } = env();
  const isPage = request.method === 'GET' || request.method === 'HEAD';
  if (!isPage || request.headers.host === new URL(APP_URL).host) return null;
  return `${APP_URL}${request.url ?? '/'}`;
}
