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
