import { ParleyError } from '../errors.js';
import { type Clock, sleep } from './clock.js';
import { type OnError, reportTo } from './on-error.js';
import { openSocket, type SocketConstructor } from './open-socket.js';
import { type JsonObject, type Methods, Peer } from './peer.js';
import { retryAfterClose } from './retry-policy.js';
import type { ServeToken, TokenSource } from './tokens.js';

/** Options of a worker's connection. */
export interface ConnectionOptions {
  hubUrl: string;
  WebSocket: SocketConstructor;
  clock: Clock;
  tokens: TokenSource;
  /** The hello without its token. */
  hello: () => JsonObject;
  methodsOf: (peer: () => Peer) => Methods;
  /** Called with the response to the hello before any later frame is read. */
  onWelcome: (peer: Peer, welcome: JsonObject) => void;
  onError: OnError;
}

const HELLO_TIMEOUT_MS = 15_000;
/** A connection without a frame for this multiple of the hub's ping interval is dead. */
const SILENCE_FACTOR = 2.25;
const DEFAULT_PING_MS = 20_000;
/** A token is renewed in the last fifth of its lifetime, at least a minute before it expires. */
const RENEW_AT = 0.8;
const RENEW_BEFORE_MS = 60_000;
const RENEW_RETRY_MS = 10_000;

/**
 * Opens a connection and sends the hello. The connection then renews its token, and detects the loss of the hub.
 * @throws {ParleyError} with the hub's reason, or `unreachable`
 */
export async function openConnection(options: ConnectionOptions): Promise<Peer> {
  const { hubUrl, WebSocket, clock, tokens, hello, methodsOf, onWelcome, onError } = options;
  const token = await tokens.get();
  const socket = await openSocket(hubUrl, WebSocket);
  const peer: Peer = new Peer(
    socket,
    methodsOf(() => peer),
    clock,
  );
  let pingMs = DEFAULT_PING_MS;
  const onResult = (welcome: JsonObject): void => {
    const { pingMs: given } = (welcome.policy ?? {}) as JsonObject;
    if (typeof given === 'number' && given > 0) pingMs = given;
    onWelcome(peer, welcome);
  };
  try {
    const params = { token: token.token, ...hello() };
    await peer.request('hub.hello', params, { timeoutMs: HELLO_TIMEOUT_MS, onResult });
  } catch (error) {
    peer.close(1000);
    throw await reasonOf(error, peer);
  }
  void keepAlive(peer, { clock, pingMs, onError });
  if (tokens.isRenewable) void keepAuthorized(peer, { clock, tokens, token, onError });
  return peer;
}

/** Returns the reason why the hub closed the connection during the hello. */
async function reasonOf(error: unknown, peer: Peer): Promise<unknown> {
  if (!(error instanceof ParleyError) || error.code !== 'disconnected') return error;
  const closed = await peer.closed;
  const retry = retryAfterClose(closed);
  if ('stop' in retry) return retry.stop;
  const code = retry.newToken ? 'invalid_token' : 'unreachable';
  return new ParleyError(code, `The hub closed the connection: ${closed.code} ${closed.reason}`.trim(), {
    retryAfter: retry.waitMs / 1_000,
  });
}

/** Checks after a silence if the connection is alive, because browsers do not expose the hub's pings. */
async function keepAlive(
  peer: Peer,
  { clock, pingMs, onError }: { clock: Clock; pingMs: number; onError: OnError },
): Promise<void> {
  const ended = endOf(peer);
  while (peer.isOpen) {
    await sleep(clock, pingMs, ended);
    const silence = clock.now() - peer.lastFrameAt;
    if (silence >= pingMs * SILENCE_FACTOR) peer.abandon();
    else if (silence >= pingMs) peer.request('hub.ping', {}).catch(reportTo(onError, 'A ping'));
  }
}

async function keepAuthorized(
  peer: Peer,
  { clock, tokens, token, onError }: { clock: Clock; tokens: TokenSource; token: ServeToken; onError: OnError },
): Promise<void> {
  const ended = endOf(peer);
  let { expiresAt } = token;
  while (peer.isOpen && expiresAt !== null) {
    const leftMs = expiresAt * 1_000 - clock.now();
    await sleep(clock, Math.max(RENEW_RETRY_MS, Math.min(leftMs * RENEW_AT, leftMs - RENEW_BEFORE_MS)), ended);
    if (!peer.isOpen) return;
    // A failure leaves the old token and time for another attempt; finally the hub closes with 4401.
    try {
      const renewed = await tokens.get();
      await peer.request('hub.auth', { token: renewed.token });
      expiresAt = renewed.expiresAt;
    } catch (error) {
      reportTo(onError, 'Renewing the token')(error);
    }
  }
}

function endOf(peer: Peer): AbortSignal {
  const controller = new AbortController();
  void peer.closed.then(() => controller.abort());
  return controller.signal;
}
