import { ProtocolFault } from './faults';
import { isObject, type JsonObject, type JsonValue } from './json';

export type RpcId = string | number | null;

export interface RpcRequest {
  /** `undefined` for a notification: it runs and gets no answer. */
  id: RpcId | undefined;
  method: string;
  params: JsonObject;
}

/** The id to answer with, also for requests that are otherwise broken (JSON-RPC 2.0 §5: null when it cannot be told). */
export function rpcIdOf(value: JsonValue): RpcId {
  const id = isObject(value) ? value.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/**
 * Checks the envelope of one JSON-RPC 2.0 request. Batches are refused: A2A has none.
 * @throws {ProtocolFault} `invalid_request`, `invalid_params`
 */
export function readRpcRequest(value: JsonValue): RpcRequest {
  if (Array.isArray(value)) throw new ProtocolFault('invalid_request', 'Found a batch; send one request at a time.');
  if (!isObject(value)) throw new ProtocolFault('invalid_request', 'Expected a JSON-RPC request object.');
  if (value.jsonrpc !== '2.0') throw new ProtocolFault('invalid_request', 'Expected "jsonrpc": "2.0".');
  const { id, method, params } = value;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw new ProtocolFault('invalid_request', 'Expected "id" to be a string or a number.');
  }
  if (typeof method !== 'string' || method === '') {
    throw new ProtocolFault('invalid_request', 'Expected "method" to be a non-empty string.');
  }
  if (params !== undefined && !isObject(params)) {
    throw new ProtocolFault('invalid_params', 'Expected "params" to be an object.');
  }
  return { id, method, params: params ?? {} };
}

/** A successful answer. */
export function rpcResult(id: RpcId, result: unknown): JsonObject {
  return { jsonrpc: '2.0', id, result: result as JsonValue };
}

/** A failed answer. */
export function rpcError(id: RpcId, error: { code: number; message: string; data?: JsonValue }): JsonObject {
  return { jsonrpc: '2.0', id, error };
}
