import { type CallLog, startCallLog } from '../../observability';
import { type CallerActor, type Ctx, readTrace, type Trace } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { childController } from '../../platform/runtime/abort';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { Dialect } from '../../protocol/a2a/dialects';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject, JsonValue } from '../../protocol/json';
import type { RpcRequest } from '../../protocol/jsonrpc';
import { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from '../../tokens';
import { presentedTokenOf } from '../credentials';
import { challengeHeaders, retryHeaders } from '../errors/error-headers';
import type { ErrorResponse, Handler, HandlerContext, HttpRequest, HttpResponse } from '../handler';
import { MAX_HOPS } from '../limits';
import { resourceOf } from '../request';
import { EventStream } from '../sse';

/**
 * An A2A call in the form that its handler receives. Calls of the other bindings are transcoded to the equivalent
 * JSON-RPC request.
 */
export interface RpcCall {
  ctx: Ctx & { actor: CallerActor };
  /** The agent that the token was issued for. */
  agent: AuthenticatedCaller['agent'];
  binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC';
  dialect: Dialect;
  rpc: RpcRequest;
  /** `A2A-Version` of the header, otherwise of the query, otherwise empty. */
  version: string;
  /** The extensions that the caller requests. */
  extensions?: ExtensionUse;
  request: HttpRequest;
  query: URLSearchParams;
  /** The caller's address. */
  address: string;
  /** Identifies the send instead of `Idempotency-Key`, for a send that a payment identifies. */
  sendKey?: string;
}

/** Encodes one-line JSON text as an SSE event with this id. */
export type Frame = (json: string, id?: number) => string;

/**
 * Encodes one event in a binary format. Must be the same function for all streams of a binding, because streams of one
 * task share encoded events.
 */
export type BinaryFrame = (event: JsonObject) => Uint8Array;

/**
 * A result or an event stream. `bare` events have no envelope. Their event name is `message` or the given string.
 * `openBinary` is absent for the dialects that only JSON-RPC has.
 */
export type RpcResponse =
  | { kind: 'result'; result: JsonValue; headers?: Record<string, string> }
  | {
      kind: 'events';
      open: (frame: Frame, onCancel: () => void) => EventStream;
      openBinary?: (frame: BinaryFrame, onCancel: () => void) => EventStream;
      bare: boolean | string;
    };

/** Returns a frame with this text before and after the JSON, without other allocations per event and client. */
export function sseFrame(before: string, after: string): Frame {
  return (json, id) => (id === undefined ? before + json + after : `id: ${id}\n${before}${json}${after}`);
}

/**
 * Returns the caller and the agent of their token, which must be `slug` if given. Returns a promise only if a lookup is
 * required.
 * @throws {ParleyError} (thrown or rejected) `unauthenticated`, `invalid_token`, `invalid_dpop_proof`,
 *   `use_dpop_nonce`, `insufficient_scope`
 */
function authenticate(
  request: HttpRequest,
  now: Date,
  slug: string | undefined,
): AuthenticatedCaller | Promise<AuthenticatedCaller> {
  const cached = cachedBearerCaller(request, now, slug);
  if (cached) return cached;
  const presented = presentedTokenOf(request);
  if (presented === null) throw tokenRequired();
  const { token, proof } = presented;
  return verifyAgentToken({ token, proof, slug, now });
}

/** The error of a call without a token. */
export function tokenRequired(): ParleyError {
  const text = `Send a token for this agent as a bearer token. Get one with POST ${env().APP_URL}/api/auth/handshake {"agentSlug":"…"}.`;
  return new ParleyError('unauthenticated', text);
}

/**
 * Returns the cached caller of a recently verified bearer token. Skips parsing the header, which is slower than the
 * lookup.
 */
function cachedBearerCaller(
  request: HttpRequest,
  now: Date,
  slug: string | undefined,
): AuthenticatedCaller | undefined {
  const header = request.headers.get('authorization');
  if (!header?.startsWith('Bearer ') || request.headers.get('dpop') !== null) return undefined;
  return findCachedCaller(header.slice('Bearer '.length), now, slug);
}

/**
 * Rejects calls that have passed through too many gateways.
 * @throws {ParleyError} `unsupported_operation`
 */
function rejectLoops(request: HttpRequest): void {
  const via = request.headers.get('via');
  if (via === null) return;
  const hops = via.split(',').filter((hop) => hop.trim().endsWith(' parley')).length;
  if (hops >= MAX_HOPS)
    throw new ParleyError(
      'unsupported_operation',
      `The call already went through ${hops} gateways, which looks like a loop.`,
    );
}

/**
 * Returns the response headers of an error: the challenge, `Retry-After`, and `Connection: close` if the body is not
 * read.
 */
export function errorHeaders(status: number, error: ParleyError, request: HttpRequest): Record<string, string> {
  return {
    ...challengeHeaders(error, status, resourceOf(request)),
    ...(error.code === 'payload_too_large' && { connection: 'close' }),
    ...retryHeaders(error),
    ...error.headers,
  };
}

/**
 * Returns the agent at a path for a caller without a token, who may pay for a send; null if that is not possible there.
 * The caller has no principal and no scope, so every operation rejects it as unauthenticated until a payment admits it.
 * Limits the network of the caller, whose body is read next.
 */
export type FindPayer = (slug: string, from: { address: string; now: Date }) => Promise<AuthenticatedCaller | null>;

/** The properties of a response so far, with which errors are encoded. */
export interface ResponseState {
  dialect: Dialect;
  requestId: string;
  request: HttpRequest;
}

/** An authenticated request of a binding, before its body is read. */
export interface A2aRequest<State extends ResponseState> {
  ctx: CallerCtx;
  agent: AuthenticatedCaller['agent'];
  context: HandlerContext;
  state: State;
  /** The entry of the call in the log, which may be completed when the body has been read. */
  entry: CallLog;
}

/** A binding of A2A to HTTP. */
interface A2aBinding<State extends ResponseState> {
  begin: (request: HttpRequest) => State;
  /** Returns the properties of the call that are logged if it fails before its body is read. */
  entryOf: (state: State) => Pick<CallLog, 'transport' | 'method' | 'dialect'>;
  /** Returns the agent for which the token must be; undefined if the body may specify it. */
  slugOf: (context: HandlerContext) => string | undefined;
  respond: (call: A2aRequest<State>) => Promise<LoggedResponse['response']>;
  renderError: (error: unknown, state: State) => LoggedResponse<ErrorResponse>;
  /** Absent if callers without a token are never served. */
  findPayer?: FindPayer;
}

/** Returns a handler for endpoints of a binding, which authenticates by agent token, logs each call and renders errors. */
export function a2aRoute<State extends ResponseState>(binding: A2aBinding<State>): Handler {
  const { begin, entryOf, slugOf, respond, renderError, findPayer } = binding;
  const handler: Handler = (request, context) => {
    const state = begin(request);
    const { requestId } = state;
    const { method, dialect, transport } = entryOf(state);
    const trace = readTrace(request.headers);
    const entry: CallLog = { requestId, agent: context.params.slug ?? '', method, dialect, transport, trace };
    const handle = async (): Promise<LoggedResponse['response']> => {
      const now = new Date();
      const slug = slugOf(context);
      const isOpen = findPayer && slug !== undefined && request.headers.get('authorization') === null;
      const payer = isOpen ? await findPayer(slug, { address: context.address, now }) : null;
      const identified = payer ?? authenticate(request, now, slug);
      const { caller: actor, agent } = identified instanceof Promise ? await identified : identified;
      rejectLoops(request);
      return respond({ ctx: new CallerCtx(request, { actor, requestId, now }), agent, context, state, entry });
    };
    return withCallLog(entry, handle, (error) => renderError(error, state));
  };
  const renderRejection = (request: HttpRequest, error: unknown): ErrorResponse =>
    renderError(error, begin(request)).response;
  return Object.assign(handler, { takesAgentTokens: true, renderRejection });
}

/** A response and its error code, if it is an error. */
export interface LoggedResponse<Content = HttpResponse | EventStream> {
  response: Content;
  code?: string;
}

/**
 * Runs a handler and logs the call once, when its response has ended. The handler may add data to `call` while it
 * parses the request. `onError` renders errors.
 */
async function withCallLog(
  call: CallLog,
  handler: () => Promise<LoggedResponse['response']>,
  onError: (error: unknown) => LoggedResponse,
): Promise<LoggedResponse['response']> {
  const logCall = startCallLog(call.trace);
  let outcome: LoggedResponse;
  try {
    outcome = { response: await handler() };
  } catch (error) {
    outcome = onError(error);
  }
  const { response, code } = outcome;
  if (response instanceof EventStream)
    response.onEnded(() => logCall(call, { status: 200, code: undefined, streamed: true }));
  // After the response is written, so that the client does not wait for the log.
  else process.nextTick(logSafely, logCall, call, { status: response.status, code, streamed: false });
  return response;
}

/** Writes the call log. A failure is only logged, because the response has been sent. */
function logSafely(logCall: ReturnType<typeof startCallLog>, ...args: Parameters<typeof logCall>): void {
  try {
    logCall(...args);
  } catch (error) {
    log.error('call.log_failed', errorFields(error));
  }
}

/**
 * The context of an agent call. Its signal aborts when the client disconnects, and is created on first access. A class
 * for the reason given in docs/decisions/0013.
 */
class CallerCtx implements Ctx {
  readonly actor: CallerActor;
  readonly requestId: string;
  readonly now: Date;
  readonly trace: Trace | undefined;
  readonly #request: HttpRequest;
  #disconnect: AbortController | undefined;

  constructor(request: HttpRequest, { actor, requestId, now }: Pick<CallerCtx, 'actor' | 'requestId' | 'now'>) {
    this.actor = actor;
    this.requestId = requestId;
    this.now = now;
    this.trace = readTrace(request.headers);
    this.#request = request;
  }

  get signal(): AbortSignal {
    if (this.#request.abort) return this.#request.signal;
    this.#disconnect ??= childController(this.#request.signal);
    return this.#disconnect.signal;
  }

  /** Aborts the call, regardless of whether the client is still connected. */
  abort(): void {
    this.#request.abort?.();
    this.#disconnect?.abort();
  }
}
