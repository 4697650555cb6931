import {
  answerMcpTurn,
  initialize,
  isMcpError,
  listTools,
  type McpTool,
  type McpTurn,
  WaitingCalls,
} from '@parley/agent/mcp';
import { LRUCache } from 'lru-cache';
import { ParleyError } from '../../platform/errors';
import {
  McpHttpError,
  type McpHttpOptions,
  McpHttpTransport,
  type McpSession,
} from '../../platform/http-client/mcp-transport';
import { failedBeforeSend } from '../../platform/http-client/safe-fetch';
import { newUuid } from '../../platform/ids';
import { type AgentItem, readAgentResult, toAgentRequest } from '../../protocol/a2a/dialects';
import type { JsonValue } from '../../protocol/json';
import { MAX_MCP_SESSIONS, MCP_SESSION_MS, MCP_TOOLS_MS } from '../limits';
import { callLimitsOf } from '../rate-limits';
import { AgentHttpError, parseRetryAfter, toAgentError } from './agent-error';
import { type Batches, dialectOf, type EndpointRequest, peekFirst } from './send-request';

/** Sessions by agent and context, so that what one caller does in a session is not another caller's. */
const sessions = new LRUCache<string, McpSession>({ max: MAX_MCP_SESSIONS, ttl: MCP_SESSION_MS });
/** Tools by agent, listing and caller, because a server may offer each caller other tools. */
const toolLists = new LRUCache<string, McpTool[]>({ max: MAX_MCP_SESSIONS, ttl: MCP_TOOLS_MS });
const waiting = new WaitingCalls((callback, ms) => {
  const timer = setTimeout(callback, ms).unref();
  return () => clearTimeout(timer);
});
/** Functions that abort the calls of this node, by task. */
const running = new Map<string, () => void>();

const CLIENT = { name: 'parley', title: 'Parley', version: '1.0.0' };
const TASK_NOT_FOUND = -32001;
const METHOD_NOT_FOUND = -32601;

/**
 * Sends one request to an MCP server: a message calls a tool, or asks for one, and its events are those of a task with
 * Parley's own ids. Servers have no tasks, so that all other requests only check that the server answers.
 * @throws {ParleyError} the errors of `safe-fetch`; the server's own error; an `AgentHttpError`
 */
export async function sendMcpRequest(call: EndpointRequest): Promise<Batches> {
  const { request } = call;
  if ('message' in request) return peekFirst(answer(call));
  if (request.op === 'cancel') return [[cancelTask(request.taskId)]];
  const code = request.op === 'get' ? TASK_NOT_FOUND : METHOD_NOT_FOUND;
  const { signal, release } = signalOf(call);
  try {
    await initialize(new McpHttpTransport(optionsOf(call)), { signal, client: CLIENT });
  } catch (error) {
    throw toCallError(error, call);
  } finally {
    release();
  }
  throw toAgentError({ code, message: 'An MCP server keeps no tasks.' });
}

/** Stops the call of a task if it runs or waits here. */
function cancelTask(taskId: string): AgentItem {
  running.get(taskId)?.();
  waiting.cancel(taskId);
  return { type: 'task', taskId, state: 'canceled', message: null, artifacts: [], history: [] };
}

async function* answer(call: EndpointRequest): AsyncGenerator<AgentItem[]> {
  const key = `${call.agent.id} ${turnOf(call).contextId}`;
  const known = sessions.get(key) ?? null;
  let hasAnswered = false;
  try {
    for await (const items of answerInSession(call, key, known)) {
      hasAnswered = true;
      yield items;
    }
  } catch (error) {
    const hasExpired = known !== null && error instanceof AgentHttpError && error.status === 404;
    if (!hasExpired || hasAnswered) throw error;
    sessions.delete(key);
    // The server has ended the earlier session and processed nothing.
    yield* answerInSession(call, key, null);
  }
}

/** @throws {ParleyError} as a call; a 404 shows that the session has ended and that no tool was called */
async function* answerInSession(
  call: EndpointRequest,
  key: string,
  session: McpSession | null,
): AsyncGenerator<AgentItem[]> {
  const { recorder } = call;
  const { signal, release, abort } = signalOf(call);
  const transport = new McpHttpTransport(optionsOf(call));
  const turn = { ...turnOf(call), signal, group: { agent: call.agent.id, caller: call.caller } };
  transport.session = session;
  const earlier = waiting.peek(turn.taskId)?.transport;
  let failure: unknown;
  running.set(turn.taskId, abort);
  try {
    // The rest of a call that waited is part of this call's record.
    if (earlier instanceof McpHttpTransport) earlier.options = optionsOf(call);
    if (!session) await initialize(transport, { signal, client: CLIENT });
    if (transport.session) sessions.set(key, transport.session);
    const tools = await toolsOf(call, transport, signal);
    for await (const event of answerMcpTurn(turn, { tools, transport, waiting })) yield [toItem(event)];
  } catch (error) {
    const isCalled = transport.hasCalled || (earlier && !waiting.peek(turn.taskId));
    failure = isCalled ? afterCall(toCallError(error, call)) : toCallError(error, call);
    throw failure;
  } finally {
    if (running.get(turn.taskId) === abort) running.delete(turn.taskId);
    release();
    if (!(failure instanceof AgentHttpError && failure.status === 404)) recorder.end(failure);
  }
}

async function toolsOf(call: EndpointRequest, transport: McpHttpTransport, signal: AbortSignal): Promise<McpTool[]> {
  const key = `${call.agent.id} ${call.agent.updatedAt.getTime()} ${call.caller}`;
  const known = toolLists.get(key);
  if (known) return known;
  const tools = await listTools(transport, { signal });
  toolLists.set(key, tools);
  return tools;
}

/** Returns the message in A2A 1.0, with Parley's ids of the task and its context. */
function turnOf({ request, taskId = newUuid() }: EndpointRequest): Omit<McpTurn, 'signal' | 'group'> {
  if (!('message' in request)) throw new Error('expected a message');
  const { params } = toAgentRequest('1.0', '', request) as object as {
    params: { message: { parts: McpTurn['parts'] } };
  };
  const { message, ownContextId = newUuid(), history = [] } = request;
  const contextId = message.contextId ?? ownContextId;
  return { taskId, contextId, parts: params.message.parts, history: history as object as McpTurn['history'] };
}

function toItem(event: object): AgentItem {
  const item = readAgentResult(event as JsonValue, newUuid);
  if (item) return item;
  throw new ParleyError('agent_misbehaved', "The MCP server's result cannot be converted.");
}

function optionsOf(call: EndpointRequest): McpHttpOptions {
  const { endpoint, authorization, recorder, onStatus, agent } = call;
  const { unaryTimeoutMs, idleTimeoutMs } = callLimitsOf(agent);
  return {
    url: authorization.urlOf(endpoint.url),
    headers: headersOf(authorization.headers),
    waitMs: unaryTimeoutMs,
    idleMs: idleTimeoutMs,
    onRequest: (request) =>
      recorder.onRequest({ ...request, dialect: dialectOf(endpoint), redact: authorization.redact }),
    onResponse: (status, headers) => {
      recorder.onResponse(status, headers);
      onStatus(status);
    },
    onChunk: recorder.onChunk,
  };
}

/**
 * Returns the headers of an authorization. Servers must receive only tokens that were issued for them (MCP 2025-11-25,
 * Authorization), so that Parley's token is in a header of its own.
 */
function headersOf({ authorization = '', ...headers }: Record<string, string>): Record<string, string> {
  const token = headers['parley-token'] ?? authorization.slice('Bearer '.length);
  const isOwn = authorization !== `Bearer ${token}`;
  return { ...headers, 'parley-token': token, ...(isOwn && { authorization }) };
}

/** Returns the signal of a call as that of the platform, and functions to end it and to stop listening. */
function signalOf({ signal }: EndpointRequest): { signal: AbortSignal; abort: () => void; release: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason ?? new DOMException('The task was canceled.', 'AbortError'));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return { signal: controller.signal, abort, release: () => signal.removeEventListener('abort', abort) };
}

/**
 * Returns an error that permits no second attempt, because the server has accepted the call of a tool. The status, or the
 * failed connection, is that of a later request.
 */
function afterCall(error: unknown): unknown {
  if (!(error instanceof AgentHttpError) && !failedBeforeSend(error)) return error;
  const { message } = error as ParleyError;
  return new ParleyError('agent_misbehaved', message);
}

/** Converts an error of the transport to that of a call; its text is the server's, without secrets. */
function toCallError(error: unknown, { authorization, signal }: EndpointRequest): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof McpHttpError) {
    const { status, headers } = error;
    const isRejected = status === 401 || status === 403;
    const text = isRejected ? `The MCP server rejected the call (HTTP ${status}).` : error.message;
    return new AgentHttpError(status, text, { retryAfter: parseRetryAfter(headers) });
  }
  if (!isMcpError(error)) return error;
  const message = authorization.redact(error.message);
  return error.code === null ? new ParleyError('agent_misbehaved', message) : toAgentError({ code: 0, message });
}
