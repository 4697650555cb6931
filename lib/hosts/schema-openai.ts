import { z } from 'zod';
import { MAX_MESSAGES } from './limits';

// The part of OpenAI's API reference that agents can support. Members of requests that change the format of the answer
// are rejected unless they request the format that agents return. Other members are accepted and ignored.

/**
 * Returns a schema for a member that may be absent or have one of the values that `isGiven` accepts. Other values are
 * rejected with `message`.
 */
export function onlyWhen(isGiven: (value: unknown) => boolean, message: string) {
  return z
    .unknown()
    .refine((value) => value === undefined || value === null || isGiven(value), message)
    .optional();
}

/** Returns a member of an object; undefined if `value` is not an object. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

export const noFileId = onlyWhen(
  () => false,
  'Found the ID of an uploaded file, which is not available. Send the file itself as a data URL in base64.',
);

const NO_TOOLS = 'Expected "auto" or "none": an agent runs its own tools, and never calls those of the request.';
/** `auto` and `none` permit an answer without a call. Every other choice requires a call. */
export const toolChoiceSchema = onlyWhen(
  (value) => value === 'auto' || value === 'none' || memberOf(value, 'mode') === 'auto',
  NO_TOOLS,
);
export const textFormatSchema = onlyWhen(
  (value) => memberOf(value, 'type') === 'text',
  'Expected {"type": "text"}: an agent decides itself which form its answer has.',
);
export const noLogprobs = 'Expected no log probabilities: agents have none.';
export const modalitiesSchema = onlyWhen(
  (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  'Expected ["text"]: an answer is text, with links to files.',
);

const partSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.literal('refusal'), refusal: z.string() }),
    z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) }),
    z.object({
      type: z.literal('file'),
      file: z
        .object({ file_data: z.string().nullish(), file_id: noFileId, filename: z.string().max(255).nullish() })
        .refine(({ file_data: data }) => typeof data === 'string', 'Expected file_data, a data URL in base64.'),
    }),
    z.object({
      type: z.literal('input_audio'),
      input_audio: z.object({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
    }),
  ],
  'Expected "text", "image_url", "file", "input_audio" or "refusal".',
);
export type ContentPart = z.infer<typeof partSchema>;

/** A call of a tool that an earlier answer of another model made. */
const namedCallSchema = z.object({ name: z.string(), arguments: z.string().nullish(), input: z.string().nullish() });
export type NamedCall = z.infer<typeof namedCallSchema>;

const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(partSchema)], 'Expected a text or an array of parts.').nullish(),
  tool_calls: z.array(z.object({ function: namedCallSchema.nullish(), custom: namedCallSchema.nullish() })).nullish(),
  function_call: namedCallSchema.nullish(),
});
export type ChatMessage = z.infer<typeof messageSchema>;

export const chatCompletionRequestSchema = z.object({
  /** The slug of an agent. */
  model: z.string().min(1).max(255),
  messages: z.array(messageSchema).min(1).max(MAX_MESSAGES),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  /** Identifiers of the end user and the conversation, in any format. */
  user: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  metadata: z.unknown().optional(),
  n: z.literal(1, 'Expected 1: an agent gives one answer.').nullish(),
  response_format: textFormatSchema,
  tool_choice: toolChoiceSchema,
  function_call: toolChoiceSchema,
  logprobs: onlyWhen((value) => value === false, noLogprobs),
  top_logprobs: onlyWhen((value) => value === 0, noLogprobs),
  modalities: modalitiesSchema,
  audio: onlyWhen(() => false, 'Expected no audio: an answer is text, with links to files.'),
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
  /** Seconds since 1970: the time at which the agent was listed. */
  created: z.int(),
  owned_by: z.string(),
});
export type Model = z.infer<typeof modelSchema>;

export const modelListSchema = z.object({ object: z.literal('list'), data: z.array(modelSchema) });
