import { isObject, type JsonObject, type JsonValue } from '../json';
import { errorCodes, MODERN_REVISION, metaKeys } from './revisions';

type RequestId = string | number;

/** One message of a client. A stateless server reads nothing from responses and from most notifications. */
export type McpMessage =
  | { kind: 'ignored' }
  | { kind: 'canceled'; requestId: RequestId }
  | ({ kind: 'request' } & McpRequest);

export interface McpRequest {
  id: RequestId;
  method: string;
  params: JsonObject;
  /** 2026-07-28 or later; else a revision that begins with `initialize`. */
  isModern: boolean;
  /** Set when the client wants progress of this request. */
  progressToken: RequestId | null;
}

/** A refusal of the protocol itself, as a JSON-RPC error with its HTTP status. */
export class McpError extends Error {
  override readonly name = 'McpError';

  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;
  readonly id: RequestId | null;

  constructor(message: string, { code, status = 400, data, id = null }: McpErrorDetails) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
    this.id = id;
  }
}

interface McpErrorDetails {
  code: number;
  /** HTTP. */
  status?: number;
  data?: object;
  /** Of the request. */
  id?: RequestId | null;
}

/** The headers of a request that repeat members of its body. */
export interface McpHeaders {
  protocolVersion: string | null;
  method: string | null;
  name: string | null;
}

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
  const revision = meta[metaKeys.protocolVersion];
  const request = { id, method, params, isModern: revision !== undefined, progressToken: progressTokenOf(meta) };
  if (request.isModern) checkModern(request, { meta, revision: revision ?? null, headers });
  return { kind: 'request', ...request };
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

function checkModern(
  { id, method, params }: McpRequest,
  { meta, revision, headers }: { meta: JsonObject; revision: JsonValue; headers: McpHeaders },
): void {
  if (revision !== MODERN_REVISION) {
    const data = { supported: [MODERN_REVISION], requested: revision };
    throw new McpError('Unsupported protocol version', { code: errorCodes.unsupportedProtocolVersion, data, id });
  }
  if (!isObject(meta[metaKeys.clientCapabilities] ?? null)) {
    const text = `Expected "params._meta" to have "${metaKeys.clientCapabilities}".`;
    throw new McpError(text, { code: errorCodes.invalidParams, id });
  }
  const expected: [string, string | null, JsonValue | undefined][] = [
    ['MCP-Protocol-Version', headers.protocolVersion, revision],
    ['Mcp-Method', headers.method, method],
    ...(method === 'tools/call' ? [['Mcp-Name', headers.name, params.name] as [string, string | null, JsonValue]] : []),
  ];
  for (const [header, found, value] of expected) {
    if (found === value) continue;
    const text = `${header}: found ${JSON.stringify(found)}, expected ${JSON.stringify(value ?? null)} as in the body.`;
    throw new McpError(text, { code: errorCodes.headerMismatch, id });
  }
}
