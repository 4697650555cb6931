import { isObject, type JsonObject, objectOf, parseJson } from '../json-value.js';
import type { TestLimits } from '../limits.js';
import type { Notes } from './notes.js';
import type { EncodedOperation } from './requests.js';
import type { ProbeFault, ProbeResponse } from './transport.js';

/** An error of an agent: a JSON-RPC error object, or an HTTP status without one. */
export interface AgentError {
  /** Null over HTTP+JSON. */
  code: number | null;
  status: number;
  message: string;
}

/** The result of a response, or its error; both are null for a response that is neither. */
export interface Outcome {
  result: unknown;
  error: AgentError | null;
}

const CONTEXT_LENGTH = 40;

const none: Outcome = { result: undefined, error: null };

/** Reads a response that is not a stream, and notes what is wrong with it as HTTP, JSON and JSON-RPC. */
export function readResponse(response: ProbeResponse, request: EncodedOperation, notes: Notes): Outcome {
  const { status, contentType, text, isUtf8 } = response;
  if (response.fault || status === 0) return none;
  if (!isUtf8) {
    noteEncoding(text, notes);
    return none;
  }
  const value = parseJson(text);
  const isGood = status >= 200 && status < 300;
  if (!isObject(value)) {
    if (!isGood) return { result: undefined, error: { code: null, status, message: text } };
    const found = `HTTP ${status} with ${contentType || 'no content type'}: ${text}`;
    notes.add('messages.json', { found, expected: 'a JSON object', remedy: 'Respond with JSON, also to errors.' });
    return none;
  }
  if (!/^application\/(?:[\w.-]+\+)?json\s*(;|$)/i.test(contentType)) {
    const found = contentType || 'no Content-Type';
    const remedy = 'Send Content-Type: application/json.';
    notes.add('messages.content-type', { found, expected: 'application/json', remedy });
  }
  if (request.rpcId === null)
    return isGood ? { result: value, error: null } : { result: undefined, error: restError(value, status) };
  return readEnvelope(value, { status, rpcId: request.rpcId, notes });
}

/** Notes a text that is not UTF-8, from shortly before the first byte that is not. */
export function noteEncoding(text: string, notes: Notes): void {
  const found = text.slice(Math.max(0, text.indexOf('\uFFFD') - CONTEXT_LENGTH));
  notes.add('messages.utf8', { found, expected: 'UTF-8', remedy: 'Encode responses and events as UTF-8.' });
}

/** Reads a JSON-RPC response (JSON-RPC 2.0 section 5). */
export function readEnvelope(
  value: JsonObject,
  { status, rpcId, notes }: { status: number; rpcId: string; notes: Notes },
): Outcome {
  const { jsonrpc, id, result, error } = value;
  const hasResult = result !== undefined && result !== null;
  if (jsonrpc !== '2.0' || (hasResult && isObject(error)) || (!hasResult && !isObject(error))) {
    const remedy = 'Send jsonrpc "2.0" and either result or error.';
    notes.add('messages.rpc', { found: value, expected: 'a JSON-RPC 2.0 response with result or error', remedy });
  } else if (id !== rpcId) {
    const remedy = 'Return the id of the request unchanged.';
    notes.add('messages.rpc', { found: `id ${JSON.stringify(id)}`, expected: `id ${JSON.stringify(rpcId)}`, remedy });
  }
  if (!isObject(error)) return { result, error: null };
  const { code, message } = error;
  return {
    result: undefined,
    error: { code: typeof code === 'number' ? code : null, status, message: String(message ?? '') },
  };
}

function restError(value: JsonObject, status: number): AgentError {
  const { message = '' } = objectOf(value.error ?? value);
  return { code: null, status, message: String(message) };
}

/** Says how a response ended, in a few words. */
export function describeFault(fault: ProbeFault): string {
  if (fault.kind === 'unreachable') return fault.message;
  if (fault.kind === 'size') return `more than ${fault.bytes} bytes`;
  return 'not complete in time';
}

/** Notes a response that is incomplete. */
export function noteFault(fault: ProbeFault, limits: TestLimits, notes: Notes): void {
  const seconds = (ms: number): string => `${ms / 1_000} s`;
  switch (fault.kind) {
    case 'unreachable':
      notes.add('messages.answered', {
        found: `no response: ${fault.message}`,
        expected: 'an HTTP response',
        remedy: 'Check that the agent runs and that the URL in its card is reachable.',
      });
      return;
    case 'first-byte':
      notes.add('limits.first-byte', {
        found: `nothing within ${seconds(limits.firstByteMs)}`,
        expected: 'the first event of a stream early, such as the task in state submitted',
        remedy: 'Send the task as soon as the message has arrived, before the work on it.',
      });
      return;
    case 'end':
      notes.add('limits.end', {
        found: `no end within ${seconds(fault.ms)}`,
        expected: 'a state in which the task is finished or asks for something',
        remedy: 'End each task, also after errors and timeouts of what it calls. Long examples need a higher limit.',
      });
      return;
    case 'open':
      notes.add('streaming.end', {
        found: `the stream stays open for ${seconds(limits.settleMs)} after its last event`,
        expected: 'the end of the response after the last event',
        remedy: 'Close the stream when the task is finished or asks for something.',
      });
      return;
    case 'size':
      notes.add('limits.size', {
        found: `more than ${fault.bytes} bytes in one ${fault.what}`,
        expected: 'smaller responses and events',
        remedy: 'Send large content in several events, or as a URL.',
      });
      return;
    case 'stopped':
  }
}
