import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { Agent, buildConnector } from 'undici';
import { hasCode, ParleyError } from '../errors';
import { EXTERNAL_CONNECT_TIMEOUT_MS, EXTERNAL_KEEP_ALIVE_MS, EXTERNAL_TARGET_CACHE_SIZE } from '../limits';
import { once } from '../runtime/once';
import { checkExternalUrl, isExempt, isPublicAddress, urlRefused } from './external-urls';
import { type ResponseLimits, ResponseReader } from './response-reader';

export interface ExternalRequest extends ResponseLimits {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Timeout between two chunks of the body, milliseconds. */
  silenceTimeoutMs: number;
}

/** Requires that every resolved address is public, and connects only to addresses that were checked. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
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

/** Marks the error of a request of which no part was processed, for {@link failedBeforeSend}. */
export function markUnsent<Failure extends Error>(error: Failure): Failure {
  connectFailures.add(error);
  return error;
}

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
