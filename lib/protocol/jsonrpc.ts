import { parseTree } from 'jsonc-parser';
import { isObject, type JsonObject, type JsonValue } from './json';
import { ProtocolError } from './protocol-error';

type RpcId = string | number | null;

export interface RpcRequest {
  /** `undefined` for a notification: it runs and gets no answer. */
  id: RpcId | undefined;
  method: string;
  params: JsonObject;
}

/**
 * The id to answer with, as JSON text, also for requests that are otherwise broken (JSON-RPC 2.0 §5: null when it cannot be told).
 * A number is written as `text` has it: beyond 2^53 and behind the point a double says another one.
 */
export function rpcIdText(value: JsonValue, text: string): string {
  const id = isObject(value) ? value.id : undefined;
  if (typeof id === 'string') return JSON.stringify(id);
  if (typeof id !== 'number') return 'null';
  if (Number.isSafeInteger(id) && !nonCanonicalId.test(text)) return String(id);
  const member = parseTree(text)?.children?.findLast(({ children }) => children?.[0]?.value === 'id');
  const [, node] = member?.children ?? [];
  return node ? text.slice(node.offset, node.offset + node.length) : String(id);
}

/** A whole number that is not written as one. */
const nonCanonicalId = /"id"\s*:\s*(?:-0|-?\d+[.eE])/;

/**
 * Checks the envelope of one JSON-RPC 2.0 request. Batches are refused: A2A has none.
 * @throws {ProtocolError} `invalid_request`, `invalid_params`
 */
export function readRpcRequest(value: JsonValue): RpcRequest {
  if (Array.isArray(value)) throw new ProtocolError('invalid_request', 'Found a batch; send one request at a time.');
  if (!isObject(value)) throw new ProtocolError('invalid_request', 'Expected a JSON-RPC request object.');
  if (value.jsonrpc !== '2.0') throw new ProtocolError('invalid_request', 'Expected "jsonrpc": "2.0".');
  const { id, method, params } = value;
  if (id !== undefined && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    throw new ProtocolError('invalid_request', 'Expected "id" to be a string or a number.');
  }
  if (typeof method !== 'string' || method === '') {
    throw new ProtocolError('invalid_request', 'Expected "method" to be a non-empty string.');
  }
  if (params !== undefined && params !== null && !isObject(params)) {
    throw new ProtocolError('invalid_params', 'Expected "params" to be an object.');
  }
  return { id, method, params: params ?? {} };
}

/** A successful answer as JSON text. */
export function rpcResult(idText: string, result: JsonValue): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}

/** A failed answer as JSON text. */
export function rpcError(idText: string, error: { code: number; message: string; data?: JsonValue }): string {
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify(error)}}`;
}
