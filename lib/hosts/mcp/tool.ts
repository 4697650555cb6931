import type { z } from 'zod';
import type { AbortSignalLike } from '../../platform/abort';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';

interface ToolDescription {
  name: string;
  title: string;
  /** Ours alone: no text of an agent, which could instruct the model. */
  description: string;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint?: boolean };
}

export interface ToolCall<Input> {
  ctx: Ctx;
  input: Input;
  /** Receives the agent's texts as it writes them; absent when the client wants none. */
  onProgress?: (text: string) => void;
  /** Aborts when the client cancels the call. */
  canceled: AbortSignalLike;
}

/** The result of a call. */
export interface ToolResult<Output = object> {
  /** For the model to read. */
  text: string;
  /** The same for programs: matches the tool's output schema. */
  structured: Output;
  /** The agent failed, rejected or canceled the task. */
  isError?: boolean;
}

/** A tool of the MCP server. */
export interface Tool extends ToolDescription {
  input: z.ZodType;
  output: z.ZodType;
  /** @throws {ParleyError} `invalid_params` for arguments that do not match `input`; what Parley refuses */
  run: (call: ToolCall<unknown>) => Promise<ToolResult>;
}

/** Declares a tool once; its implementation gets valid arguments. */
export function tool<Input, Output extends object>(
  declaration: ToolDescription & {
    input: z.ZodType<Input>;
    output: z.ZodType<Output>;
    run: (call: ToolCall<Input>) => Promise<ToolResult<Output>>;
  },
): Tool {
  return {
    ...declaration,
    run: async (call) => declaration.run({ ...call, input: parse(declaration.input, call.input) }),
  };
}

function parse<Input>(schema: z.ZodType<Input>, value: unknown): Input {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ParleyError('invalid_params', `${issue?.path.join('.') || 'arguments'}: ${issue?.message}`);
}
