import { hostActorOf, isCrossOrigin } from '../../../http/credentials';
import { problemOf } from '../../../http/errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../../../http/handler';
import { readJson, requestIdOf } from '../../../http/request';
import { resourceOf } from '../../../http/resource';
import type { EventStream } from '../../../http/sse/event-stream';
import { authorize } from '../../../identity';
import type { Ctx } from '../../../platform/context';
import { hasCode, ParleyError } from '../../../platform/errors';
import { errorCodes, McpError, type McpRequest, readMcpMessage } from '../../../protocol/mcp/messages';
import { agentTools, findCallableAgent, marketTools, readIdentity, type ToolSet } from '../..';
import { answerMcp, mcpErrorOf, toErrorBody } from './answer-mcp';
import { toEventStream } from './progress-stream';
import { cancelCall } from './running-calls';
import { scopeOf } from './scope-of';

async function serve(request: HttpRequest, { params }: HandlerContext): Promise<HttpResponse | EventStream> {
  const requestId = requestIdOf(request);
  try {
    requireOwnOrigin(request);
    const now = new Date();
    const actor = await hostActorOf(request, now);
    const user = authorize(actor, 'host');
    const ctx: Ctx = { actor, requestId, signal: request.signal, now };
    const { slug } = params;
    const tools = slug === undefined ? marketTools : agentTools(await findCallableAgent(user, slug, 'slug'));
    return await serveMessage(request, { ctx, tools });
  } catch (error) {
    if (error instanceof McpError) return rpcResponse(error.status, toErrorBody(error), requestId);
    if (hasCode(error, 'parse_error') || hasCode(error, 'invalid_request'))
      return rpcResponse(400, toErrorBody(new McpError(error.message, { code: errorCodes.parseError })), requestId);
    return problemOf(error, requestId, resourceOf(request));
  }
}

/**
 * `POST /mcp` and `POST /agents/{slug}/mcp`: one JSON-RPC message of MCP 2026-07-28 or of a revision that begins with
 * `initialize`. A call that requests progress is answered by an event stream. Authentication is checked before the
 * message is read.
 */
export const serveMcp: Handler = Object.assign(serve, { spec: { auth: 'host' as const } });

async function serveMessage(
  request: HttpRequest,
  { ctx, tools }: { ctx: Ctx; tools: ToolSet },
): Promise<HttpResponse | EventStream> {
  const { headers } = request;
  const message = readMcpMessage(await readJson(request), {
    protocolVersion: headers.get('mcp-protocol-version'),
    method: headers.get('mcp-method'),
    name: headers.get('mcp-name'),
  });
  const { endUser } = readIdentity({}, (name) => headers.get(name));
  if (message.kind === 'canceled') await cancelCall({ ctx, endUser }, message.requestId);
  if (message.kind !== 'request') return { status: 202, body: null, headers: { 'x-request-id': ctx.requestId } };
  const scope = scopeOf(message, tools);
  // Before an event stream begins: only a complete response can contain a challenge.
  if (scope) authorize(ctx.actor, { hostScope: scope });
  if (wantsProgress(message, headers.get('accept') ?? '')) return toEventStream(message, { ctx, tools, endUser });
  try {
    const result = await answerMcp(message, { ctx, tools, endUser });
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
 * Refuses pages of another origin by the `Origin` header of browsers, including an origin that resolves to this address
 * (DNS rebinding).
 * @throws {ParleyError} `origin_required`
 */
function requireOwnOrigin(request: HttpRequest): void {
  if (isCrossOrigin(request)) throw new ParleyError('origin_required', 'Pages of other origins may not call this URL.');
}

function rpcResponse(status: number, body: object, requestId: string): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, body: JSON.stringify(body), headers };
}
