import { z } from 'zod';

const filePart = { filename: z.string().optional(), mediaType: z.string().optional() };

const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), ...filePart }),
  z.object({ kind: z.literal('bytes'), bytes: z.string().describe('The content of the file, base64'), ...filePart }),
  z.object({ kind: z.literal('uri'), uri: z.string(), ...filePart }),
  z.object({ kind: z.literal('data'), data: z.unknown().describe('Any JSON value'), ...filePart }),
]);

const messageSchema = z.object({
  messageId: z.string(),
  role: z.enum(['user', 'agent']),
  parts: z.array(partSchema),
});

const taskSchema = z.object({
  id: z.string(),
  createdAt: z.string().describe('ISO 8601, UTC'),
  state: z.string(),
  messages: z.array(messageSchema),
  artifacts: z.array(z.object({ artifactId: z.string(), name: z.string().optional(), parts: z.array(partSchema) })),
});

/** The JSON of `GET /api/chat/conversations/{id}/export?format=json`; published as JSON Schema. */
export const conversationExportSchema = z.object({
  $schema: z.string(),
  version: z.literal(1),
  exportedAt: z.string().describe('ISO 8601, UTC'),
  conversation: z.object({
    id: z.string(),
    title: z.string(),
    agent: z.object({ slug: z.string(), name: z.string() }),
  }),
  branches: z
    .array(
      z.object({
        id: z.string(),
        insteadOf: z
          .object({ branch: z.string(), task: z.string() })
          .nullable()
          .describe('The task that this branch replaces; null for the first branch'),
        tasks: z.array(taskSchema),
      }),
    )
    .describe('The original branch, then the branches started by edited messages, oldest first'),
});
export type ConversationExport = z.infer<typeof conversationExportSchema>;

/** The JSON Schema (2020-12) of exports. */
export function exportJsonSchema(id: string): object {
  return { $id: id, ...z.toJSONSchema(conversationExportSchema) };
}
