import type { JsonObject } from '../../../protocol/json';
import type { ToolResult } from '../..';

/** The result of `tools/call`. */
export function toCallResult({ text, structured, isError }: ToolResult): JsonObject {
  return {
    content: [{ type: 'text', text }],
    ...(structured && { structuredContent: { ...structured } }),
    ...(isError && { isError }),
  };
}
