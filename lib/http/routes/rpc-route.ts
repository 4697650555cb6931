import type { CallLog } from '../../observability';
import type { CallerActor, Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { parseJson } from '../../platform/json';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import {
  chooseDialect,
  type Dialect,
  fallbackDialect,
  type LegacySystem,
  legacySystemDialect,
} from '../../protocol/a2a/dialects';
import type { JsonObject, JsonValue } from '../../protocol/json';
import { type RpcRequest, readRpcRequest, rpcError, rpcIdText, rpcResult } from '../../protocol/jsonrpc';
import { asProtocolError, ProtocolError } from '../../protocol/protocol-error';
import { type AuthenticatedCaller, findCachedCaller, verifyAgentToken } from '../../tokens';
import { CallerCtx } from '../caller-ctx';
import type { EndpointContext, StreamEndpoint } from '../endpoint';
import { extensionsOf } from '../extensions';
import type { HttpRequest, HttpResponse } from '../http-message';
import { nodeEndpoint } from '../node-adapter';
import { challengeOf, retryHeaders, statusOf, toVisibleError } from '../render-error';
import { presentedTokenOf, queryOf, readJsonText, requestIdOf } from '../request';
import { resourceOf } from '../resource';
import type { EventStream } from '../sse/event-stream';
import { type LoggedResponse, withCallLog } from './with-call-log';

/** What a handler of an A2A method gets. A call over HTTP+JSON comes as the JSON-RPC request that says the same. */
export interface RpcCall {
  ctx: Ctx & { actor: CallerActor };
  /** Which the token is for. */
  agent: AuthenticatedCaller['agent'];
  binding: 'JSONRPC' | 'HTTP+JSON';
  dialect: Dialect;
  rpc: RpcRequest;
  /** `A2A-Version`: header, then query; empty when neither is there. */
  version: string;
  /** What the caller wants active at the agent. */
  extensions?: ExtensionUse;
  request: HttpRequest;
  query: URLSearchParams;
}

/** One thing said in a stream, given as JSON text, as the text of an event with this id. JSON text holds no line breaks of its own. */
export type Frame = (json: string, id?: number) => string;

/** What a handler answers with: one result, or events of a stream. `bare` events are written without envelope, as `message` (Web42) or under the name that it is. */
export type RpcResponse =
  | { kind: 'result'; result: JsonValue; headers?: Record<string, string> }
  | { kind: 'events'; open: (frame: Frame, onCancel: () => void) => EventStream; bare: boolean | string };

/** Errors that the HTTP status tells as well; all others travel in HTTP 200 (A2A 1.0 §9.5). */
const httpErrors: ReadonlySet<string> = new Set([
  'unauthenticated',
  'invalid_token',
  'invalid_dpop_proof',
  'use_dpop_nonce',
  'insufficient_scope',
  'payload_too_large',
  'rate_limited',
  'too_many_tasks',
  'too_many_streams',
  'unavailable',
  'agent_not_found',
]);

/** How often a call may have passed through gateways like this one (SSRF-7). */
const maxHops = 4;

/** What is different on paths other than an agent's neutral one. */
interface RpcPath {
  /** The system whose own path this is, so that answers are written its way; undefined: in the dialect that was read. */
  legacySystemFor: (method: string) => LegacySystem | undefined;
  /**
   * Holds the agent that the call is for against the one that the token is for.
   * @throws {ParleyError} `agent_not_found`, `invalid_params`, `invalid_token`
   */
  checkTarget: (call: {
    actor: CallerActor;
    tokenSlug: string;
    pathSlug: string | undefined;
    rpc: RpcRequest;
  }) => Promise<void>;
}

/**
 * An A2A JSON-RPC endpoint of one agent: authenticates by agent token before anything is read, checks the envelope,
 * chooses the dialect, and writes results, streams and errors in it.
 */
export function rpcRoute(handle: (call: RpcCall) => Promise<RpcResponse>, path?: RpcPath): StreamEndpoint {
  return nodeEndpoint((request, context) => {
    const requestId = requestIdOf(request);
    const query = queryOf(request);
    const version = request.headers.get('a2a-version') ?? query.get('A2A-Version') ?? '';
    const system = path?.legacySystemFor('');
    const dialect = system ? legacySystemDialect(system) : fallbackDialect(version);
    const reply: ResponseState = { idText: 'null', dialect, requestId, request };
    const call: CallLog = {
      requestId,
      agent: context.params.slug ?? '',
      method: '',
      dialect: reply.dialect.key,
      transport: 'jsonrpc',
    };
    const requestState = { request, context, query, version, reply, call, path };
    return withCallLog(
      call,
      () => handleCall(handle, requestState),
      (error) => renderRpcError(error, reply),
    );
  });
}

/** What is known of the answer so far; errors are written with it. */
interface ResponseState {
  /** The id of the request, as JSON text. */
  idText: string;
  dialect: Dialect;
  requestId: string;
  request: HttpRequest;
}

interface RequestState {
  request: HttpRequest;
  context: EndpointContext;
  query: URLSearchParams;
  version: string;
  reply: ResponseState;
  call: CallLog;
  path: RpcPath | undefined;
}

async function handleCall(
  handle: (call: RpcCall) => Promise<RpcResponse>,
  arrival: RequestState,
): Promise<HttpResponse | EventStream> {
  const { request, context, query, version, reply, call, path } = arrival;
  const now = new Date();
  const identified = authenticate(request, now, path ? undefined : (context.params.slug ?? ''));
  const { caller: actor, agent } = identified instanceof Promise ? await identified : identified;
  rejectLoops(request);
  const text = await readJsonText(request);
  const body = parseJson(text);
  reply.idText = rpcIdText(body, text);
  const rpc = readRpcRequest(body);
  const system = path?.legacySystemFor(rpc.method);
  reply.dialect = system ? legacySystemDialect(system) : chooseDialect(rpc.method, version);
  call.agent = agent.slug;
  call.method = rpc.method;
  call.dialect = reply.dialect.key;
  if (reply.dialect.legacy?.needsRequestId && (rpc.id ?? null) === null)
    throw new ProtocolError('invalid_request', 'Expected "id": this path takes no notifications.');
  await path?.checkTarget({ actor, tokenSlug: agent.slug, pathSlug: context.params.slug, rpc });
  const ctx = new CallerCtx(request, { actor, requestId: reply.requestId, now });
  const extensions = extensionsOf(request);
  const { dialect } = reply;
  const result = await handle({ ctx, agent, binding: 'JSONRPC', dialect, rpc, version, extensions, request, query });
  if (rpc.id === undefined && result.kind === 'result') return emptyResponse();
  if (result.kind === 'result')
    return json(200, rpcResult(reply.idText, result.result), { requestId: reply.requestId, headers: result.headers });
  const stream = result.open(frameOf(result.bare, reply.idText), () => ctx.abort());
  if (rpc.id !== undefined) return stream;
  await stream.next();
  await stream.cancel();
  return emptyResponse();
}

/** The answer to a notification, which has none. */
function emptyResponse(): HttpResponse {
  return { status: 204, headers: {}, body: null };
}

function frameOf(bare: boolean | string, idText: string): Frame {
  if (bare === false) return sseFrame(`data: {"jsonrpc":"2.0","id":${idText},"result":`, '}\n\n');
  return sseFrame(`event: ${bare === true ? 'message' : bare}\ndata: `, '\n\n');
}

/** A frame of these two texts. Nothing else is made for each event and reader. */
export function sseFrame(before: string, after: string): Frame {
  return (json, id) => (id === undefined ? before + json + after : `id: ${id}\n${before}${json}${after}`);
}

/**
 * Who calls, and for which agent their token is; with `slug` it must be for that one. A promise only when there is something to
 * look up.
 * @throws {ParleyError} (in either way) `unauthenticated`, `invalid_token`, `invalid_dpop_proof`, `use_dpop_nonce`,
 *   `insufficient_scope`
 */
export function authenticate(
  request: HttpRequest,
  now: Date,
  slug: string | undefined,
): AuthenticatedCaller | Promise<AuthenticatedCaller> {
  const cached = cachedBearerCaller(request, now, slug);
  if (cached) return cached;
  const presented = presentedTokenOf(request);
  if (presented === null) {
    const text = `Send a token for this agent as bearer. Get one: POST ${env().APP_URL}/api/auth/handshake {"agentSlug":"…"}.`;
    throw new ParleyError('unauthenticated', text);
  }
  const { token, proof } = presented;
  return verifyAgentToken({ token, proof, slug, now });
}

/** Who calls with a plain bearer token that was good a moment ago: to read the header as a whole takes longer than all of this. */
function cachedBearerCaller(
  request: HttpRequest,
  now: Date,
  slug: string | undefined,
): AuthenticatedCaller | undefined {
  const header = request.headers.get('authorization');
  if (!header?.startsWith('Bearer ') || request.headers.get('dpop') !== null) return undefined;
  return findCachedCaller(header.slice('Bearer '.length), now, slug);
}

/** @throws {ParleyError} `unsupported_operation` for a call that came through too many gateways (SSRF-7) */
export function rejectLoops(request: HttpRequest): void {
  const via = request.headers.get('via');
  if (via === null) return;
  const hops = via.split(',').filter((hop) => hop.trim().endsWith(' parley')).length;
  if (hops >= maxHops)
    throw new ParleyError('unsupported_operation', `The call went through ${hops} gateways already; it is a loop.`);
}

function renderRpcError(error: unknown, reply: ResponseState): LoggedResponse {
  const fault = asProtocolError(error);
  if (fault)
    return { response: json(200, rpcError(reply.idText, reply.dialect.error(fault)), reply), code: fault.code };
  const visible = toVisibleError(error, reply.requestId);
  const body = rpcError(
    reply.idText,
    reply.dialect.error({ code: visible.code, message: visible.message, data: visible.data as JsonObject }),
  );
  const isHttpError = httpErrors.has(visible.code) && !reply.dialect.legacy?.quietErrors.has(visible.code);
  const status = isHttpError ? statusOf(visible.code) : 200;
  const headers = errorHeaders(status, visible, reply.request);
  return { response: json(status, body, { requestId: reply.requestId, headers }), code: visible.code };
}

/** What an error says in headers: how to authenticate, when to come back, that nothing more is read. */
export function errorHeaders(status: number, error: ParleyError, request: HttpRequest): Record<string, string> {
  return {
    ...((status === 401 || status === 403) && { 'www-authenticate': challengeOf(error, resourceOf(request)) }),
    ...(error.code === 'payload_too_large' && { connection: 'close' }),
    ...retryHeaders(error),
  };
}

function json(
  status: number,
  body: string,
  { requestId, headers: extra }: { requestId: string; headers?: Record<string, string> },
): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, headers: extra ? { ...headers, ...extra } : headers, body };
}
