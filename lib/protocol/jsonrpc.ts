import { parseTree } from 'jsonc-parser';
import { isObject, type JsonObject, type JsonValue } from './json';
import { ProtocolError } from './protocol-error';

type RpcId = string | number | null;

export interface RpcRequest {
  /** `undefined` for a notification, which has no response. */
  id: RpcId | undefined;
  method: string;
  params: JsonObject;
}

/**
 * Returns the response's id as JSON text, also for invalid requests (JSON-RPC 2.0 §5: null if unreadable). Copies
 * numbers from `text`, because a double changes those beyond 2^53 and some with fractions.
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

/**
 * Returns true for a valid notification, and for a batch that contains only notifications. They have no response, not
 * even an error (JSON-RPC 2.0 §4.1, §6). Returns false for an invalid request.
 */
export function isNotification(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => isObject(each) && isNotification(each));
  if (!isObject(value)) return false;
  const { jsonrpc, id, method } = value;
  return jsonrpc === '2.0' && id === undefined && typeof method === 'string' && method !== '';
}

/** An integer in non-canonical notation. */
const nonCanonicalId = /"id"\s*:\s*(?:-0|-?\d+[.eE])/;

/**
 * Validates the envelope of one JSON-RPC 2.0 request. Rejects batches, which A2A does not have.
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

/** Returns a success response as JSON text. */
export function rpcResult(idText: string, result: JsonValue): string {
  return `{"jsonrpc":"2.0","id":${idText},"result":${JSON.stringify(result)}}`;
}

/** Returns an error response as JSON text. */
export function rpcError(idText: string, error: { code: number; message: string; data?: JsonValue }): string {
  return `{"jsonrpc":"2.0","id":${idText},"error":${JSON.stringify(error)}}`;
}
