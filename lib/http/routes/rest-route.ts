import type { CallLog } from '../../observability';
import { readTrace } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { parseJson } from '../../platform/json';
import {
  type ErrorToEncode,
  fallbackDialect,
  type RestOperation,
  type RestVersion,
  restDialect,
  restErrorOf,
  toRpc,
} from '../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';
import { statusOf, toVisibleError } from '../errors/render-error';
import type { ErrorResponse, Handler, HandlerContext, HttpRequest, HttpResponse } from '../handler';
import { mediaTypeOf, queryOf, readJson, readText, requestIdOf } from '../request';
import { a2aVersionOf, extensionsOf } from '../request-headers';
import type { EventStream } from '../sse';
import {
  authenticate,
  CallerCtx,
  errorHeaders,
  type LoggedResponse,
  type RpcCall,
  type RpcResponse,
  rejectLoops,
  sseFrame,
  withCallLog,
} from './a2a-call';

type Dialect = RpcCall['dialect'];

/** The version and operation of an endpoint of the HTTP binding. */
export interface RestRoute {
  version: RestVersion;
  operation: RestOperation;
}

const a2aJson = 'application/a2a+json';

/** The properties of the response so far, with which errors are encoded. */
interface ResponseState {
  dialect: Dialect;
  requestId: string;
  mediaType: string;
  request: HttpRequest;
  headers?: Record<string, string>;
}

/**
 * Returns a handler for an endpoint of A2A's HTTP+JSON binding (1.0 §11, 0.3 §3.5.3). It authenticates like the
 * JSON-RPC endpoint, transcodes the request to JSON-RPC, and encodes results, streams and errors for the binding.
 */
export function restRoute(route: RestRoute, handle: (call: RpcCall) => Promise<RpcResponse>): Handler {
  const begin = (request: HttpRequest): ResponseState => ({
    dialect: fallbackDialect(route.version),
    requestId: requestIdOf(request),
    mediaType: responseMediaType(request),
    request,
  });
  const handler: Handler = (request, context) => {
    const responseState = begin(request);
    const { requestId } = responseState;
    const call: CallLog = {
      requestId,
      agent: context.params.slug ?? '',
      method: route.operation,
      dialect: route.version,
      transport: 'rest',
      trace: readTrace(request.headers),
    };
    const requestState = { route, handle, request, context, responseState };
    return withCallLog(
      call,
      () => handleCall(requestState),
      (error) => renderRestError(error, responseState),
    );
  };
  const renderRejection = (request: HttpRequest, error: unknown): ErrorResponse =>
    renderRestError(error, begin(request)).response;
  return Object.assign(handler, { takesAgentTokens: true, renderRejection });
}

interface RequestState {
  route: RestRoute;
  handle: (call: RpcCall) => Promise<RpcResponse>;
  request: HttpRequest;
  context: HandlerContext;
  responseState: ResponseState;
}

async function handleCall({
  route,
  handle,
  request,
  context,
  responseState,
}: RequestState): Promise<HttpResponse | EventStream> {
  const slug = context.params.slug ?? '';
  const now = new Date();
  const { caller: actor, agent } = await authenticate(request, now, slug);
  rejectLoops(request);
  const query = queryOf(request);
  const version = a2aVersionOf(request, query);
  responseState.dialect = restDialect(route.version, version);
  const { task, config } = context.params;
  const rpc = toRpc(route.version, route.operation, {
    task,
    config,
    query: filtersOf(query),
    body: await bodyOf(request),
  });
  const ctx = new CallerCtx(request, { actor, requestId: responseState.requestId, now });
  const { dialect } = responseState;
  const call = {
    ctx,
    agent,
    binding: 'HTTP+JSON' as const,
    dialect,
    rpc: { id: null, ...rpc },
    version,
    extensions: extensionsOf(request),
    request,
    query,
  };
  const result = await handle(call);
  if (result.kind === 'events') return result.open(bareFrame, () => ctx.abort());
  // google.protobuf.Empty in both protos.
  if (route.operation === 'push-delete') return json(200, {}, responseState);
  const status = route.operation === 'push-set' ? 201 : 200;
  return json(status, result.result, { ...responseState, headers: result.headers });
}

const bareFrame = sseFrame('data: ', '\n\n');

function filtersOf(query: URLSearchParams): Record<string, string> {
  const filters = Object.fromEntries(query);
  delete filters['A2A-Version'];
  return filters;
}

/**
 * Returns the JSON body. No body and `null` count as an empty object, because some clients send them for empty
 * requests.
 */
async function bodyOf(request: HttpRequest): Promise<JsonObject> {
  if (request.method !== 'POST') return {};
  const value = isJson(request) ? await readOptional(request) : await readUnlessEmpty(request);
  if (value === null) return {};
  if (isObject(value)) return value;
  throw new ParleyError('invalid_request', 'Expected a JSON object as the body.');
}

function isJson(request: HttpRequest): boolean {
  return /^application\/(?:json|[\w.-]+\+json)$/.test(mediaTypeOf(request));
}

async function readOptional(request: HttpRequest): Promise<JsonValue> {
  const text = await readText(request);
  return text.trim() === '' ? null : parseJson(text);
}

async function readUnlessEmpty(request: HttpRequest): Promise<JsonValue> {
  const length = request.headers.get('content-length');
  const isEmpty = length === null ? request.headers.get('transfer-encoding') === null : length === '0';
  return isEmpty ? null : readJson(request);
}

/** Returns `application/json`, unless the caller accepts or sends `application/a2a+json` (A2A 1.0 §11.2). */
function responseMediaType(request: HttpRequest): string {
  const accepted = (request.headers.get('accept') ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.replace(/\s/g, ''))
    .filter((range) => range !== '' && !/;q=0(\.0*)?$/.test(range))
    .map((range) => range.split(';', 1)[0]);
  // A caller that accepts any type receives the type of its own body.
  const requested = accepted.every((range) => range === '*/*')
    ? mediaTypeOf(request)
    : accepted.find((range) => range === a2aJson);
  return requested === a2aJson ? a2aJson : 'application/json';
}

function renderRestError(error: unknown, responseState: ResponseState): LoggedResponse<ErrorResponse> {
  if (error instanceof ProtocolError) {
    const { status, body } = restErrorOf(responseState.dialect, error, statusOf(error.code));
    return { response: json(status, body, responseState), code: error.code };
  }
  const visible = toVisibleError(error, responseState.requestId);
  const encodable: ErrorToEncode = { code: visible.code, message: visible.message, data: visible.data as JsonObject };
  const { status, body } = restErrorOf(responseState.dialect, encodable, statusOf(visible.code));
  const headers = errorHeaders(status, visible, responseState.request);
  return { response: json(status, body, { ...responseState, headers }), code: visible.code };
}

function headersOf({ requestId, headers }: ResponseState): Record<string, string> {
  return { 'cache-control': 'no-store', 'x-request-id': requestId, ...headers };
}

function json(status: number, body: JsonValue, responseState: ResponseState): HttpResponse<string> {
  return {
    status,
    headers: { ...headersOf(responseState), 'content-type': responseState.mediaType },
    body: JSON.stringify(body),
  };
}
