import { isObject, type JsonObject, type JsonValue } from '../json';

/**
 * The revision that is stateless: every request contains its revision and the client's capabilities, and
 * `server/discover` lists the supported features.
 */
export const MODERN_REVISION = '2026-07-28';
/**
 * Revisions that start with `initialize`, newest first. 2024-11-05 is served only over Streamable HTTP, although it
 * does not define that transport, because its messages are the same and additional members are allowed.
 */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The reserved members of `_meta` (2026-07-28, Base Protocol). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The extension that returns a task as the response to a call (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
/** The extension of clients that show MCP Apps (SEP-1865). */
const APPS_EXTENSION = 'io.modelcontextprotocol/ui';

/** Error codes beyond those of JSON-RPC. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
} as const;

export type RequestId = string | number;

export interface McpRequest {
  id: RequestId;
  method: string;
  params: JsonObject;
  /** True for 2026-07-28 or later; false for a revision that starts with `initialize`. */
  isModern: boolean;
  /** Set if the client requests progress notifications for this request. */
  progressToken: RequestId | null;
  client: ClientCapabilities;
}

/** The headers of a request that repeat members of its body. */
interface McpHeaders {
  protocolVersion: string | null;
  method: string | null;
  name: string | null;
}

/** The capabilities of a client for a call, in addition to reading its result. */
export interface ClientCapabilities {
  /** True if the client can ask the user a question. */
  forms: boolean;
  /** True if the client can ask the user to open a link. */
  links: boolean;
  /** True if the client can poll a task for the result. */
  tasks: boolean;
  /** True if the client shows apps. */
  apps: boolean;
}

/**
 * The capabilities of a client that are assumed if none are known: a stateless server has no session that would contain
 * them.
 */
const noCapabilities: ClientCapabilities = { forms: false, links: false, tasks: false, apps: false };

/** Reads the capabilities of a request (2026-07-28). An `elicitation` without modes means forms. */
function readCapabilities({ elicitation, extensions }: JsonObject): ClientCapabilities {
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    forms: modes !== null && (isObject(modes.form) || !isObject(modes.url)),
    links: modes !== null && isObject(modes.url),
    tasks: isObject(extensions) && isObject(extensions[TASKS_EXTENSION]),
    apps: isObject(extensions) && isObject(extensions[APPS_EXTENSION]),
  };
}

/** A rejection by the protocol itself, as a JSON-RPC error with its HTTP status. */
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
  /** The HTTP status. */
  status?: number;
  data?: object;
  /** The id of the request. */
  id?: RequestId | null;
}

/** One message of a client. A stateless server ignores responses and most notifications. */
type McpMessage = { kind: 'ignored' } | { kind: 'canceled'; requestId: RequestId } | ({ kind: 'request' } & McpRequest);

/**
 * Reads one JSON-RPC message.
 * @throws {McpError} for all other values, an unknown revision, and headers that do not match the body
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

/** The member of `params` that `Mcp-Name` repeats, by method. */
const namedBy: Record<string, string> = {
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * Returns the client's capabilities in a 2026-07-28 request, whose headers repeat members of its body.
 * @throws {McpError} for missing members of `_meta`, an unknown revision, and headers that do not match the body
 */
function checkModern(
  { id, method, params }: Pick<McpRequest, 'id' | 'method' | 'params'>,
  { meta, headers }: { meta: JsonObject; headers: McpHeaders },
): ClientCapabilities {
  const revision = memberOf(meta, metaKeys.protocolVersion, id);
  const mismatch = (header: string, found: string | null, expected: JsonValue): McpError =>
    new McpError(`${header}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)} as in the body.`, {
      code: errorCodes.headerMismatch,
      id,
    });
  if (headers.protocolVersion !== null && headers.protocolVersion !== revision)
    throw mismatch('MCP-Protocol-Version', headers.protocolVersion, revision);
  if (revision !== MODERN_REVISION) {
    const data = { supported: [MODERN_REVISION], requested: revision };
    throw new McpError('Unsupported protocol version', { code: errorCodes.unsupportedProtocolVersion, data, id });
  }
  if (headers.protocolVersion === null) throw mismatch('MCP-Protocol-Version', null, revision);
  const capabilities = memberOf(meta, metaKeys.clientCapabilities, id);
  if (headers.method !== method) throw mismatch('Mcp-Method', headers.method, method);
  const member = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined;
  const name = member === undefined ? undefined : (params[member] ?? null);
  if (name !== undefined && decodeHeader(headers.name) !== name) throw mismatch('Mcp-Name', headers.name, name);
  return readCapabilities(isObject(capabilities) ? capabilities : {});
}

function memberOf(meta: JsonObject, key: string, id: McpRequest['id']): JsonValue {
  const value = meta[key];
  const isValid = key === metaKeys.clientCapabilities ? isObject(value) : value !== undefined;
  if (value !== undefined && isValid) return value;
  throw new McpError(`Expected "params._meta" to have "${key}".`, { code: errorCodes.invalidParams, id });
}

/** Decodes a header value, which may be in Base64 (2026-07-28, Streamable HTTP, "Value Encoding"). */
function decodeHeader(value: string | null): string | null {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
