/** A JSON-RPC message as written by a host; Parley checks its members. */
export type Message = Record<string, unknown>;

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700;
export const INTERNAL_ERROR = -32603;

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Parses a line as a message; null if it is not a JSON object. */
export function readMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns true for a request, which has a response. */
export function isRequest({ id, method }: Message): boolean {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
}

/** Returns the revision that a request itself states (2026-07-28 and later); null in older revisions. */
export function revisionOf(message: Message): string | null {
  const revision = membersOf(membersOf(message.params)._meta)[PROTOCOL_VERSION];
  return typeof revision === 'string' ? revision : null;
}

/** Returns the headers that repeat members of a request (Streamable HTTP of 2026-07-28). */
export function headersOf(message: Message, revision: string): Record<string, string> {
  const { name, uri, taskId } = membersOf(message.params);
  const named = name ?? uri ?? taskId;
  return {
    'mcp-protocol-version': revision,
    'mcp-method': headerText(message.method),
    ...(named !== undefined && { 'mcp-name': headerText(named) }),
  };
}

/** Returns the members of an object; an empty object for any other value. */
export function membersOf(value: unknown): Message {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/**
 * Returns a header value, which may only contain printable ASCII; Parley refuses any other name, because it matches no
 * tool.
 */
function headerText(value: unknown): string {
  return String(value).replace(/[^\x20-\x7e]/g, '?');
}

/** Returns the error response to a request. */
export function errorTo(id: unknown, { code, message }: { code: number; message: string }): Message {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}
