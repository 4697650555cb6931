import type { AgentRecord } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import type { ResponseReader } from '../../platform/http-client/response-reader';
import { readSse, type SseEvent } from '../../platform/http-client/sse';
import { newUuid } from '../../platform/ids';
import { parseJson, repeatedMemberIn } from '../../platform/json';
import {
  type AgentItem,
  type AgentRequest,
  type DataTexts,
  findDataTexts,
  readAgentError,
  readAgentResult,
} from '../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { FULL_TASK_LIMIT_FACTOR, MAX_RESPONSE_BYTES, MAX_RESPONSE_MEMBERS } from '../limits';
import { AgentHttpError, parseRetryAfter, toAgentError } from './agent-error';
import type { CallRecorder } from './call-recorder';

/** The size limits of one response or event: bytes, members and elements. */
interface ResponseLimits {
  bytes: number;
  members: number;
}

const defaultLimits: ResponseLimits = { bytes: MAX_RESPONSE_BYTES, members: MAX_RESPONSE_MEMBERS };
const fullTaskLimits: ResponseLimits = {
  bytes: FULL_TASK_LIMIT_FACTOR * MAX_RESPONSE_BYTES,
  members: FULL_TASK_LIMIT_FACTOR * MAX_RESPONSE_MEMBERS,
};

/** The data needed to parse an endpoint's response. */
export interface ResponseContext {
  request: AgentRequest;
  endpoint: AgentRecord['endpoints'][number];
  /** The id of our JSON-RPC request. */
  envelopeId: string;
  /** Redacts secrets in the agent's error text. */
  redact: (text: string) => string;
  recorder: CallRecorder;
}

// Endpoints respond with JSON-RPC, with HTTP+JSON, or with bare objects without an envelope (Web42, Orloj). Items in
// other envelopes are dropped.

/**
 * Returns the item of a unary response, or a promise if the body is incomplete.
 * @throws (synchronously or by rejection) {ParleyError} `agent_misbehaved`; the agent's own error; an `AgentHttpError`;
 * a connection error
 */
export function readUnaryResponse(context: ResponseContext, response: ResponseReader): AgentItem | Promise<AgentItem> {
  const bytes = response.buffer(limitsFor(context.request).bytes);
  const read = (all: Buffer): AgentItem => readItem(context, parseBody(context, response, all)) ?? throwNotA2a();
  return bytes instanceof Promise ? bytes.then(read) : read(bytes);
}

/**
 * Returns the object in a unary response that does not concern a task.
 * @throws the errors of {@link readUnaryResponse}
 */
export async function readObjectResponse(context: ResponseContext, response: ResponseReader): Promise<JsonObject> {
  const bytes = await response.buffer(limitsFor(context.request).bytes);
  const { text, value } = parseBody(context, response, bytes);
  if (repeatedMemberIn(text, value) !== null) throwNotA2a();
  const result = resultOf(context, value);
  return isObject(result) ? result : throwNotA2a();
}

/**
 * Yields the items of a stream, in batches as they arrive.
 * @throws the errors of {@link readUnaryResponse}
 */
export async function* readStreamedResponse(
  context: ResponseContext,
  response: ResponseReader,
): AsyncGenerator<AgentItem[]> {
  const limits = limitsFor(context.request);
  let started = false;
  try {
    for await (const events of readSse(response.chunks(), limits.bytes)) {
      const { items, failure } = readBatch(context, events, limits);
      started ||= items.length > 0;
      if (items.length > 0) yield items;
      if (failure) throw failure.error;
    }
  } catch (error) {
    // Before the first item, another endpoint may still succeed.
    if (started) context.recorder.end(error);
    throw error;
  } finally {
    if (started) context.recorder.end();
  }
}

function parseBody(context: ResponseContext, { status, headers }: ResponseReader, bytes: Buffer): Parsed {
  const text = bytes.toString('utf8');
  if (status >= 200 && status <= 299) return { text, value: parseLimitedJson(text, limitsFor(context.request)) };
  throw toHttpError(context, { status, retryAfter: parseRetryAfter(headers) }, text);
}

function throwNotA2a(): never {
  throw new ParleyError('agent_misbehaved', "The agent's response is not an A2A result.");
}

/** Returns the items before the first error event. One chunk may contain both. */
function readBatch(
  context: ResponseContext,
  events: SseEvent[],
  limits: ResponseLimits,
): { items: AgentItem[]; failure?: { error: unknown } } {
  const items: AgentItem[] = [];
  try {
    for (const event of events) {
      const item = readEvent(context, event, limits);
      if (item) items.push(item);
    }
  } catch (error) {
    return { items, failure: { error } };
  }
  return { items };
}

/**
 * Reads one event; null for an event without an item, because agents and proxies keep streams open with empty data, a
 * word or a date.
 */
function readEvent(
  context: ResponseContext,
  { event, data, unterminated }: SseEvent,
  limits: ResponseLimits,
): AgentItem | null {
  const isObjectText = data.trimStart().startsWith('{');
  if (!isObjectText && event !== 'error') return null;
  if (unterminated && !isCompleteJson(data)) return null;
  const value = parseLimitedJson(data, limits);
  const rpcError = event === 'error' ? readAgentError(value) : null;
  if (rpcError) throw toAgentError({ ...rpcError, message: context.redact(rpcError.message) });
  return readItem(context, { text: data, value });
}

/** An agent's JSON, as text and parsed. */
interface Parsed {
  text: string;
  value: JsonValue;
}

function readItem(context: ResponseContext, { text, value }: Parsed): AgentItem | null {
  const result = resultOf(context, value);
  if (result === undefined) return null;
  const dataText: DataTexts | undefined = findDataTexts(text, value);
  return readAgentResult(result, newUuid, dataText ? { ...context.endpoint, dataText } : context.endpoint);
}

/** Returns the content of our envelope, or the bare value; undefined for another envelope. */
function resultOf({ envelopeId, redact }: ResponseContext, value: JsonValue): JsonValue | undefined {
  const isEnvelope = isObject(value) && value.jsonrpc !== undefined;
  if (isEnvelope && value.id !== envelopeId && !(value.id === null && isObject(value.error))) return undefined;
  const rpcError = isObject(value) && isObject(value.error) ? readAgentError(value) : null;
  if (rpcError) throw toAgentError({ ...rpcError, message: redact(rpcError.message) });
  return isEnvelope ? value.result : value;
}

/** Returns the limits of a response to this request. A complete task may be larger. */
export function limitsFor({ op }: AgentRequest): ResponseLimits {
  return op === 'get' || op === 'subscribe' ? fullTaskLimits : defaultLimits;
}

/**
 * Parses JSON within the limits.
 * @throws {ParleyError} `agent_misbehaved` for text that exceeds a limit or is not JSON
 */
function parseLimitedJson(text: string, { members }: ResponseLimits): JsonValue {
  try {
    return parseJson(text, members);
  } catch (cause) {
    const limit = cause instanceof Error && cause.cause === undefined ? cause.message : null;
    const message =
      limit === null ? "The agent's response is not JSON." : `The agent’s response exceeds a limit: ${limit}`;
    throw new ParleyError('agent_misbehaved', message, { cause });
  }
}

function isCompleteJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the error for a response with an error status; its body may contain the agent's own error. */
export function toHttpError(
  context: ResponseContext,
  { status, retryAfter }: { status: number; retryAfter: number | undefined },
  text: string,
): ParleyError {
  const { redact } = context;
  const rpcError = /^\s*\{/.test(text) ? readAgentError(parseLimitedJson(text, defaultLimits)) : null;
  if (rpcError && rpcError.code !== 0)
    return toAgentError({ ...rpcError, message: redact(rpcError.message) }, status, retryAfter);
  if (status === 401 || status === 403)
    return new AgentHttpError(status, `The agent rejected the call (HTTP ${status}).`);
  const found = status >= 300 && status < 400 ? `a redirect (HTTP ${status}), which is not followed` : `HTTP ${status}`;
  return new AgentHttpError(status, `The agent returned ${found}.`, {
    agentCode: codeOf(context, status),
    retryAfter,
  });
}

/** Returns the code that a bare status implies. In HTTP+JSON, 404 without a body means an unknown task. */
function codeOf({ endpoint, request }: ResponseContext, status: number): number | undefined {
  if (status === 405) return -32601;
  return status === 404 && endpoint.binding === 'HTTP+JSON' && 'taskId' in request ? -32001 : undefined;
}
