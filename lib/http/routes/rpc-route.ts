import type { CallLog } from '../../observability';
import { type CallerActor, readTrace } from '../../platform/context';
import { parseJson } from '../../platform/json';
import {
  chooseDialect,
  type Dialect,
  fallbackDialect,
  type LegacySystem,
  legacySystemDialect,
} from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import {
  isNotification,
  type RpcRequest,
  readRpcRequest,
  rpcError,
  rpcIdText,
  rpcResult,
} from '../../protocol/jsonrpc';
import { ProtocolError } from '../../protocol/protocol-error';
import { statusOf, toVisibleError } from '../errors/render-error';
import type { ErrorResponse, Handler, HandlerContext, HttpRequest, HttpResponse } from '../handler';
import { queryOf, readJsonText, requestIdOf } from '../request';
import { a2aVersionOf, extensionsOf } from '../request-headers';
import type { EventStream } from '../sse';
import {
  authenticate,
  CallerCtx,
  errorHeaders,
  type Frame,
  type LoggedResponse,
  type RpcCall,
  type RpcResponse,
  rejectLoops,
  sseFrame,
  withCallLog,
} from './a2a-call';

/** Errors with their own HTTP status. All others have 200 (A2A 1.0 §9.5). */
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

/** A call and the agent in its path. */
export interface TargetCheck {
  actor: CallerActor;
  tokenSlug: string;
  pathSlug: string | undefined;
  rpc: RpcRequest;
}

/** The behavior of paths other than an agent's neutral path. */
interface RpcPath {
  /** Returns the legacy system of the path, whose dialect responses use; undefined for the dialect of the request. */
  legacySystemFor: (method: string) => LegacySystem | undefined;
  /**
   * Requires that the call's target is the agent of the token.
   * @throws {ParleyError} `agent_not_found`, `invalid_params`, `invalid_token`
   */
  checkTarget: (call: TargetCheck) => Promise<void>;
}

/**
 * Returns a handler for an A2A JSON-RPC endpoint of one agent. It authenticates by agent token before it reads the
 * body, validates the envelope, chooses the dialect, and encodes results, streams and errors in that dialect.
 */
export function rpcRoute(handle: (call: RpcCall) => Promise<RpcResponse>, path?: RpcPath): Handler {
  const begin = (request: HttpRequest, version: string): ResponseState => {
    const system = path?.legacySystemFor('');
    const dialect = system ? legacySystemDialect(system) : fallbackDialect(version);
    return { idText: 'null', isNotification: false, dialect, requestId: requestIdOf(request), request };
  };
  const handler: Handler = (request, context) => {
    const query = queryOf(request);
    const version = a2aVersionOf(request, query);
    const responseState = begin(request, version);
    const { requestId } = responseState;
    const call: CallLog = {
      requestId,
      agent: context.params.slug ?? '',
      method: '',
      dialect: responseState.dialect.key,
      transport: 'jsonrpc',
      trace: readTrace(request.headers),
    };
    const requestState = { request, context, query, version, responseState, call, path };
    return withCallLog(
      call,
      () => handleCall(handle, requestState),
      (error) => renderRpcError(error, responseState),
    );
  };
  const renderRejection = (request: HttpRequest, error: unknown): ErrorResponse =>
    renderRpcError(error, begin(request, a2aVersionOf(request, queryOf(request)))).response;
  return Object.assign(handler, { takesAgentTokens: true, renderRejection });
}

/** The properties of the response so far, with which errors are encoded. */
interface ResponseState {
  /** The request's JSON-RPC id, as JSON text. */
  idText: string;
  /** True if the response has no body. */
  isNotification: boolean;
  dialect: Dialect;
  requestId: string;
  request: HttpRequest;
}

interface RequestState {
  request: HttpRequest;
  context: HandlerContext;
  query: URLSearchParams;
  version: string;
  responseState: ResponseState;
  call: CallLog;
  path: RpcPath | undefined;
}

async function handleCall(
  handle: (call: RpcCall) => Promise<RpcResponse>,
  state: RequestState,
): Promise<HttpResponse | EventStream> {
  const { request, context, query, version, responseState, call, path } = state;
  const now = new Date();
  const identified = authenticate(request, now, path ? undefined : (context.params.slug ?? ''));
  const { caller: actor, agent } = identified instanceof Promise ? await identified : identified;
  rejectLoops(request);
  const text = await readJsonText(request);
  const body = parseJson(text);
  responseState.idText = rpcIdText(body, text);
  responseState.isNotification = isNotification(body);
  const rpc = readRpcRequest(body);
  const system = path?.legacySystemFor(rpc.method);
  responseState.dialect = system ? legacySystemDialect(system) : chooseDialect(rpc.method, version);
  call.agent = agent.slug;
  call.method = rpc.method;
  call.dialect = responseState.dialect.key;
  if (responseState.dialect.legacy?.needsRequestId && (rpc.id ?? null) === null)
    throw new ProtocolError('invalid_request', 'Expected "id": this path does not accept notifications.');
  await path?.checkTarget({ actor, tokenSlug: agent.slug, pathSlug: context.params.slug, rpc });
  const ctx = new CallerCtx(request, { actor, requestId: responseState.requestId, now });
  const extensions = extensionsOf(request);
  const { dialect } = responseState;
  const result = await handle({ ctx, agent, binding: 'JSONRPC', dialect, rpc, version, extensions, request, query });
  if (rpc.id === undefined && result.kind === 'result') return emptyResponse();
  if (result.kind === 'result')
    return json(200, rpcResult(responseState.idText, result.result), {
      requestId: responseState.requestId,
      headers: result.headers,
    });
  const stream = result.open(frameOf(result.bare, responseState.idText), () => ctx.abort());
  if (rpc.id !== undefined) return stream;
  await stream.next();
  await stream.cancel();
  return emptyResponse();
}

/** Returns the response to a notification. */
function emptyResponse(): HttpResponse {
  return { status: 204, headers: {}, body: null };
}

function frameOf(bare: boolean | string, idText: string): Frame {
  if (bare === false) return sseFrame(`data: {"jsonrpc":"2.0","id":${idText},"result":`, '}\n\n');
  return sseFrame(`event: ${bare === true ? 'message' : bare}\ndata: `, '\n\n');
}

/**
 * Renders an error. A notification's error has no body, but its status and headers still request a retry delay or
 * authentication.
 */
function renderRpcError(error: unknown, responseState: ResponseState): LoggedResponse<ErrorResponse> {
  const { response, code } = renderErrorResponse(error, responseState);
  if (!responseState.isNotification || responseState.dialect.legacy?.needsRequestId) return { response, code };
  const { 'content-type': _, ...headers } = response.headers;
  return { response: { status: response.status === 200 ? 204 : response.status, headers, body: null }, code };
}

function renderErrorResponse(error: unknown, responseState: ResponseState): LoggedResponse<ErrorResponse> {
  if (error instanceof ProtocolError) {
    const body = rpcError(responseState.idText, responseState.dialect.error(error));
    return { response: json(200, body, responseState), code: error.code };
  }
  const visible = toVisibleError(error, responseState.requestId);
  const body = rpcError(
    responseState.idText,
    responseState.dialect.error({ code: visible.code, message: visible.message, data: visible.data as JsonObject }),
  );
  const isHttpError =
    httpErrors.has(visible.code) && !responseState.dialect.legacy?.errorsWithStatus200.has(visible.code);
  const status = isHttpError ? statusOf(visible.code) : 200;
  const headers = errorHeaders(status, visible, responseState.request);
  return { response: json(status, body, { requestId: responseState.requestId, headers }), code: visible.code };
}

function json(
  status: number,
  body: string,
  { requestId, headers: extra }: { requestId: string; headers?: Record<string, string> },
): HttpResponse<string> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, headers: extra ? { ...headers, ...extra } : headers, body };
}
