import type { z } from 'zod';
import type { Ctx } from '../../platform/context';

/** A tool of the MCP server, declared once. */
export interface Tool<Input = never, Output = object> {
  name: string;
  title: string;
  /** Ours alone: no text of an agent, which could instruct the model. */
  description: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };
  /** @throws {ParleyError} for what Parley refuses */
  run: (call: ToolCall<Input>) => Promise<ToolResult>;
}

export interface ToolCall<Input> {
  ctx: Ctx;
  input: Input;
  /** Receives the agent's texts as it writes them. */
  onProgress: (text: string) => void;
  /** Aborts when the client cancels the call. */
  canceled: AbortSignal;
}

/** The result of a call. */
export interface ToolResult {
  /** For the model to read. */
  text: string;
  /** The same for programs: matches the tool's output schema. */
  structured: object;
  /** The agent failed, rejected or canceled the task. */
  isError?: boolean;
}

/** Declares a tool, and checks that its input, output and implementation agree. */
export function tool<Input, Output extends object>(
  declaration: Omit<Tool<Input, Output>, 'run'> & {
    run: (call: ToolCall<Input>) => Promise<ToolResult & { structured: Output }>;
  },
): Tool {
  return declaration as unknown as Tool;
}
