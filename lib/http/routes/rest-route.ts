import type { CallLog } from '../../observability';
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
import { asProtocolError } from '../../protocol/protocol-error';
import { CallerCtx } from '../caller-ctx';
import type { EndpointContext, StreamEndpoint } from '../endpoint';
import { extensionsOf } from '../extensions';
import type { HttpRequest, HttpResponse } from '../http-message';
import { nodeEndpoint } from '../node-adapter';
import { statusOf, toVisibleError } from '../render-error';
import { mediaTypeOf, queryOf, readJson, readText, requestIdOf } from '../request';
import type { EventStream } from '../sse/event-stream';
import { authenticate, errorHeaders, type RpcCall, type RpcResponse, rejectLoops, sseFrame } from './rpc-route';
import { type LoggedResponse, withCallLog } from './with-call-log';

type Dialect = RpcCall['dialect'];

/** Which operation of which version a row of the HTTP binding is. */
export interface RestRoute {
  version: RestVersion;
  operation: RestOperation;
}

const a2aJson = 'application/a2a+json';

/** What is known of the answer so far; errors are written with it. */
interface ResponseState {
  dialect: Dialect;
  requestId: string;
  mediaType: string;
  request: HttpRequest;
  headers?: Record<string, string>;
}

/**
 * An endpoint of A2A's HTTP+JSON binding (1.0 §11, 0.3 §3.5.3): authenticates as the JSON-RPC endpoint does, turns the
 * request into the JSON-RPC request that says the same, and writes results, streams and errors as the binding has them.
 */
export function restRoute(route: RestRoute, handle: (call: RpcCall) => Promise<RpcResponse>): StreamEndpoint {
  return nodeEndpoint((request, context) => {
    const requestId = requestIdOf(request);
    const dialect = fallbackDialect(route.version);
    const reply = { dialect, requestId, mediaType: responseMediaType(request), request };
    const call: CallLog = {
      requestId,
      agent: context.params.slug ?? '',
      method: route.operation,
      dialect: route.version,
      transport: 'rest',
    };
    const requestState = { route, handle, request, context, reply };
    return withCallLog(
      call,
      () => handleCall(requestState),
      (error) => renderRestError(error, reply),
    );
  });
}

interface RequestState {
  route: RestRoute;
  handle: (call: RpcCall) => Promise<RpcResponse>;
  request: HttpRequest;
  context: EndpointContext;
  reply: ResponseState;
}

async function handleCall({
  route,
  handle,
  request,
  context,
  reply,
}: RequestState): Promise<HttpResponse | EventStream> {
  const slug = context.params.slug ?? '';
  const now = new Date();
  const { caller: actor, agent } = await authenticate(request, now, slug);
  rejectLoops(request);
  const query = queryOf(request);
  const version = request.headers.get('a2a-version') ?? query.get('A2A-Version') ?? '';
  reply.dialect = restDialect(route.version, version);
  const { task, config } = context.params;
  const rpc = toRpc(route.version, route.operation, {
    task,
    config,
    query: filtersOf(query),
    body: await bodyOf(request),
  });
  const ctx = new CallerCtx(request, { actor, requestId: reply.requestId, now });
  const { dialect } = reply;
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
  // google.protobuf.Empty, as both protos have it.
  if (route.operation === 'push-delete') return json(200, {}, reply);
  const status = route.operation === 'push-set' ? 201 : 200;
  return json(status, result.result, { ...reply, headers: result.headers });
}

const bareFrame = sseFrame('data: ', '\n\n');

function filtersOf(query: URLSearchParams): Record<string, string> {
  const filters = Object.fromEntries(query);
  delete filters['A2A-Version'];
  return filters;
}

/** The JSON body; nothing and `null` count as an empty object, for clients that say so where nothing is needed. */
async function bodyOf(request: HttpRequest): Promise<JsonObject> {
  if (request.method !== 'POST') return {};
  const value = isJson(request) ? await readOptional(request) : await readUnlessEmpty(request);
  if (value === null) return {};
  if (isObject(value)) return value;
  throw new ParleyError('invalid_request', 'Expected a JSON object as body.');
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

/** A2A 1.0 §11.2: `application/json`, unless the caller speaks of `application/a2a+json`. */
function responseMediaType(request: HttpRequest): string {
  const accepted = (request.headers.get('accept') ?? '')
    .toLowerCase()
    .split(',')
    .map((range) => range.replace(/\s/g, ''))
    .filter((range) => range !== '' && !/;q=0(\.0*)?$/.test(range))
    .map((range) => range.split(';', 1)[0]);
  // Who takes anything hears what they speak.
  const requested = accepted.every((range) => range === '*/*')
    ? mediaTypeOf(request)
    : accepted.find((range) => range === a2aJson);
  return requested === a2aJson ? a2aJson : 'application/json';
}

function renderRestError(error: unknown, reply: ResponseState): LoggedResponse {
  const fault = asProtocolError(error);
  if (fault) {
    const { status, body } = restErrorOf(reply.dialect, fault, statusOf(fault.code));
    return { response: json(status, body, reply), code: fault.code };
  }
  const visible = toVisibleError(error, reply.requestId);
  const encodable: ErrorToEncode = { code: visible.code, message: visible.message, data: visible.data as JsonObject };
  const { status, body } = restErrorOf(reply.dialect, encodable, statusOf(visible.code));
  const headers = errorHeaders(status, visible, reply.request);
  return { response: json(status, body, { ...reply, headers }), code: visible.code };
}

function headersOf({ requestId, headers }: ResponseState): Record<string, string> {
  return { 'cache-control': 'no-store', 'x-request-id': requestId, ...headers };
}

function json(status: number, body: JsonValue, reply: ResponseState): HttpResponse {
  return { status, headers: { ...headersOf(reply), 'content-type': reply.mediaType }, body: JSON.stringify(body) };
}
