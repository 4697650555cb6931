/** A JSON-RPC message as a host writes it; its members are checked by Parley. */
export type Message = Record<string, unknown>;

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700;
export const INTERNAL_ERROR = -32603;

const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** The message of a line; null for text that is no JSON object. */
export function readMessage(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** True for a request, which has a response. */
export function isRequest({ id, method }: Message): boolean {
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number');
}

/** The revision that a request names itself (2026-07-28 and later); null in older revisions. */
export function revisionOf(message: Message): string | null {
  const revision = membersOf(membersOf(message.params)._meta)[PROTOCOL_VERSION];
  return typeof revision === 'string' ? revision : null;
}

/** The headers that repeat members of a request (Streamable HTTP of 2026-07-28). */
export function headersOf(message: Message, revision: string): Record<string, string> {
  const { name, uri, taskId } = membersOf(message.params);
  const named = name ?? uri ?? taskId;
  return {
    'mcp-protocol-version': revision,
    'mcp-method': headerText(message.method),
    ...(named !== undefined && { 'mcp-name': headerText(named) }),
  };
}

/** The members of an object; none of another value. */
export function membersOf(value: unknown): Message {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** A header has printable ASCII only; Parley refuses a name with anything else, as it matches no tool. */
function headerText(value: unknown): string {
  return String(value).replace(/[^\x20-\x7e]/g, '?');
}

/** The error response to a request. */
export function errorTo(id: unknown, { code, message }: { code: number; message: string }): Message {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } };
}
