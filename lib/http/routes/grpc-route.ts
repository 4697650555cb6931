import { ParleyError } from '../../platform/errors';
import { type A2aRpc, decodeA2aRequest, encodeA2aResponse } from '../../platform/grpc/a2a-codec';
import { statusTrailers } from '../../platform/grpc/status';
import { chooseDialect, type Dialect, fallbackDialect, grpcErrorOf } from '../../protocol/a2a/dialects';
import type { JsonObject } from '../../protocol/json';
import { ProtocolError } from '../../protocol/protocol-error';
import { statusOf, toVisibleError } from '../errors/render-error';
import type { ErrorResponse, Handler, HttpRequest, HttpResponse } from '../handler';
import { requestIdOf } from '../request';
import { extensionsOf } from '../request-headers';
import type { EventStream } from '../sse';
import {
  type A2aRequest,
  a2aRoute,
  type BinaryFrame,
  errorHeaders,
  type LoggedResponse,
  type ResponseState,
  type RpcCall,
  type RpcResponse,
} from './a2a-call';

const noQuery = new URLSearchParams();

/** A call whose request has a tenant. */
export interface TenantCheck extends Pick<RpcCall, 'ctx' | 'agent'> {
  tenant: string;
}

interface GrpcPath {
  rpc: A2aRpc;
  handle: (call: RpcCall) => Promise<RpcResponse>;
  /**
   * Requires that `tenant`, if the request has one, is the agent of the token.
   * @throws {ParleyError} `agent_not_found`, `invalid_token`
   */
  checkTenant: (call: TenantCheck) => Promise<void>;
}

/**
 * Returns a handler for a method of A2A's gRPC binding (1.0 §10). It authenticates like the JSON-RPC endpoint, by the
 * metadata `authorization`, and transcodes the message to JSON-RPC params. A response with `grpc-status` in its headers
 * is an error.
 */
export function grpcRoute(path: GrpcPath): Handler {
  return a2aRoute<ResponseState>({
    begin: (request) => ({ dialect: dialectOf(request), requestId: requestIdOf(request), request }),
    entryOf: ({ dialect }) => ({ transport: 'grpc', method: path.rpc, dialect: dialect.key }),
    slugOf: () => undefined,
    respond: (call) => respond(call, path),
    renderError,
  });
}

async function respond(
  { ctx, agent, context, state, entry }: A2aRequest<ResponseState>,
  { rpc: method, handle, checkTenant }: GrpcPath,
): Promise<HttpResponse | EventStream> {
  const { request, requestId } = state;
  entry.agent = agent.slug;
  const version = versionOf(request);
  const dialect = chooseDialect(method, version);
  const bytes = await request.arrayBuffer();
  const params = decodeA2aRequest(method, bytes as Buffer);
  if (typeof params.tenant === 'string' && params.tenant !== '')
    await checkTenant({ ctx, agent, tenant: params.tenant });
  const rpc = { id: null, method, params };
  const extensions = extensionsOf(request);
  const result = await handle({
    ctx,
    agent,
    binding: 'GRPC',
    dialect,
    rpc,
    version,
    extensions,
    request,
    query: noQuery,
    address: context.address,
  });
  if (result.kind === 'result') {
    const headers = { 'x-request-id': requestId, ...result.headers };
    return { status: 200, headers, body: encodeA2aResponse(method, result.result as JsonObject) };
  }
  if (!result.openBinary) throw new ParleyError('unsupported_operation', 'This stream is not available over gRPC.');
  return result.openBinary(eventFrames[dialect.key === '1.1' ? '1.1' : '1.0'], () => ctx.abort());
}

function versionOf({ headers }: HttpRequest): string {
  return headers.get('a2a-version') ?? '';
}

/** Messages in the gRPC binding are those of A2A 1.0, to which 1.1 adds fields. */
function dialectOf(request: HttpRequest): Dialect {
  return fallbackDialect(versionOf(request).startsWith('1.1') ? '1.1' : '1.0');
}

/** One function for each version, because streams share the events that it encodes. */
const eventFrames: Record<'1.0' | '1.1', BinaryFrame> = {
  '1.0': (event) => encodeA2aResponse('SubscribeToTask', event),
  '1.1': (event) => encodeA2aResponse('SubscribeToTask', event),
};

/** Renders an error as trailers: `google.rpc.Status` with its details, and the headers that the HTTP bindings send. */
function renderError(error: unknown, { dialect, request, requestId }: ResponseState): LoggedResponse<ErrorResponse> {
  const visible = error instanceof ProtocolError ? null : toVisibleError(error, requestId);
  const encodable = visible
    ? { code: visible.code, message: visible.message, data: visible.data as JsonObject }
    : (error as ProtocolError);
  const status = statusOf(encodable.code);
  const trailers = statusTrailers(grpcErrorOf(dialect, encodable, status));
  const { connection: _, ...headers } = visible ? errorHeaders(status, visible, request) : {};
  return {
    response: { status, headers: { 'x-request-id': requestId, ...headers, ...trailers }, body: null },
    code: encodable.code,
  };
}
