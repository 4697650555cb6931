import { ParleyError } from '../../platform/errors';
import { parseJson } from '../../platform/json';
import {
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
import type { ErrorResponse, Handler, HttpRequest, HttpResponse } from '../handler';
import { mediaTypeOf, queryOf, readJson, readText, requestIdOf } from '../request';
import { a2aVersionOf, extensionsOf } from '../request-headers';
import type { EventStream } from '../sse';
import {
  type A2aRequest,
  a2aRoute,
  errorHeaders,
  type FindPayer,
  type LoggedResponse,
  type ResponseState,
  type RpcCall,
  type RpcResponse,
  sseFrame,
} from './a2a-call';

/** The version and operation of an endpoint of the HTTP binding. */
export interface RestRoute {
  version: RestVersion;
  operation: RestOperation;
}

const a2aJson = 'application/a2a+json';

interface RestState extends ResponseState {
  mediaType: string;
}

/**
 * Returns a handler for an endpoint of A2A's HTTP+JSON binding (1.0 §11, 0.3 §3.5.3). It authenticates like the
 * JSON-RPC endpoint, transcodes the request to JSON-RPC, and encodes results, streams and errors for the binding.
 */
export function restRoute(
  route: RestRoute,
  handle: (call: RpcCall) => Promise<RpcResponse>,
  findPayer?: FindPayer,
): Handler {
  return a2aRoute<RestState>({
    begin: (request) => ({
      dialect: fallbackDialect(route.version),
      requestId: requestIdOf(request),
      mediaType: responseMediaType(request),
      request,
    }),
    entryOf: () => ({ transport: 'rest', method: route.operation, dialect: route.version }),
    slugOf: ({ params }) => params.slug ?? '',
    respond: (call) => respond(call, route, handle),
    renderError: renderRestError,
    findPayer,
  });
}

async function respond(
  { ctx, agent, context, state, entry }: A2aRequest<RestState>,
  { version: pathVersion, operation }: RestRoute,
  handle: (call: RpcCall) => Promise<RpcResponse>,
): Promise<HttpResponse | EventStream> {
  const { request } = state;
  const query = queryOf(request);
  const version = a2aVersionOf(request, query);
  const dialect = restDialect(pathVersion, version);
  state.dialect = dialect;
  if (dialect.key === '1.1') entry.dialect = dialect.key;
  const { task, config } = context.params;
  const params = { task, config, query: filtersOf(query), body: await bodyOf(request) };
  const rpc = { id: null, ...toRpc(pathVersion, operation, params) };
  const extensions = extensionsOf(request);
  const { address } = context;
  const call = {
    ctx,
    agent,
    binding: 'HTTP+JSON',
    dialect,
    rpc,
    version,
    extensions,
    request,
    query,
    address,
  } as const;
  const result = await handle(call);
  if (result.kind === 'events') return result.open(bareFrame, () => ctx.abort());
  // google.protobuf.Empty in both protos.
  if (operation === 'push-delete') return json(200, {}, state);
  return json(operation === 'push-set' ? 201 : 200, result.result, { ...state, headers: result.headers });
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

function renderRestError(error: unknown, state: RestState): LoggedResponse<ErrorResponse> {
  if (error instanceof ProtocolError) {
    const { status, body } = restErrorOf(state.dialect, error, statusOf(error.code));
    return { response: json(status, body, state), code: error.code };
  }
  const visible = toVisibleError(error, state.requestId);
  const { code, message } = visible;
  const { status, body } = restErrorOf(
    state.dialect,
    { code, message, data: visible.data as JsonObject },
    statusOf(code),
  );
  const headers = errorHeaders(status, visible, state.request);
  return { response: json(status, body, { ...state, headers }), code };
}

function json(
  status: number,
  body: JsonValue,
  { requestId, mediaType, headers }: RestState & { headers?: Record<string, string> },
): HttpResponse<string> {
  return {
    status,
    headers: { 'cache-control': 'no-store', 'x-request-id': requestId, ...headers, 'content-type': mediaType },
    body: JSON.stringify(body),
  };
}
