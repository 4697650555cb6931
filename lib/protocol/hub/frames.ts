import { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../json';
import { type RpcRequest, readRpcRequest } from '../jsonrpc';
import { ProtocolError } from '../protocol-error';

/** A received frame: a request or notification, or the response to one of ours. */
export type HubFrame =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'response'; id: string; result: JsonValue; error: JsonObject | null };

/**
 * Reads one text frame.
 * @throws {ProtocolError} `parse_error`, `invalid_request`, `invalid_params`
 */
export function readFrame(text: string): HubFrame {
  const value = parse(text);
  if (isObject(value) && value.method === undefined && typeof value.id === 'string') {
    if (value.jsonrpc !== '2.0') throw new ProtocolError('invalid_request', 'Expected "jsonrpc": "2.0".');
    return {
      kind: 'response',
      id: value.id,
      result: value.result ?? null,
      error: isObject(value.error) ? value.error : null,
    };
  }
  return { kind: 'request', request: readRpcRequest(value) };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new ProtocolError('parse_error', 'Found text that is not JSON; expected one JSON-RPC object per frame.');
  }
}

/** Returns a request or, without an id, a notification. */
export function writeRequest(method: string, params: JsonObject, id?: string): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params });
}

/**
 * Validates params.
 * @throws {ProtocolError} `invalid_params` with the first invalid member
 */
export function parseParams<Schema extends z.ZodType>(schema: Schema, params: JsonValue): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = issue ? z.core.toDotPath(issue.path) : '';
  throw new ProtocolError('invalid_params', `params${member && `.${member}`}: ${issue?.message ?? 'invalid'}`);
}
