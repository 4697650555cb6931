import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { BoundedMap } from './bounded-map';
import { env } from './env';
import { hasCode, ParleyError } from './errors';
import { type ResponseLimits, ResponseReader } from './response-reader';
import { isPublicAddress } from './safe-address';
import { processSingleton } from './singleton';

const connectTimeoutMs = 5_000;
const allowedPorts = new Set(['', '443', '8443', '4443', '9443']);

export interface ExternalRequest extends ResponseLimits {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Longest silence within the body, milliseconds. */
  silenceTimeoutMs: number;
}

/** Lets the demo agents' own origins through, as `AGENT_URL_ALLOW` does for those of the environment. */
export function allowOrigin(origin: string): void {
  allowedOrigins().add(origin);
}

function allowedOrigins(): Set<string> {
  return processSingleton('egress-allow', () => new Set(env().AGENT_URL_ALLOW));
}

function isExempt(url: URL): boolean {
  return allowedOrigins().has(url.origin) || allowedOrigins().has(`${url.protocol}//${url.hostname}:*`);
}

/**
 * Checks an address that a stranger gave before anything is sent to it: https, no credentials, no fragment, a usual
 * port, not Parley itself. Address ranges are checked where the connection is made.
 * @throws {ParleyError} `url_refused`, naming the rule and `AGENT_URL_ALLOW`
 */
export function checkExternalUrl(text: string): URL {
  if (!URL.canParse(text)) throw urlRefused(`"${text.slice(0, 200)}" is not an absolute URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw urlRefused(`its scheme is ${url.protocol}`);
  if (url.username || url.password) throw urlRefused('it carries a user name or password');
  if (url.hash) throw urlRefused('it has a fragment');
  if (isOwnUrl(url)) throw urlRefused('it is Parley itself');
  if (isExempt(url)) return url;
  if (url.protocol !== 'https:') throw urlRefused('it is not https');
  if (!allowedPorts.has(url.port)) throw urlRefused(`its port is ${url.port}`);
  if (/^[\d.]+$|^\[/.test(url.hostname) && !isPublicAddress(url.hostname))
    throw urlRefused('its address is not public');
  return url;
}

// Under any of its names: APP_URL's, the same with a trailing dot, and the loopback names of the port it listens on.
function isOwnUrl(url: URL): boolean {
  const own = processSingleton('own-url', () => new URL(env().APP_URL));
  const host = url.hostname.replace(/\.$/, '');
  if (host === own.hostname && url.port === own.port) return true;
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(host) && url.port === String(env().PORT);
}

function urlRefused(why: string): ParleyError {
  return new ParleyError(
    'url_refused',
    `This address cannot be used: ${why}. Expected an https address on the public Internet; the operator can exempt an origin with AGENT_URL_ALLOW.`,
  );
}

/** Every answer of the resolver must be public, and the connection goes to the checked answers alone (SSRF-3). */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
      return callback(urlRefused('its name resolves to an address that is not public'), []);
    }
    const first = addresses[0];
    return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

function dispatcher(): Agent {
  return processSingleton('egress-dispatcher', () => {
    const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup });
    const plain = buildConnector({ timeout: connectTimeoutMs });
    return new Agent({
      keepAliveTimeout: 10_000,
      connect: (options, callback) => {
        const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
        const done: typeof callback = (...[error, socket]) => {
          if (error) connectFailures().add(error);
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
}

/**
 * A connection whose reset is told as any other end. The dispatcher takes one that comes within an answer for the end of that answer,
 * and where nobody read it at that moment, it breaks down and the process with it.
 */
function normalizeResets(socket: Socket): Socket {
  return socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'EPIPE';
  });
}

/** Failures to connect, as opposed to connections that broke. */
function connectFailures(): WeakSet<Error> {
  return processSingleton('egress-unsent', () => new WeakSet());
}

/** True when nothing of the failed request can have arrived, so that sending it elsewhere repeats nothing. */
export function failedBeforeSend(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return hasCode(error, 'url_refused') || (error.cause instanceof Error && connectFailures().has(error.cause));
}

interface Target {
  origin: string;
  path: string;
}

/** Where an address leads, checked; good ones are remembered as they are asked for again and again. */
function targetOf(text: string): Target {
  const targets = processSingleton('egress-targets', () => new BoundedMap<string, Target>(2_000));
  const cached = targets.get(text);
  if (cached) return cached;
  const { origin, pathname, search } = checkExternalUrl(text);
  const target = { origin, path: pathname + search };
  targets.set(text, target);
  return target;
}

const fixedHeaders = ['user-agent', 'Parley', 'via', '1.1 parley', 'accept-encoding', 'identity'];

/**
 * The one way out to addresses that strangers chose (SSRF-1…7): guarded connection, no redirects, no cookies, no proxy
 * from the environment, no compression, capped size and silence. Answers when status and headers are there.
 * @throws (the first at once, else by the promise) {ParleyError} `url_refused`, `agent_unreachable` (alike for refused, closed and
 *   failed), `agent_timeout`
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

/** Reads a whole body within the caps of {@link fetchExternal} and `searchTimeoutMs` milliseconds. */
export async function fetchExternalBody({
  totalMs,
  ...input
}: Omit<ExternalRequest, 'waitMs' | 'waitFor' | 'silenceTimeoutMs'> & { totalMs: number }): Promise<{
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
}> {
  try {
    const answer = await fetchExternal({ ...input, waitMs: totalMs, waitFor: 'whole', silenceTimeoutMs: totalMs });
    return { status: answer.status, headers: answer.headers, bytes: await answer.buffer(input.maxBytes) };
  } catch (error) {
    if (!hasCode(error, 'agent_timeout')) throw error;
    throw new ParleyError('agent_timeout', `No complete answer came within ${totalMs} ms.`);
  }
}
