import type { CallerActor } from '../../platform/context';
import type { ParleyError } from '../../platform/errors';
import { parseJson } from '../../platform/json';
import { chooseDialect, fallbackDialect, type LegacySystem, legacySystemDialect } from '../../protocol/a2a/dialects';
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
import type { ErrorResponse, Handler, HttpResponse } from '../handler';
import { queryOf, readJsonText, requestIdOf } from '../request';
import { a2aVersionOf, extensionsOf } from '../request-headers';
import type { EventStream } from '../sse';
import {
  type A2aRequest,
  a2aRoute,
  errorHeaders,
  type FindPayer,
  type Frame,
  type LoggedResponse,
  type ResponseState,
  type RpcCall,
  type RpcResponse,
  sseFrame,
} from './a2a-call';

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
export function rpcRoute(
  handle: (call: RpcCall) => Promise<RpcResponse>,
  { path, findPayer }: { path?: RpcPath; findPayer?: FindPayer } = {},
): Handler {
  return a2aRoute<RpcState>({
    begin: (request) => {
      const query = queryOf(request);
      const version = a2aVersionOf(request, query);
      const system = path?.legacySystemFor('');
      const dialect = system ? legacySystemDialect(system) : fallbackDialect(version);
      return {
        idText: 'null',
        isNotification: false,
        dialect,
        requestId: requestIdOf(request),
        request,
        query,
        version,
      };
    },
    entryOf: ({ dialect }) => ({ transport: 'jsonrpc', method: '', dialect: dialect.key }),
    slugOf: ({ params }) => (path ? undefined : (params.slug ?? '')),
    respond: (call) => respond(call, { handle, path }),
    renderError: renderRpcError,
    findPayer,
  });
}

interface RpcState extends ResponseState {
  /** The request's JSON-RPC id, as JSON text. */
  idText: string;
  /** True if the response has no body. */
  isNotification: boolean;
  query: URLSearchParams;
  version: string;
}

async function respond(
  { ctx, agent, context, state, entry }: A2aRequest<RpcState>,
  { handle, path }: { handle: (call: RpcCall) => Promise<RpcResponse>; path: RpcPath | undefined },
): Promise<HttpResponse | EventStream> {
  const { request, query, version, requestId } = state;
  const text = await readJsonText(request);
  const body = parseJson(text);
  state.idText = rpcIdText(body, text);
  state.isNotification = isNotification(body);
  const rpc = readRpcRequest(body);
  const system = path?.legacySystemFor(rpc.method);
  state.dialect = system ? legacySystemDialect(system) : chooseDialect(rpc.method, version);
  const { dialect, idText } = state;
  entry.agent = agent.slug;
  entry.method = rpc.method;
  entry.dialect = dialect.key;
  if (!dialect.hasNotifications && (rpc.id ?? null) === null)
    throw new ProtocolError('invalid_request', 'Expected "id": this path does not accept notifications.');
  await path?.checkTarget({ actor: ctx.actor, tokenSlug: agent.slug, pathSlug: context.params.slug, rpc });
  const extensions = extensionsOf(request);
  const { address } = context;
  const call = { ctx, agent, binding: 'JSONRPC', dialect, rpc, version, extensions, request, query, address } as const;
  const result = await handle(call);
  if (rpc.id === undefined && result.kind === 'result') return emptyResponse(result.headers);
  if (result.kind === 'result')
    return json(200, rpcResult(idText, result.result), { requestId, headers: result.headers });
  const stream = result.open(frameOf(result.bare, idText), () => ctx.abort());
  if (rpc.id !== undefined) return stream;
  await stream.next();
  await stream.cancel();
  return emptyResponse(stream.headers);
}

/** Returns the response to a notification. */
function emptyResponse(headers: Record<string, string> = {}): HttpResponse {
  return { status: 204, headers, body: null };
}

function frameOf(bare: boolean | string, idText: string): Frame {
  if (bare === false) return sseFrame(`data: {"jsonrpc":"2.0","id":${idText},"result":`, '}\n\n');
  return sseFrame(`event: ${bare === true ? 'message' : bare}\ndata: `, '\n\n');
}

/**
 * Renders an error. A notification's error has no body, but its status and headers still request a retry delay or
 * authentication.
 */
function renderRpcError(error: unknown, state: RpcState): LoggedResponse<ErrorResponse> {
  const { response, code } = renderErrorResponse(error, state);
  if (!state.isNotification || !state.dialect.hasNotifications) return { response, code };
  const { 'content-type': _, ...headers } = response.headers;
  return { response: { status: response.status === 200 ? 204 : response.status, headers, body: null }, code };
}

function renderErrorResponse(
  error: unknown,
  { dialect, idText, requestId, request }: RpcState,
): LoggedResponse<ErrorResponse> {
  if (error instanceof ProtocolError)
    return { response: json(200, rpcError(idText, dialect.error(error)), { requestId }), code: error.code };
  const visible = toVisibleError(error, requestId);
  const { code, message } = visible;
  // Clients of x402 decide by the status.
  const status = dialect.hasHttpStatus(code) || isAboutPayment(visible) ? statusOf(code) : 200;
  const body = rpcError(idText, dialect.error({ code, message, data: visible.data as JsonObject }));
  return { response: json(status, body, { requestId, headers: errorHeaders(status, visible, request) }), code };
}

/** Returns true if a payment that was sent, or that is required now, is the reason of an error. */
function isAboutPayment({ code, headers }: ParleyError): boolean {
  return headers !== undefined && (code === 'payment_required' || statusOf(code) === 409);
}

function json(
  status: number,
  body: string,
  { requestId, headers: extra }: { requestId: string; headers?: Record<string, string> },
): HttpResponse<string> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, headers: extra ? { ...headers, ...extra } : headers, body };
}
