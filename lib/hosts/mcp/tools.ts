import { z } from 'zod';
import { ParleyError } from '../../platform/errors';
import { getAgentTool } from './get-agent';
import { searchAgentsTool } from './search-agents';
import { sendMessageTool } from './send-message';
import { cancelTaskTool, getTaskTool } from './tasks';
import type { Tool, ToolCall, ToolResult } from './tool';

/** In the order of the list, which hosts show. */
const tools: Tool[] = [searchAgentsTool, getAgentTool, sendMessageTool, getTaskTool, cancelTaskTool];

/** The tools as `tools/list` returns them. */
export function listTools(): object[] {
  return tools.map(({ name, title, description, input, output, annotations }) => ({
    name,
    title,
    description,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: jsonSchemaOf(output, 'output'),
    annotations: { title, ...annotations },
  }));
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  return z.toJSONSchema(schema, { io, target: 'draft-7' });
}

/**
 * Calls a tool.
 * @throws {ParleyError} `invalid_params` for an unknown tool or arguments that do not match its schema
 */
export function callTool({
  input: { name, args },
  ...call
}: Omit<ToolCall<unknown>, 'input'> & { input: { name: string; args: unknown } }): Promise<ToolResult> {
  const found = tools.find((tool) => tool.name === name);
  if (!found) {
    const expected = tools.map((tool) => tool.name).join(', ');
    throw new ParleyError('invalid_params', `Found the tool "${name.slice(0, 100)}"; expected one of: ${expected}.`);
  }
  return found.run({ ...call, input: args });
}
