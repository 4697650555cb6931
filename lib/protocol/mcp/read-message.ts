import { isObject, type JsonObject, type JsonValue } from '../json';
import { checkModern } from './check-modern';
import { noCapabilities } from './client-capabilities';
import { McpError } from './mcp-error';
import type { McpHeaders, McpRequest, RequestId } from './request';
import { errorCodes, MODERN_REVISION, metaKeys } from './revisions';

/** One message of a client. A stateless server ignores responses and most notifications. */
export type McpMessage =
  | { kind: 'ignored' }
  | { kind: 'canceled'; requestId: RequestId }
  | ({ kind: 'request' } & McpRequest);

/**
 * Reads one JSON-RPC message.
 * @throws {McpError} for anything else, an unknown revision, and headers that do not match the body
 */
export function readMcpMessage(value: JsonValue, headers: McpHeaders): McpMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0')
    throw new McpError('Expected one JSON-RPC 2.0 message; batches are not accepted.', {
      code: errorCodes.invalidRequest,
    });
  const { id, method } = value;
  if (typeof method !== 'string') {
    if ('result' in value || 'error' in value) return { kind: 'ignored' };
    throw new McpError('Expected "method" to be a string.', { code: errorCodes.invalidRequest });
  }
  if (id === undefined) return readNotification(method, value.params);
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isInteger(id)))
    throw new McpError('Expected "id" to be a string or an integer.', { code: errorCodes.invalidRequest });
  const params = value.params ?? {};
  if (!isObject(params))
    throw new McpError('Expected "params" to be an object.', { code: errorCodes.invalidParams, id });
  const meta = isObject(params._meta ?? null) ? (params._meta as JsonObject) : {};
  const isModern =
    meta[metaKeys.protocolVersion] !== undefined ||
    headers.protocolVersion === MODERN_REVISION ||
    method === 'server/discover';
  const client = isModern ? checkModern({ id, method, params }, { meta, headers }) : noCapabilities;
  return { kind: 'request', id, method, params, isModern, progressToken: progressTokenOf(meta), client };
}

function readNotification(method: string, params: JsonValue | undefined): McpMessage {
  const requestId = isObject(params ?? null) ? (params as JsonObject).requestId : undefined;
  const isCancel = method === 'notifications/cancelled';
  if (isCancel && (typeof requestId === 'string' || typeof requestId === 'number'))
    return { kind: 'canceled', requestId };
  return { kind: 'ignored' };
}

function progressTokenOf({ progressToken }: JsonObject): RequestId | null {
  return typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : null;
}
