import type { CallerActor, Ctx } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { type SseEvent, sseResponse } from '../platform/sse';
import { chooseDialect, type Dialect, fallbackDialect } from '../protocol/a2a/dialects';
import { asProtocolFault } from '../protocol/faults';
import type { JsonObject, JsonValue } from '../protocol/json';
import { type RpcId, type RpcRequest, readRpcRequest, rpcError, rpcIdOf, rpcResult } from '../protocol/jsonrpc';
import { verifyAgentToken } from '../tokens';
import type { Endpoint, EndpointContext } from './endpoint';
import { challengeOf, statusOf, toVisibleError } from './render-error';
import { bearerOf, readJson, requestIdOf } from './request';
import { respond } from './respond';

/** What a handler of an A2A method gets. */
export interface RpcCall {
  ctx: Ctx & { actor: CallerActor };
  slug: string;
  dialect: Dialect;
  rpc: RpcRequest;
  /** `A2A-Version`: header, then query; empty when neither is there. */
  version: string;
  request: Request;
  url: URL;
}

/** What a handler answers with: one result, or events of a stream. `bare` events are written without envelope (Web42). */
export type RpcAnswer =
  | { kind: 'result'; result: JsonValue }
  | { kind: 'events'; events: AsyncGenerator<{ id: string; data: JsonValue }[]>; bare: boolean };

/** Errors that the HTTP status tells as well; all others travel in HTTP 200 (A2A 1.0 §9.5). */
const httpErrors: ReadonlySet<string> = new Set([
  'unauthenticated',
  'invalid_token',
  'insufficient_scope',
  'payload_too_large',
  'rate_limited',
  'too_many_tasks',
  'too_many_streams',
  'unavailable',
]);

/** How often a call may have passed through gateways like this one (SSRF-7). */
const maxHops = 4;

/**
 * An A2A JSON-RPC endpoint of one agent: authenticates by agent token before anything is read, checks the envelope,
 * chooses the dialect, and writes results, streams and errors in it.
 */
export function rpcRoute(handle: (call: RpcCall) => Promise<RpcAnswer>): Endpoint {
  return async (request, context) => {
    const requestId = requestIdOf(request);
    const url = new URL(request.url);
    const version = request.headers.get('a2a-version') ?? url.searchParams.get('A2A-Version') ?? '';
    const reply: Reply = { id: null, dialect: fallbackDialect(version), requestId };
    try {
      return await answer(handle, { request, context, url, version, reply });
    } catch (error) {
      return renderRpcError(error, reply);
    }
  };
}

/** What is known of the answer so far; errors are written with it. */
interface Reply {
  id: RpcId;
  dialect: Dialect;
  requestId: string;
}

interface Arrival {
  request: Request;
  context: EndpointContext;
  url: URL;
  version: string;
  reply: Reply;
}

async function answer(handle: (call: RpcCall) => Promise<RpcAnswer>, arrival: Arrival): Promise<Response> {
  const { request, context, url, version, reply } = arrival;
  const slug = context.params.slug ?? '';
  const now = new Date();
  const actor = await authenticate(request, slug, now);
  refuseLoops(request);
  const body = await readJson(request);
  reply.id = rpcIdOf(body);
  const rpc = readRpcRequest(body);
  reply.dialect = chooseDialect(rpc.method, version);
  const leave = new AbortController();
  const ctx = { actor, requestId: reply.requestId, signal: AbortSignal.any([request.signal, leave.signal]), now };
  const result = await handle({ ctx, slug, dialect: reply.dialect, rpc, version, request, url });
  if (rpc.id === undefined && result.kind === 'result') return new Response(null, { status: 204 });
  if (result.kind === 'result') return json(200, rpcResult(reply.id, result.result), reply);
  const id = reply.id;
  return sseResponse(toSse(result.events, result.bare ? null : (data) => rpcResult(id, data)), () => leave.abort());
}

async function authenticate(request: Request, slug: string, now: Date): Promise<CallerActor> {
  const token = bearerOf(request);
  if (token === null) {
    const text = `Send a token for this agent as bearer. Get one: POST ${env().APP_URL}/api/auth/handshake {"agentSlug":"…"}.`;
    throw new ParleyError('unauthenticated', text);
  }
  return verifyAgentToken({ token, slug, now });
}

function refuseLoops(request: Request): void {
  const hops = (request.headers.get('via') ?? '').split(',').filter((hop) => hop.trim().endsWith(' parley')).length;
  if (hops >= maxHops)
    throw new ParleyError('unsupported_operation', `The call went through ${hops} gateways already; it is a loop.`);
}

async function* toSse(
  events: AsyncGenerator<{ id: string; data: JsonValue }[]>,
  wrap: ((data: JsonValue) => JsonValue) | null,
): AsyncGenerator<SseEvent[]> {
  for await (const batch of events) {
    yield batch.map(({ id, data }) => ({
      id,
      event: wrap ? undefined : 'message',
      data: JSON.stringify(wrap ? wrap(data) : data),
    }));
  }
}

function renderRpcError(error: unknown, reply: Reply): Response {
  const fault = asProtocolFault(error);
  if (fault) return json(200, rpcError(reply.id, reply.dialect.error(fault)), reply);
  const visible = toVisibleError(error, reply.requestId);
  const body = rpcError(
    reply.id,
    reply.dialect.error({ code: visible.code, message: visible.message, data: visible.data as JsonObject }),
  );
  const response = json(httpErrors.has(visible.code) ? statusOf(visible.code) : 200, body, reply);
  if (response.status === 401 || response.status === 403)
    response.headers.set('www-authenticate', challengeOf(visible));
  if (response.status === 413) response.headers.set('connection', 'close');
  if (visible.retryAfter !== undefined) response.headers.set('retry-after', String(Math.ceil(visible.retryAfter)));
  return response;
}

function json(status: number, body: JsonValue, { requestId }: Reply): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return respond(status, JSON.stringify(body), headers);
}
