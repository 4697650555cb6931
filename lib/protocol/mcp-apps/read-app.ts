import type { Part } from '../a2a/core/model';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { MAX_MCP_APP_LENGTH } from '../limits';

/** The media type of an app (MCP Apps 2026-01-26). */
const MCP_APP_TYPE = 'text/html;profile=mcp-app';

/** An app of an agent: a page with scripts, and the call whose result it shows. */
export interface McpApp {
  /** Its address, `ui://…`; empty if the agent gave none. */
  uri: string;
  /** The page, as text or as Base64 in pieces. */
  content: { text: string } | { base64: string[] };
  /** The arguments and the result of the call. */
  input: JsonObject;
  result: JsonObject | null;
}

/** Returns true for the media type of an app. */
export function isAppType(mediaType: string | undefined): boolean {
  const [essence = '', ...parameters] = (mediaType ?? '').toLowerCase().split(';');
  return (
    essence.trim() === 'text/html' && parameters.some((parameter) => /^\s*profile="?mcp-app"?\s*$/.test(parameter))
  );
}

/**
 * Returns the app in a part: a file or a text of its type, or data that is a resource of MCP or the result of a call with
 * one. Null for any other part, and for an app that is too large.
 */
export function readApp(part: Part | FilePieces): McpApp | null {
  if (part.kind === 'data') return readAppData(part.data);
  if (part.kind === 'uri' || !isAppType(part.mediaType)) return null;
  const content = part.kind === 'text' ? { text: part.text } : { base64: [part.bytes].flat() };
  const { metadata = {} } = part;
  const call = isObject(metadata['mcp.call']) ? metadata['mcp.call'] : {};
  return bounded({
    uri: nonEmptyString(metadata['mcp.resourceUri']) ?? '',
    content,
    input: isObject(call.arguments) ? call.arguments : {},
    result: isObject(call.result) ? call.result : null,
  });
}

/** A file whose content has arrived in pieces. */
type FilePieces = Omit<Part & { kind: 'bytes' }, 'bytes'> & { bytes: string[] };

function readAppData(data: JsonValue): McpApp | null {
  if (!isObject(data)) return null;
  const { arguments: input, content, ...rest } = data;
  const found = [data, ...(Array.isArray(content) ? content.slice(0, 100) : [])].map(resourceOf).find((one) => one);
  if (!found) return null;
  const shown = Array.isArray(content) ? content.filter((item) => resourceOf(item) === null) : [];
  const { structuredContent, isError } = rest;
  const result = { content: shown, ...(structuredContent && { structuredContent }), isError: isError === true };
  return bounded({ ...found, input: isObject(input) ? input : {}, result: Array.isArray(content) ? result : null });
}

function resourceOf(item: JsonValue): Pick<McpApp, 'uri' | 'content'> | null {
  const resource = isObject(item) && item.type === 'resource' ? item.resource : item;
  if (!isObject(resource) || typeof resource.mimeType !== 'string' || !isAppType(resource.mimeType)) return null;
  const { uri, text, blob } = resource;
  if (typeof uri !== 'string' || !uri.startsWith('ui://')) return null;
  if (typeof text === 'string') return { uri, content: { text } };
  return typeof blob === 'string' ? { uri, content: { base64: [blob] } } : null;
}

function bounded(app: McpApp): McpApp | null {
  const { content } = app;
  const length = 'text' in content ? content.text.length : content.base64.reduce((sum, piece) => sum + piece.length, 0);
  return length <= MAX_MCP_APP_LENGTH ? app : null;
}

/** Returns the resource of MCP for an app, for hosts that show it. */
export function appResource({ uri, content }: McpApp): JsonObject {
  const named = { uri: uri === '' ? 'ui://parley/app' : uri, mimeType: MCP_APP_TYPE };
  return 'text' in content ? { ...named, text: content.text } : { ...named, blob: content.base64.join('') };
}

/** Returns the page as text; null if it is not Base64 of UTF-8. */
export function pageOf({ content }: Pick<McpApp, 'content'>): string | null {
  if ('text' in content) return content.text;
  try {
    const bytes = content.base64.map((piece) => Uint8Array.from(atob(piece), (character) => character.charCodeAt(0)));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return bytes.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  } catch {
    return null;
  }
}
