import { hostActorOf, isCrossOrigin } from '../../../http/credentials';
import { problemOf } from '../../../http/errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from '../../../http/handler';
import { readJson, requestIdOf, resourceOf } from '../../../http/request';
import { EventStream } from '../../../http/sse';
import { authorize } from '../../../identity';
import type { Ctx } from '../../../platform/context';
import { hasCode, ParleyError } from '../../../platform/errors';
import { encodeSse } from '../../../platform/http-client/sse';
import { createWakeup } from '../../../platform/runtime/abort';
import type { HostScope } from '../../../platform/scopes';
import { errorCodes, McpError, type McpRequest, readMcpMessage } from '../../../protocol/mcp/messages';
import { agentTools, findCallableAgent, marketTools, readIdentity, type ToolSet } from '../..';
import { MAX_PROGRESS_TEXT } from '../../limits';
import { answerMcp, type McpCall, mcpErrorOf, toErrorBody } from './answer-mcp';
import { cancelCall } from './call-tool';
import { taskMethods } from './tasks-extension';

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
 * `POST /mcp` and `POST /agents/{slug}/mcp`: one JSON-RPC message of MCP 2026-07-28 or of a revision that starts with
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
  // Before an event stream starts, because only a complete response can contain a challenge.
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
 * Rejects pages from another origin by their `Origin` header, including an origin that resolves to this address (DNS
 * rebinding).
 * @throws {ParleyError} `origin_required`
 */
function requireOwnOrigin(request: HttpRequest): void {
  if (isCrossOrigin(request)) throw new ParleyError('origin_required', 'Pages of other origins may not call this URL.');
}

function rpcResponse(status: number, body: object, requestId: string): HttpResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId };
  return { status, body: JSON.stringify(body), headers };
}

/** Returns the scope that a request needs; null if any valid token is sufficient. */
function scopeOf({ method, params }: McpRequest, { tools }: ToolSet): HostScope | null {
  if (method === 'tools/call') return tools.find(({ name }) => name === params.name)?.scope ?? null;
  if (!taskMethods.includes(method)) return null;
  return method === 'tasks/get' ? 'tasks:read' : 'agents:call';
}

/** Runs a call whose progress is sent as notifications before its response. */
function toEventStream(message: McpRequest, call: Omit<McpCall, 'onProgress'>): EventStream {
  const { ctx } = call;
  const queue: object[] = [];
  const wakeup = createWakeup();
  let isDone = false;
  const push = (value: object): void => {
    queue.push(value);
    wakeup.notify();
  };
  let progress = 0;
  const onProgress = (text: string): void => {
    const params = {
      progressToken: message.progressToken,
      progress: ++progress,
      message: text.slice(0, MAX_PROGRESS_TEXT),
    };
    push({ jsonrpc: '2.0', method: 'notifications/progress', params });
  };
  const answered = answerMcp(message, { ...call, onProgress }).then(
    (result) => push({ jsonrpc: '2.0', id: message.id, result }),
    (error) => push(mcpErrorOf(error, { message, requestId: ctx.requestId }).body),
  );
  void answered.then(() => {
    isDone = true;
    wakeup.notify();
  });
  async function* batches(): AsyncGenerator<object[]> {
    for (;;) {
      const woken = wakeup.arm();
      const batch = queue.splice(0);
      if (batch.length > 0) yield batch;
      else if (isDone) return;
      else await woken;
    }
  }
  const stream = EventStream.of({
    batches: batches(),
    encode: (value) => encodeSse({ event: 'message', data: JSON.stringify(value) }),
    onCancel: () => {
      isDone = true;
      wakeup.notify();
    },
  });
  stream.headers['x-request-id'] = ctx.requestId;
  return stream;
}
