// The tasks, cards and requests of AgentOS's HTTP API, which Parley writes in lib/protocol/a2a/dialects/v01.
import { z } from 'zod';
import { MAX_CANCEL_REASON_BYTES, MAX_CARD_URL_LENGTH, MAX_ID_LENGTH } from '../protocol/limits';

const agentUrl = z
  .string()
  .min(1)
  .max(MAX_CARD_URL_LENGTH)
  .describe('The URL of a listed agent: its own, or its URL on Parley');
const taskId = z.string().min(1).max(MAX_ID_LENGTH);
const metadata = z.record(z.string(), z.unknown());

/** A part of a message or artifact. */
export const agentOsPartSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string(), metadata: metadata.optional() }),
  z.object({
    type: z.literal('file'),
    file: z.object({ name: z.string(), mimeType: z.string(), bytes: z.string().describe('base64') }),
    metadata: metadata.optional(),
  }),
  z.object({ type: z.literal('data'), data: metadata, metadata: metadata.optional() }),
]);

/** A message of a task. */
export const agentOsMessageSchema = z.object({
  role: z.enum(['user', 'agent']),
  parts: z.array(agentOsPartSchema),
  metadata: metadata.optional(),
});

/** A task in the format of AgentOS. */
export const agentOsTaskSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  status: z.object({
    state: z.enum(['submitted', 'working', 'input-required', 'completed', 'cancelled', 'failed']),
    message: agentOsMessageSchema.optional(),
    timestamp: z.string(),
  }),
  history: z.array(agentOsMessageSchema),
  artifacts: z.array(
    z.object({
      name: z.string().optional(),
      description: z.string().optional(),
      parts: z.array(agentOsPartSchema),
      index: z.int(),
      metadata: metadata.optional(),
    }),
  ),
  metadata: z.looseObject({ agentUrl: z.string().describe('The URL to get this task') }),
  createdAt: z.int().describe('Milliseconds since 1970'),
});
export type AgentOsTask = z.infer<typeof agentOsTaskSchema>;

/** A card in the format of AgentOS. */
export const agentOsCardSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  url: z.string().describe('The URL for JSON-RPC calls'),
  capabilities: z.looseObject({
    tools: z.array(z.unknown()),
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
  }),
  skills: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.string() })),
  authentication: z.object({ schemes: z.array(z.string()) }),
  defaultInputModes: z.array(z.string()),
  defaultOutputModes: z.array(z.string()),
});

export const discoverSchema = z.object({ url: agentUrl });

export const discoveredSchema = z.object({ card: agentOsCardSchema, discovered: z.literal(true) });

export const sendTaskSchema = z.object({
  agentUrl,
  message: z.union([z.string().min(1), z.looseObject({ parts: z.array(z.unknown()) })], {
    error: 'expected a string, or a message with "role" and "parts"',
  }),
  sessionId: taskId.nullish().describe('The conversation to continue'),
  metadata: metadata.nullish(),
});
export type SendTask = z.infer<typeof sendTaskSchema>;

export const taskQuerySchema = z.object({ taskId, agentUrl: agentUrl.optional() });

export const cancelTaskSchema = z.object({
  taskId,
  agentUrl: agentUrl.nullish(),
  reason: z.string().max(MAX_CANCEL_REASON_BYTES).nullish(),
});
