import { z } from 'zod';
import { MAX_MESSAGES } from './limits';
import { modalitiesSchema, noFileId, noLogprobs, onlyWhen, textFormatSchema, toolChoiceSchema } from './schema-openai';

// The part of OpenAI's Responses API that agents can support. Members of requests that change the format of the answer
// are rejected unless they request the format that agents return. Other members are accepted and ignored.

const contentSchema = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.enum(['input_text', 'output_text', 'text', 'summary_text']), text: z.string() }),
    z.object({ type: z.literal('refusal'), refusal: z.string() }),
    z
      .object({ type: z.literal('input_image'), image_url: z.string().nullish(), file_id: noFileId })
      .refine(
        ({ image_url: url }) => typeof url === 'string',
        'Expected image_url, a data URL in base64 or an https URL.',
      ),
    z
      .object({
        type: z.literal('input_file'),
        file_data: z.string().nullish(),
        file_url: z.string().nullish(),
        file_id: noFileId,
        filename: z.string().max(255).nullish(),
      })
      .refine(
        ({ file_data: data, file_url: url }) => typeof (data ?? url) === 'string',
        'Expected file_data, a data URL in base64, or file_url, an https URL.',
      ),
    z.object({
      type: z.literal('input_audio'),
      input_audio: z.object({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
    }),
  ],
  'Expected "input_text", "output_text", "input_image", "input_file", "input_audio" or "refusal".',
);
export type InputContent = z.infer<typeof contentSchema>;

const content = z.union([z.string(), z.array(contentSchema)], 'Expected a text or an array of parts.');

/** Items that OpenAI's tools add to a conversation. Agents do not need them. */
const ignoredTypes = [
  ...['reasoning', 'compaction', 'web_search_call', 'file_search_call', 'computer_call', 'computer_call_output'],
  ...['code_interpreter_call', 'image_generation_call', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request'],
  ...['mcp_approval_response', 'local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output'],
  ...['apply_patch_call', 'apply_patch_call_output', 'tool_search_call', 'tool_search_output'],
] as const;

const itemSchema = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('message').optional(),
      id: z.string().max(255).nullish(),
      role: z.enum(['system', 'developer', 'user', 'assistant']),
      content,
    }),
    z.object({ type: z.literal('item_reference'), id: z.string().max(255) }),
    z.object({ type: z.literal('function_call'), name: z.string(), arguments: z.string() }),
    z.object({ type: z.literal('custom_tool_call'), name: z.string(), input: z.string() }),
    z.object({ type: z.enum(['function_call_output', 'custom_tool_call_output']), output: content }),
    z.object({ type: z.enum(ignoredTypes) }),
  ],
  'Expected "message", "item_reference", "function_call", "function_call_output", or an item of an earlier response.',
);
export type InputItem = z.infer<typeof itemSchema>;

export const responseRequestSchema = z.object({
  /** The slug of an agent. */
  model: z.string().min(1).max(255),
  input: z.union([z.string(), z.array(itemSchema).min(1).max(MAX_MESSAGES)], 'Expected a text or an array of items.'),
  instructions: z.string().nullish(),
  previous_response_id: z.string().max(255).nullish(),
  /** The client's ID for the conversation of this end user. */
  conversation: z.union([z.string().max(255), z.object({ id: z.string().max(255) })], 'Expected an ID.').nullish(),
  /** Identifiers of the end user and the conversation, in any format. */
  user: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  metadata: z.unknown().optional(),
  stream: z.boolean().nullish(),
  background: z.literal(false, 'Expected false: responses in the background are not available.').nullish(),
  prompt: onlyWhen(() => false, 'Expected no stored prompt: send its text as instructions or input.'),
  text: z.object({ format: textFormatSchema }).nullish(),
  tool_choice: toolChoiceSchema,
  top_logprobs: onlyWhen((value) => value === 0, noLogprobs),
  include: onlyWhen((value) => !(Array.isArray(value) && value.some(isLogprobs)), noLogprobs),
  modalities: modalitiesSchema,
});
export type ResponseRequest = z.infer<typeof responseRequestSchema>;

function isLogprobs(value: unknown): boolean {
  return typeof value === 'string' && value.endsWith('.logprobs');
}

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
