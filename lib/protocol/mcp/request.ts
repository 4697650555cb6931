import { isObject, type JsonObject } from '../json';

/**
 * Stateless: every request contains its revision and the client's capabilities, and `server/discover` lists the
 * supported features.
 */
export const MODERN_REVISION = '2026-07-28';
/**
 * Revisions that begin with `initialize`, newest first. 2024-11-05 is served over Streamable HTTP only, although it
 * does not define that transport: its messages are the same, and additional members are allowed.
 */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The reserved members of `_meta` (2026-07-28, Base Protocol). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** The extension that answers a call with a task (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

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
  /** True for 2026-07-28 or later; else a revision that begins with `initialize`. */
  isModern: boolean;
  /** Set if the client requests progress of this request. */
  progressToken: RequestId | null;
  client: ClientCapabilities;
}

/** The headers of a request that repeat members of its body. */
export interface McpHeaders {
  protocolVersion: string | null;
  method: string | null;
  name: string | null;
}

/** The capabilities of a client for a call, besides reading its result. */
export interface ClientCapabilities {
  /** True if it can ask the user a question. */
  forms: boolean;
  /** True if it can ask the user to open a link. */
  links: boolean;
  /** True if it can poll a task for the result. */
  tasks: boolean;
}

/** The capabilities of a client that are unknown, because a stateless server has no sessions that contain them. */
export const noCapabilities: ClientCapabilities = { forms: false, links: false, tasks: false };

/** Reads the capabilities of a request (2026-07-28). An `elicitation` without modes means forms. */
export function readCapabilities({ elicitation, extensions }: JsonObject): ClientCapabilities {
  const modes = isObject(elicitation) ? elicitation : null;
  return {
    forms: modes !== null && (isObject(modes.form) || !isObject(modes.url)),
    links: modes !== null && isObject(modes.url),
    tasks: isObject(extensions) && isObject(extensions[TASKS_EXTENSION]),
  };
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
  /** The HTTP status. */
  status?: number;
  data?: object;
  /** The id of the request. */
  id?: RequestId | null;
}
