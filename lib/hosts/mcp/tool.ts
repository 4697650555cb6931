import { z } from 'zod';
import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import type { AbortSignalLike } from '../../platform/runtime/abort';
import type { HostScope } from '../../platform/scopes';
import { sha256 } from '../../platform/secrets/crypto';
import type { TaskState } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { MAX_TOOL_NAME, MIN_SKILL_NAME } from '../limits';

interface ToolDescription {
  name: string;
  title: string;
  /**
   * Text from an agent is truncated in the description and marked as data, because it could contain instructions for
   * the model.
   */
  description: string;
  scope: HostScope;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };
}

export interface ToolCall<Input> {
  ctx: Ctx;
  input: Input;
  /** Hash of the end user that the host states; empty if there is none. */
  endUser: string;
  /** The only agent that the called URL serves; null if it serves all agents. */
  agent: AgentRecord | null;
  /** Receives the agent's texts as they are written; absent if the client did not request progress. */
  onProgress?: (text: string) => void;
  /** Aborted when the client cancels the call. */
  canceled: AbortSignalLike;
  /** Maximum time that the call waits for the end of a turn, milliseconds. */
  waitMs: number;
}

/** The result of a call. */
export interface ToolResult<Output = object> {
  /** The text for the model. */
  text: string;
  /** The result for programs, which matches the tool's output schema; absent if the arguments were rejected. */
  structured?: Output;
  /** The apps in the agent's answer, as resources of MCP, for hosts that show them. */
  apps?: JsonObject[];
  /** True if the agent failed, rejected or canceled the task, or if the arguments were rejected. */
  isError?: boolean;
  /** The task for which the call waited. */
  task?: { taskId: string; state: TaskState };
}

/** A tool of the MCP server. */
export interface Tool extends ToolDescription {
  /** JSON Schemas of the arguments and of the structured result. */
  inputSchema: object;
  outputSchema: object;
  /**
   * Runs the tool.
   * @throws {ParleyError} if Parley refuses the call
   */
  run: (call: ToolCall<unknown>) => Promise<ToolResult>;
}

/** Declares a tool. Its implementation receives validated arguments. */
export function tool<Input, Output extends object>({
  input,
  output,
  run,
  ...description
}: ToolDescription & {
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  run: (call: ToolCall<Input>) => Promise<ToolResult<Output>>;
}): Tool {
  return { ...description, ...schemasOf(input, output), run: withValidInput(input, run) };
}

/** Returns the JSON Schemas of arguments and of a structured result. */
export function schemasOf(input: z.ZodType, output: z.ZodType): Pick<Tool, 'inputSchema' | 'outputSchema'> {
  return {
    inputSchema: z.toJSONSchema(input, { io: 'input', target: 'draft-7' }),
    outputSchema: z.toJSONSchema(output, { io: 'output', target: 'draft-7' }),
  };
}

/** Validates arguments. Invalid ones are an error of the tool, because the model can correct them. */
export function withValidInput<Input>(
  schema: z.ZodType<Input>,
  run: (call: ToolCall<Input>) => Promise<ToolResult>,
): Tool['run'] {
  return async (call) => {
    const parsed = schema.safeParse(call.input ?? {});
    if (parsed.success) return run({ ...call, input: parsed.data });
    const [issue] = parsed.error.issues;
    return { text: `${issue?.path.join('.') || 'arguments'}: ${issue?.message}`, isError: true };
  };
}

/** The tools of `/mcp`. */
export const marketToolNames = {
  search: 'search_agents',
  show: 'get_agent',
  send: 'send_message',
  poll: 'get_task',
  cancel: 'cancel_task',
} as const;

/**
 * Returns the name of a tool at `/agents/{slug}/mcp`. A slug contains no underscore, so names of different agents
 * differ, and a host can add many of these servers. If `id` is empty or too long, contains characters that hosts do not
 * accept, or results in a reserved name, these characters are replaced and a hash of `id` is added.
 */
export function agentToolName(slug: string, id: string, reserved: readonly string[] = []): string {
  const length = Math.max(MAX_TOOL_NAME - slug.length - 1, MIN_SKILL_NAME);
  const accepted = id.replace(/[^A-Za-z0-9_-]/g, '_');
  const name = `${slug}_${id}`;
  if (accepted === id && id !== '' && id.length <= length && !reserved.includes(name)) return name;
  const hash = sha256(id).slice(0, 8);
  return `${slug}_${accepted.slice(0, length - hash.length - 1)}_${hash}`;
}
