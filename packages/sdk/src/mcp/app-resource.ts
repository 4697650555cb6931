import type { Part } from '../wire.js';
import { type McpTransport, requestOnce } from './client.js';
import { boundedJson, isObject, type JsonObject, listOf } from './json.js';
import { MCP_APP_TYPE, toBase64 } from './result.js';
import type { McpTool } from './tools.js';

/** Maximum characters of an app, and of the data that its metadata repeats. */
const MAX_APP = 500_000;
const MAX_DATA = 65_536;

/**
 * Reads the app that shows the results of a tool (MCP Apps), as a part. Its metadata contains what the app needs: its
 * address, its rules for content, and the call with its result. Null if there is none; a failure leaves the result as it is.
 * @throws only the reason of the signal
 */
export async function readApp(
  transport: McpTransport,
  tool: McpTool,
  { args, result, signal }: { args: JsonObject; result: JsonObject; signal: AbortSignal },
): Promise<Part | null> {
  const uri = tool.uiResource;
  if (uri === null) return null;
  try {
    const { contents } = await requestOnce(transport, { method: 'resources/read', params: { uri }, signal });
    const content = listOf(contents).find((item) => isObject(item) && item.uri === uri);
    if (!isObject(content)) return null;
    const { text, blob, _meta: meta } = content;
    const raw = typeof text === 'string' ? toBase64(text.slice(0, MAX_APP)) : blob;
    if (typeof raw !== 'string' || raw.length > 1.4 * MAX_APP) return null;
    const call = bounded({ tool: tool.name, arguments: args, result: withoutMeta(result) });
    const rules = bounded(isObject(meta) ? meta.ui : undefined);
    const metadata = { 'mcp.resourceUri': uri, ...(rules && { 'mcp.ui': rules }), ...(call && { 'mcp.call': call }) };
    return { raw, mediaType: MCP_APP_TYPE, filename: `${tool.id.replaceAll(/[/:]/g, '-')}.html`, metadata };
  } catch {
    // Errors differ by transport, and none of them changes what the tool has done.
    signal.throwIfAborted();
    return null;
  }
}

function withoutMeta({ content, structuredContent, isError }: JsonObject): JsonObject {
  return { content, ...(structuredContent !== undefined && { structuredContent }), isError: isError === true };
}

function bounded(value: unknown): JsonObject | null {
  const copy = boundedJson(value);
  return isObject(copy) && JSON.stringify(copy).length <= MAX_DATA ? copy : null;
}
