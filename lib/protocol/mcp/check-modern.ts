import { isObject, type JsonObject, type JsonValue } from '../json';
import { type ClientCapabilities, readCapabilities } from './client-capabilities';
import { McpError } from './mcp-error';
import type { McpHeaders, McpRequest } from './request';
import { errorCodes, MODERN_REVISION, metaKeys } from './revisions';

/** The member of `params` that `Mcp-Name` repeats, by method. */
const namedBy: Record<string, string> = {
  'tools/call': 'name',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/**
 * The capabilities of the client of a 2026-07-28 request, whose headers repeat members of its body.
 * @throws {McpError} for missing members of `_meta`, an unknown revision, and headers that do not match the body
 */
export function checkModern(
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

/** A header value, which may be in Base64 (2026-07-28, Streamable HTTP, "Value Encoding"). */
function decodeHeader(value: string | null): string | null {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? '')?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
