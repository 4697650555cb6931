import { actorOf } from '../../http/actor';
import { isCrossOrigin } from '../../http/credentials';
import type { HttpRequest, HttpResponse, StreamHandler } from '../../http/handler';
import { nodeEndpoint } from '../../http/node-adapter';
import { problemOf } from '../../http/render-error';
import { readJson, requestIdOf } from '../../http/request';
import { resourceOf } from '../../http/resource';
import type { EventStream } from '../../http/sse/event-stream';
import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { asParleyError, ParleyError } from '../../platform/errors';
import { McpError, type McpRequest, readMcpMessage } from '../../protocol/mcp/read-message';
import { errorCodes } from '../../protocol/mcp/revisions';
import { answerMcp, mcpErrorOf, toErrorBody } from './answer-mcp';
import { toEventStream } from './progress-stream';
import { cancelCall } from './running-calls';

async function serve(request: HttpRequest): Promise<HttpResponse | EventStream> {
  const requestId = requestIdOf(request);
  try {
    requireOwnOrigin(request);
    const now = new Date();
    const actor = await actorOf(request, now);
    authorize(actor, { scope: 'handshake' });
    const ctx: Ctx = { actor, requestId, signal: request.signal, now };
    return await serveMessage(request, ctx);
  } catch (error) {
    if (error instanceof McpError) return rpcResponse(error.status, toErrorBody(error), requestId);
    const unread = asParleyError(error);
    if (unread?.code === 'parse_error' || unread?.code === 'invalid_request')
      return rpcResponse(400, toErrorBody(new McpError(unread.message, { code: errorCodes.parseError })), requestId);
    return problemOf(error, requestId, resourceOf(request));
  }
}

/**
 * `POST /mcp`: one JSON-RPC message of MCP 2026-07-28 or of a revision that begins with `initialize`. A call that wants
 * progress is answered by an event stream. Authentication fails before the message is read.
 */
export const serveMcp: StreamHandler = Object.assign(nodeEndpoint(serve), {
  spec: { auth: { scope: 'handshake' } as const },
});

async function serveMessage(request: HttpRequest, ctx: Ctx): Promise<HttpResponse | EventStream> {
  const { headers } = request;
  const message = readMcpMessage(await readJson(request), {
    protocolVersion: headers.get('mcp-protocol-version'),
    method: headers.get('mcp-method'),
    name: headers.get('mcp-name'),
  });
  if (message.kind === 'canceled') cancelCall(ctx, message.requestId);
  if (message.kind !== 'request') return { status: 202, body: null, headers: { 'x-request-id': ctx.requestId } };
  if (wantsProgress(message, headers.get('accept') ?? '')) return toEventStream(message, ctx);
  try {
    const result = await answerMcp(message, { ctx });
    return rpcResponse(200, { jsonrpc: '2.0', id: message.id, result }, ctx.requestId);
  } catch (error) {
    const { status, body } = mcpErrorOf(error, { message, requestId: ctx.requestId });
    return rpcResponse(status, body, ctx.requestId);
  }
}

function wantsProgress({ method, progressToken }: McpRequest, accept: string): boolean {
  return method === 'tools/call' && progressToken !== null && accept.includes('text/event-stream');
}

/**
 * Browsers send `Origin`: a page of another origin, also one that resolves to this address (DNS rebinding), is refused.
 * @throws {ParleyError} `origin_required`
 */
function requireOwnOrigin(request: HttpRequest): void {
  if (isCrossOrigin(request)) throw new ParleyError('origin_required', 'Pages of other origins may not call this URL.');
}

function rpcResponse(status: number, body: object, requestId: string): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, body: JSON.stringify(body), headers };
}
