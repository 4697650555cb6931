import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';
import { hasCode, ParleyError } from '../errors';
import { EXTERNAL_CONNECT_TIMEOUT_MS, EXTERNAL_KEEP_ALIVE_MS, EXTERNAL_TARGET_CACHE_SIZE } from '../limits';
import { env } from '../runtime/env';
import { once } from '../runtime/once';
import { type ResponseLimits, ResponseReader } from './response-reader';

const allowedPorts = new Set(['', '443', '8443', '4443', '9443']);

export interface ExternalRequest extends ResponseLimits {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Timeout between two chunks of the body, milliseconds. */
  silenceTimeoutMs: number;
}

/** Allows an origin (the demo agents' own), as `AGENT_URL_ALLOW` does. */
export function allowOrigin(origin: string): void {
  allowedOrigins().add(origin);
}

const allowedOrigins = once((): Set<string> => new Set(env().AGENT_URL_ALLOW));

function isExempt(url: URL): boolean {
  return allowedOrigins().has(url.origin) || allowedOrigins().has(`${url.protocol}//${url.hostname}:*`);
}

/**
 * Checks an untrusted URL before any request: it must use https and an allowed port, have neither credentials nor a
 * fragment, and not refer to Parley itself. Resolved addresses are checked when connecting.
 * @throws {ParleyError} `url_refused`, with the rule and `AGENT_URL_ALLOW`
 */
export function checkExternalUrl(text: string): URL {
  if (!URL.canParse(text)) throw urlRefused(`"${text.slice(0, 200)}" is not an absolute URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw urlRefused(`its scheme is ${url.protocol}`);
  if (url.username || url.password) throw urlRefused('it contains a user name or password');
  if (url.hash) throw urlRefused('it has a fragment');
  if (isOwnUrl(url)) throw urlRefused('it is the URL of Parley itself');
  if (isExempt(url)) return url;
  if (url.protocol !== 'https:') throw urlRefused('it is not https');
  if (!allowedPorts.has(url.port)) throw urlRefused(`its port is ${url.port}`);
  if (/^[\d.]+$|^\[/.test(url.hostname) && !isPublicAddress(url.hostname))
    throw urlRefused('its IP address is not public');
  return url;
}

const ownUrl = once(() => new URL(env().APP_URL));

// Compares with the host of APP_URL, also with a trailing dot, and the loopback names with the server's port.
function isOwnUrl(url: URL): boolean {
  const own = ownUrl();
  const host = url.hostname.replace(/\.$/, '');
  if (host === own.hostname && url.port === own.port) return true;
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(host) && url.port === String(env().PORT);
}

function urlRefused(why: string): ParleyError {
  return new ParleyError(
    'url_refused',
    `This URL cannot be used: ${why}. Expected an https URL on the public Internet; the operator can exempt an origin with AGENT_URL_ALLOW.`,
  );
}

/** Requires that every resolved address is public, and connects only to addresses that were checked. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
      return callback(urlRefused('its name resolves to an IP address that is not public'), []);
    }
    const first = addresses[0];
    return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

const dispatcher = once((): Agent => {
  const guarded = buildConnector({ timeout: EXTERNAL_CONNECT_TIMEOUT_MS, lookup: guardedLookup });
  const plain = buildConnector({ timeout: EXTERNAL_CONNECT_TIMEOUT_MS });
  return new Agent({
    keepAliveTimeout: EXTERNAL_KEEP_ALIVE_MS,
    connect: (options, callback) => {
      const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
      const done: typeof callback = (...[error, socket]) => {
        if (error) connectFailures.add(error);
        return error ? callback(error, null) : callback(null, normalizeResets(socket as Socket));
      };
      if (isExempt(url)) return plain(options, done);
      try {
        checkExternalUrl(url.href);
      } catch (error) {
        return callback(error as Error, null);
      }
      return guarded(options, done);
    },
  });
});

/**
 * Reports ECONNRESET as EPIPE. Undici treats a reset during a response as the end of the response, which crashes the
 * process if there is no reader.
 */
function normalizeResets(socket: Socket): Socket {
  return socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
  });
}

/** Errors of failed connection attempts, as opposed to broken connections. */
const connectFailures = new WeakSet<Error>();

/**
 * Returns true if no part of the failed request can have arrived, so that a retry at another URL cannot duplicate it.
 */
export function failedBeforeSend(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return hasCode(error, 'url_refused') || (error.cause instanceof Error && connectFailures.has(error.cause));
}

interface Target {
  origin: string;
  path: string;
}

const targets = new LRUCache<string, Target>({ max: EXTERNAL_TARGET_CACHE_SIZE });

/** Returns the checked target of a URL. Cached, because URLs recur. */
function targetOf(text: string): Target {
  const cached = targets.get(text);
  if (cached) return cached;
  const { origin, pathname, search } = checkExternalUrl(text);
  const target = { origin, path: pathname + search };
  targets.set(text, target);
  return target;
}

const fixedHeaders = ['user-agent', 'Parley', 'via', '1.1 parley', 'accept-encoding', 'identity'];

/**
 * Requests an untrusted URL; no other function may. Checks the connection, limits size and idle time, and uses no
 * redirects, cookies, environment proxy or compression. Resolves when status and headers are received.
 * @throws {ParleyError} `url_refused` (synchronously); by rejection `agent_unreachable` (for refused, closed and failed
 *   alike), `agent_timeout`
 */
export function fetchExternal(input: ExternalRequest): Promise<ResponseReader> {
  const { origin, path } = targetOf(input.url);
  const headers = [...fixedHeaders];
  for (const name in input.headers) headers.push(name, input.headers[name] ?? '');
  const { method, body = null, silenceTimeoutMs: bodyTimeout } = input;
  const reader = new ResponseReader(input);
  const call = { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout };
  dispatcher().dispatch(call, reader);
  return reader.headersReceived;
}

/** Reads a whole body within the limits of {@link fetchExternal} and `totalMs` milliseconds. */
export async function fetchExternalBody({
  totalMs,
  ...input
}: Omit<ExternalRequest, 'waitMs' | 'waitFor' | 'silenceTimeoutMs'> & { totalMs: number }): Promise<{
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}> {
  try {
    const response = await fetchExternal({ ...input, waitMs: totalMs, waitFor: 'whole', silenceTimeoutMs: totalMs });
    return { status: response.status, headers: response.headers, bytes: await response.buffer(input.maxBytes) };
  } catch (error) {
    if (!hasCode(error, 'agent_timeout')) throw error;
    throw new ParleyError('agent_timeout', `There was no complete response within ${totalMs} ms.`);
  }
}

/** IPv6 networks that embed an IPv4 address, each with the offset of that address in bytes. */
const ipv4Embeddings: { range: [ipaddr.IPv6, number]; offset: number }[] = [
  { range: cidr('::/96'), offset: 12 },
  { range: cidr('64:ff9b::/96'), offset: 12 },
  { range: cidr('64:ff9b:1::/48'), offset: 12 },
  { range: cidr('::ffff:0:0:0/96'), offset: 12 },
  { range: cidr('2002::/16'), offset: 2 },
];

/** Cloud metadata addresses in public ranges. */
const metadataAddresses = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254']);

function cidr(text: string): [ipaddr.IPv6, number] {
  return ipaddr.parseCIDR(text) as [ipaddr.IPv6, number];
}

/** Returns true if the address is global unicast, including an IPv4 address embedded in it. */
function isPublicAddress(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(bare) || metadataAddresses.has(bare)) return false;
  const address = ipaddr.process(bare);
  if (metadataAddresses.has(address.toString())) return false;
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  return isPublicIpv6(address as ipaddr.IPv6);
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  for (const { range, offset } of ipv4Embeddings) {
    if (!address.match(range)) continue;
    const inner = address.toByteArray().slice(offset, offset + 4);
    // ::/96 is never global (RFC 4291 §2.5.5.1); the others are as public as the embedded address.
    return offset !== 12 || !address.match(cidr('::/96')) ? isPublicAddress(inner.join('.')) : false;
  }
  return address.range() === 'unicast' && address.match(cidr('2000::/3'));
}
