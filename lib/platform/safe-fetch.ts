import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { env } from './env';
import { asParleyError, hasCode, ParleyError } from './errors';
import { errorFields, log } from './log';
import { shared } from './registry';
import { isPublicAddress } from './safe-address';

const connectTimeoutMs = 5_000;
const ports = new Set(['', '443', '8443', '4443', '9443']);

export interface EgressRequest {
  url: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** Longest wait for the response's headers, milliseconds. */
  headersTimeoutMs: number;
  /** Longest silence within the body, milliseconds. */
  silenceTimeoutMs: number;
  /** Most bytes of body that are read. */
  maxBytes: number;
  /** Sees every piece of the body as it is read. */
  onChunk?: (chunk: Uint8Array) => void;
}

export interface EgressResponse {
  status: number;
  headers: Record<string, string>;
  /** The body; ends with `agent_misbehaved` past `maxBytes`. Leaving the loop early closes the connection, unless the rest comes soon. */
  body: AsyncGenerator<Uint8Array>;
  /** The whole body at once, in place of reading `body`; `agent_misbehaved` when it is larger than `maxBytes`. */
  whole: (maxBytes: number) => Promise<Buffer>;
}

/** Lets the demo agents' own origins through, as `AGENT_URL_ALLOW` does for those of the environment. */
export function allowOrigin(origin: string): void {
  allowed().add(origin);
}

function allowed(): Set<string> {
  return shared('egress-allow', () => new Set(env().AGENT_URL_ALLOW));
}

function isExempt(url: URL): boolean {
  return allowed().has(url.origin) || allowed().has(`${url.protocol}//${url.hostname}:*`);
}

/**
 * Checks an address that a stranger gave before anything is sent to it: https, no credentials, no fragment, a usual
 * port, not Parley itself. Address ranges are checked where the connection is made.
 * @throws {ParleyError} `url_refused`, naming the rule and `AGENT_URL_ALLOW`
 */
export function checkEgressUrl(text: string): URL {
  if (!URL.canParse(text)) throw refused(`"${text.slice(0, 200)}" is not an absolute URL`);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`its scheme is ${url.protocol}`);
  if (url.username || url.password) throw refused('it carries a user name or password');
  if (url.hash) throw refused('it has a fragment');
  if (isParley(url)) throw refused('it is Parley itself');
  if (isExempt(url)) return url;
  if (url.protocol !== 'https:') throw refused('it is not https');
  if (!ports.has(url.port)) throw refused(`its port is ${url.port}`);
  if (/^[\d.]+$|^\[/.test(url.hostname) && !isPublicAddress(url.hostname)) throw refused('its address is not public');
  return url;
}

// Under any of its names: APP_URL's, the same with a trailing dot, and the loopback names of the port it listens on.
function isParley(url: URL): boolean {
  const own = shared('own-url', () => new URL(env().APP_URL));
  const host = url.hostname.replace(/\.$/, '');
  if (host === own.hostname && url.port === own.port) return true;
  return /^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(host) && url.port === String(env().PORT);
}

function refused(why: string): ParleyError {
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
      return callback(refused('its name resolves to an address that is not public'), []);
    }
    const first = addresses[0];
    return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

function dispatcher(): Agent {
  return shared('egress-dispatcher', () => {
    const guarded = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup });
    const plain = buildConnector({ timeout: connectTimeoutMs });
    return new Agent({
      keepAliveTimeout: 10_000,
      connect: (options, callback) => {
        const url = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
        const done: typeof callback = (...[error, socket]) => {
          if (error) unsent().add(error);
          return error ? callback(error, null) : callback(null, socket as Socket);
        };
        if (isExempt(url)) return plain(options, done);
        try {
          checkEgressUrl(url.href);
        } catch (error) {
          return callback(error as Error, null);
        }
        return guarded(options, done);
      },
    });
  });
}

/** Failures to connect, as opposed to connections that broke. */
function unsent(): WeakSet<Error> {
  return shared('egress-unsent', () => new WeakSet());
}

/** True when nothing of the failed request can have arrived, so that sending it elsewhere repeats nothing. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return hasCode(error, 'url_refused') || (error.cause instanceof Error && unsent().has(error.cause));
}

/**
 * The one way out to addresses that strangers chose (SSRF-1…7): guarded connection, no redirects, no cookies, no proxy
 * from the environment, no compression, capped size and silence.
 * @throws {ParleyError} `url_refused`, `agent_unreachable` (alike for refused, closed and failed), `agent_timeout`
 */
export async function egress(input: EgressRequest): Promise<EgressResponse> {
  const url = checkEgressUrl(input.url);
  try {
    const response = await request(url, {
      dispatcher: dispatcher(),
      method: input.method,
      headers: { 'user-agent': 'Parley', via: '1.1 parley', 'accept-encoding': 'identity', ...input.headers },
      body: input.body ?? null,
      signal: input.signal,
      headersTimeout: input.headersTimeoutMs,
      bodyTimeout: input.silenceTimeoutMs,
    });
    const headers = flatten(response.headers);
    const fault = faultOf(headers, input.maxBytes);
    if (fault) {
      discard(response.body);
      throw fault;
    }
    const { statusCode: status, body } = response;
    const { onChunk } = input;
    return {
      status,
      headers,
      body: capped(body, input),
      whole: (maxBytes) => collect(body, { maxBytes, onChunk }),
    };
  } catch (error) {
    throw mapFailure(error);
  }
}

function faultOf(headers: Record<string, string>, maxBytes: number): ParleyError | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new ParleyError('agent_misbehaved', 'The agent compressed its answer although identity was asked for.');
  }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

function tooLarge(maxBytes: number): ParleyError {
  return new ParleyError('agent_misbehaved', `The answer is larger than ${maxBytes} bytes.`);
}

/** Reads a whole body within the caps of {@link egress} and `totalMs` milliseconds. */
export async function egressText(
  input: Omit<EgressRequest, 'headersTimeoutMs' | 'silenceTimeoutMs'> & { totalMs: number },
): Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }> {
  const timer = AbortSignal.timeout(input.totalMs);
  const signal = AbortSignal.any([input.signal, timer]);
  try {
    const answer = await egress({ ...input, signal, headersTimeoutMs: input.totalMs, silenceTimeoutMs: input.totalMs });
    return { status: answer.status, headers: answer.headers, bytes: await answer.whole(input.maxBytes) };
  } catch (error) {
    if (timer.aborted) throw new ParleyError('agent_timeout', `No complete answer came within ${input.totalMs} ms.`);
    throw error;
  }
}

type Reading = Pick<EgressRequest, 'maxBytes' | 'onChunk'>;

async function* capped(
  body: Dispatcher.ResponseData['body'],
  { maxBytes, onChunk }: Reading,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  try {
    // Who leaves early has heard the end: what little is left is let in, so that the connection serves the next call.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      total += chunk.byteLength;
      onChunk?.(chunk);
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    discard(body);
    throw mapFailure(error);
  } finally {
    if (!body.readableEnded && !body.destroyed) letEnd(body, total + 65_536);
  }
}

/** By its events: iterating a body that comes in one piece costs several times the reading. */
function collect(body: Dispatcher.ResponseData['body'], { maxBytes, onChunk }: Reading): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let total = 0;
    body.on('data', (chunk: Uint8Array) => {
      total += chunk.byteLength;
      onChunk?.(chunk);
      chunks.push(chunk);
      if (total > maxBytes) body.destroy(tooLarge(maxBytes));
    });
    body.on('end', () => resolve(Buffer.concat(chunks)));
    body.on('error', (error) => reject(mapFailure(error)));
  });
}

/** Destroying a body that nobody reads emits an error that nobody would hear. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', (error) => log.debug('egress.discarded', errorFields(error)));
  body.destroy();
}

/** Discards a little more, for half a second at most; a body that has not ended by then loses its connection. */
function letEnd(body: Dispatcher.ResponseData['body'], limit: number): void {
  const discarded = (error: unknown): void => log.debug('egress.discarded', errorFields(error));
  body.on('error', discarded);
  body.dump({ limit, signal: AbortSignal.timeout(500) }).catch(discarded);
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Errors are told by name: the dispatcher, and with it its guard, may come from the other bundle. */
function mapFailure(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || asParleyError(error)) return error;
  if (name === 'HeadersTimeoutError' || name === 'BodyTimeoutError') {
    return new ParleyError('agent_timeout', 'The agent did not answer in time.', { cause: error });
  }
  return unreachable(error);
}

// One text for refused, filtered, closed and broken, so that nobody can map a network through us (SSRF-5).
function unreachable(cause: unknown): ParleyError {
  return new ParleyError('agent_unreachable', 'The agent could not be reached.', { cause });
}
