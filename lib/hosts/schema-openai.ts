import { z } from 'zod';
import { MAX_MESSAGES } from './limits';

// The part of OpenAI's API reference that agents can answer. Other members of requests are accepted and ignored.

const partSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
  z.object({
    type: z.literal('file'),
    file: z.object({ file_data: z.string(), filename: z.string().max(255).optional() }),
  }),
  z.object({
    type: z.literal('input_audio'),
    input_audio: z.object({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
  }),
]);
export type ContentPart = z.infer<typeof partSchema>;

const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

export const chatCompletionRequestSchema = z.object({
  /** The slug of an agent. */
  model: z.string().min(1).max(255),
  messages: z.array(messageSchema).min(1).max(MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'Expected 1: an agent gives one answer.').nullish(),
});
export type ChatCompletionRequest = z.infer<typeof chatCompletionRequestSchema>;

export const usageSchema = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  total_tokens: z.int().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

export const chatCompletionSchema = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  /** Seconds since 1970. */
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string(),
        reasoning_content: z.string().optional(),
        refusal: z.null(),
      }),
      logprobs: z.null(),
      finish_reason: z.literal('stop'),
    }),
  ),
  usage: usageSchema,
});
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;

export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  /** Seconds since 1970: when the agent was listed. */
  created: z.int(),
  owned_by: z.string(),
});
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });
