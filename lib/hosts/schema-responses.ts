import { z } from 'zod';
import { MAX_MESSAGES } from './limits';

// The part of OpenAI's Responses API that agents can answer. Other members of requests are accepted and ignored.

const contentSchema = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('input_image'), image_url: z.string() }),
  z.object({ type: z.literal('input_file'), file_data: z.string(), filename: z.string().max(255).optional() }),
]);
export type InputContent = z.infer<typeof contentSchema>;

const itemSchema = z.object({
  type: z.literal('message').optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(contentSchema)]),
});
export type InputItem = z.infer<typeof itemSchema>;

export const responseRequestSchema = z.object({
  /** The slug of an agent. */
  model: z.string().min(1).max(255),
  input: z.union([z.string(), z.array(itemSchema).min(1).max(MAX_MESSAGES)]),
  instructions: z.string().nullish(),
  previous_response_id: z.string().max(255).nullish(),
  stream: z.boolean().nullish(),
  background: z.literal(false, 'Expected false: responses in the background are not available.').nullish(),
});
export type ResponseRequest = z.infer<typeof responseRequestSchema>;

const tokens = z.int().nonnegative();

export const responseSchema = z.object({
  id: z.string(),
  object: z.literal('response'),
  /** Seconds since 1970. */
  created_at: z.int(),
  status: z.enum(['in_progress', 'completed', 'failed']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.null(),
  instructions: z.string().nullable(),
  metadata: z.object({}),
  model: z.string(),
  output: z.array(
    z.object({
      type: z.literal('message'),
      id: z.string(),
      role: z.literal('assistant'),
      status: z.enum(['in_progress', 'completed']),
      content: z.array(z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.null()) })),
    }),
  ),
  parallel_tool_calls: z.literal(false),
  previous_response_id: z.string().nullable(),
  temperature: z.null(),
  tool_choice: z.literal('none'),
  tools: z.array(z.null()),
  top_p: z.null(),
  usage: z
    .object({
      input_tokens: tokens,
      input_tokens_details: z.object({ cached_tokens: tokens }),
      output_tokens: tokens,
      output_tokens_details: z.object({ reasoning_tokens: tokens }),
      total_tokens: tokens,
    })
    .nullable(),
});
export type AgentResponse = z.infer<typeof responseSchema>;
