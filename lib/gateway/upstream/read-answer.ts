import type { AgentRecord } from '../../catalog';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { parseJson } from '../../platform/json';
import type { Reception } from '../../platform/reception';
import { readSse, type SseEvent } from '../../platform/sse';
import {
  type AgentItem,
  type AgentRequest,
  type DataTexts,
  findDataTexts,
  readAgentError,
  readAgentResult,
} from '../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { AgentRefusal, agentError, readRetryAfter } from './agent-error';
import type { CallWatch } from './call-watch';

/** The most that one answer or event of an agent may hold: bytes (LIM-1), members and elements (LIM-5). */
interface Bounds {
  bytes: number;
  members: number;
}

const usual: Bounds = { bytes: 1_048_576, members: 10_000 };
/** A task that is read anew holds in one piece what came in many. */
const wholeTask: Bounds = { bytes: 8 * usual.bytes, members: 8 * usual.members };

/** What has to be known of a call to read what an endpoint answers. */
export interface Speech {
  request: AgentRequest;
  endpoint: AgentRecord['endpoints'][number];
  /** The id of our JSON-RPC request. */
  envelopeId: string;
  /** Takes out of an agent's error text what nobody else may see. */
  mask: (text: string) => string;
  watch: CallWatch;
}

// What an endpoint answers comes as JSON-RPC, HTTP+JSON, and as bare objects where the agent leaves the envelope out (Web42, Orloj).
// Items in envelopes that are not ours are dropped (SSE-2).

/**
 * The one item of an answer that is no stream; a promise when there is more to come.
 * @throws (in either way) {ParleyError} `agent_misbehaved`; the agent's own error; an `AgentRefusal`; what broke the answer off
 */
export function readWhole(speech: Speech, answer: Reception): AgentItem | Promise<AgentItem> {
  const bytes = answer.whole(boundsOf(speech.request).bytes);
  const read = (all: Buffer): AgentItem => readItem(speech, parseWhole(speech, answer, all)) ?? misbehaved();
  return bytes instanceof Promise ? bytes.then(read) : read(bytes);
}

/**
 * The object that such an answer carries when it is not about a task.
 * @throws what {@link readWhole} throws
 */
export async function readObject(speech: Speech, answer: Reception): Promise<JsonObject> {
  const bytes = await answer.whole(boundsOf(speech.request).bytes);
  const result = resultOf(speech, parseWhole(speech, answer, bytes).value);
  return isObject(result) ? result : misbehaved();
}

/**
 * What a stream says, in batches as it comes.
 * @throws what {@link readWhole} throws
 */
export async function* readStream(speech: Speech, answer: Reception): AsyncGenerator<AgentItem[]> {
  const bounds = boundsOf(speech.request);
  let begun = false;
  try {
    for await (const events of readSse(answer.pieces(), bounds.bytes)) {
      const { items, failure } = readBatch(speech, events, bounds);
      begun ||= items.length > 0;
      if (items.length > 0) yield items;
      if (failure) throw failure.error;
    }
  } catch (error) {
    // Before the first item another endpoint may still do better.
    if (begun) speech.watch.over(error);
    throw error;
  } finally {
    if (begun) speech.watch.over();
  }
}

function parseWhole(speech: Speech, { status, headers }: Reception, bytes: Buffer): Parsed {
  const text = bytes.toString('utf8');
  if (status >= 200 && status <= 299) return { text, value: parseAnswer(text, boundsOf(speech.request)) };
  throw refusalOf(speech, { status, retryAfter: readRetryAfter(headers) }, text);
}

function misbehaved(): never {
  throw new ParleyError('agent_misbehaved', 'The agent answered with something that is not an A2A result.');
}

/** What can be read up to the first event that is an error: an agent may say something and fail in one breath. */
function readBatch(
  speech: Speech,
  events: SseEvent[],
  bounds: Bounds,
): { items: AgentItem[]; failure?: { error: unknown } } {
  const items: AgentItem[] = [];
  try {
    for (const event of events) {
      const item = readEvent(speech, event, bounds);
      if (item) items.push(item);
    }
  } catch (error) {
    return { items, failure: { error } };
  }
  return { items };
}

function readEvent(speech: Speech, { event, data, unterminated }: SseEvent, bounds: Bounds): AgentItem | null {
  if (unterminated && !isWholeJson(data)) return null;
  const value = parseAnswer(data, bounds);
  const fault = event === 'error' ? readAgentError(value) : null;
  if (fault) throw agentError({ ...fault, message: speech.mask(fault.message) });
  return readItem(speech, { text: data, value });
}

/** What an agent said, as it was written and as it was read. */
interface Parsed {
  text: string;
  value: JsonValue;
}

function readItem(speech: Speech, { text, value }: Parsed): AgentItem | null {
  const result = resultOf(speech, value);
  if (result === undefined) return null;
  const dataText: DataTexts | undefined = findDataTexts(text, value);
  return readAgentResult(result, newUuid, dataText ? { ...speech.endpoint, dataText } : speech.endpoint);
}

/** What an envelope of ours carries, or the bare value; undefined when there is nothing for us in it. */
function resultOf({ envelopeId, mask }: Speech, value: JsonValue): JsonValue | undefined {
  const isEnvelope = isObject(value) && value.jsonrpc !== undefined;
  if (isEnvelope && value.id !== envelopeId && !(value.id === null && isObject(value.error))) return undefined;
  const fault = isObject(value) && isObject(value.error) ? readAgentError(value) : null;
  if (fault) throw agentError({ ...fault, message: mask(fault.message) });
  return isEnvelope ? value.result : value;
}

function boundsOf({ op }: AgentRequest): Bounds {
  return op === 'get' || op === 'subscribe' ? wholeTask : usual;
}

/** @throws {ParleyError} `agent_misbehaved`, naming the limit that the text exceeds, or saying that it is not JSON */
function parseAnswer(text: string, { members }: Bounds): JsonValue {
  try {
    return parseJson(text, members);
  } catch (cause) {
    const limit = cause instanceof Error && cause.cause === undefined ? cause.message : null;
    const message =
      limit === null
        ? 'The agent answered with text that is not JSON.'
        : `The agent’s answer exceeds a limit: ${limit}`;
    throw new ParleyError('agent_misbehaved', message, { cause });
  }
}

function isWholeJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refusalOf(
  speech: Speech,
  { status, retryAfter }: { status: number; retryAfter: number | undefined },
  text: string,
): ParleyError {
  const { mask } = speech;
  const fault = /^\s*\{/.test(text) ? readAgentError(parseAnswer(text, usual)) : null;
  if (fault && fault.code !== 0) return agentError({ ...fault, message: mask(fault.message) }, status, retryAfter);
  if (status === 401 || status === 403) return new AgentRefusal(status, `The agent refused the call (HTTP ${status}).`);
  const found = status >= 300 && status < 400 ? `a redirect (HTTP ${status}), which is not followed` : `HTTP ${status}`;
  return new AgentRefusal(status, `The agent answered with ${found}.`, {
    agentCode: codeOf(speech, status),
    retryAfter,
  });
}

/** What a status alone stands for: HTTP+JSON says of an unknown task no more than 404, where an agent leaves the reason out. */
function codeOf({ endpoint, request }: Speech, status: number): number | undefined {
  if (status === 405) return -32601;
  return status === 404 && endpoint.binding === 'HTTP+JSON' && 'taskId' in request ? -32001 : undefined;
}
