import type { AgentRecord } from '../../catalog';
import { authorize } from '../../identity';
import { ParleyError } from '../../platform/errors';
import { cancelTaskTool, getTaskTool, sendMessageTool, skillTools } from './call-tools';
import { getAgentTool, searchAgentsTool } from './find-agents';
import { agentToolName, type Tool, type ToolCall, type ToolResult } from './tool';

/** The tools of one URL, in the order of its list. */
export interface ToolSet {
  /** The only agent that the tools can access; null if they can access all agents. */
  agent: AgentRecord | null;
  tools: Tool[];
}

/** The tools of `/mcp`. */
export const marketTools: ToolSet = {
  agent: null,
  tools: [searchAgentsTool, getAgentTool, sendMessageTool, getTaskTool, cancelTaskTool],
};

/**
 * Returns the tools of `/agents/{slug}/mcp`: one for each skill, followed by those for tasks. Their names do not occur
 * at `/mcp` or for other agents, because a host may add several of these servers.
 */
export function agentTools(agent: AgentRecord): ToolSet {
  const taskTools = [getTaskTool, cancelTaskTool].map((tool) => ({
    ...tool,
    name: agentToolName(agent.slug, tool.name),
    title: `${tool.title} of ${agent.slug}`,
  }));
  const reserved = [...marketTools.tools, ...taskTools].map(({ name }) => name);
  return { agent, tools: [...skillTools(agent, reserved), ...taskTools] };
}

/** Returns the tools in the format of `tools/list`. */
export function listTools({ tools }: ToolSet): object[] {
  return tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, ...annotations },
  }));
}

/**
 * Finds a tool by name.
 * @throws {ParleyError} `invalid_params` for an unknown one
 */
export function findTool({ tools }: ToolSet, name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const expected = tools.map((tool) => tool.name).join(', ');
  throw new ParleyError('invalid_params', `Found the tool "${name.slice(0, 100)}"; expected one of: ${expected}.`);
}

/**
 * Calls a tool for the user. The arguments are those of the request.
 * @throws {ParleyError} `insufficient_scope`, and the errors of the tool
 */
export function callTool(tool: Tool, call: ToolCall<unknown>): Promise<ToolResult> {
  authorize(call.ctx.actor, { hostScope: tool.scope });
  return tool.run(call);
}
