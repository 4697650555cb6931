import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import { cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_BRANCH_ID_LENGTH, MAX_EXAMPLE_TEXT_LENGTH, MAX_EXAMPLE_TURNS, MAX_SHARED_TASKS } from './limits';
import { partSchema } from './schema-thread';

/** A part of a shared message, or a placeholder for a withheld one. */
const sharedPieceSchema = z.union([
  z.object({ kind: z.literal('part'), part: partSchema }),
  z.object({ kind: z.literal('file'), name: z.string(), mediaType: z.string() }),
  z.object({ kind: z.literal('withheld'), what: z.enum(['payment', 'declined', 'data']) }),
]);
export type SharedPiece = z.infer<typeof sharedPieceSchema>;

const sharedTurnSchema = z.object({
  key: z.string(),
  taskId: z.string(),
  role: z.enum(['user', 'agent']),
  pieces: z.array(sharedPieceSchema),
});
export type SharedTurn = z.infer<typeof sharedTurnSchema>;

/** The public view of a conversation: without payments, secrets, email addresses and file contents. */
const sharedThreadSchema = z.object({ title: z.string(), agent: agentName, turns: z.array(sharedTurnSchema) });
export type SharedThread = z.infer<typeof sharedThreadSchema>;

/**
 * Response of `GET …/shares/preview`: the content that a link would show, and the tasks with which to create the link.
 */
export const sharePreviewSchema = z.object({
  thread: sharedThreadSchema,
  tasks: z.array(z.object({ id: z.string(), seq: z.int() })).describe('The tasks to send when creating the link'),
});
export type SharePreview = z.infer<typeof sharePreviewSchema>;

const sharedTasksSchema = z
  .array(z.object({ id: z.uuid(), seq: z.number().int().min(1) }))
  .min(1)
  .max(MAX_SHARED_TASKS);

/** Body of `POST /api/chat/conversations/{id}/shares`: the tasks of the preview. */
export const createShareSchema = z.object({
  branch: z.string().max(MAX_BRANCH_ID_LENGTH).optional(),
  tasks: sharedTasksSchema,
});
export type CreateShare = z.infer<typeof createShareSchema>;

/** A shared link, without its URL. */
export const shareViewSchema = z.object({
  id: z.string(),
  createdAt: time,
  tasks: z.int().describe('Number of tasks it shows'),
});
export type ShareView = z.infer<typeof shareViewSchema>;

/** Response of `POST …/shares`, the only one that contains the URL. */
export const createdShareSchema = shareViewSchema.extend({
  url: z.string().describe('The URL of the link; returned only once'),
});
export type CreatedShare = z.infer<typeof createdShareSchema>;

export const exampleTurnSchema = z.object({ role: z.enum(['user', 'agent']), text: z.string() });
export type ExampleTurn = z.infer<typeof exampleTurnSchema>;

/** The public view of an example conversation. */
export const exampleViewSchema = z.object({
  id: z.string(),
  turns: z.array(exampleTurnSchema),
  publishedAt: time,
});
export type ExampleView = z.infer<typeof exampleViewSchema>;

/** Response of `GET /api/agents/{slug}/example`. */
export const exampleSchema = z.object({
  example: exampleViewSchema.nullable().describe('Null if the publisher shows none'),
  mayChoose: z.boolean().describe('True for the developers of the agent'),
  isRemoved: z.boolean().describe('Moderation removed it; shown to its team only'),
});
export type AgentExample = z.infer<typeof exampleSchema>;

/** A finished task that can become the example. */
export const exampleTaskSchema = z.object({
  id: z.string(),
  text: z.string().describe('The start of its first message'),
  at: time,
});
export type ExampleTask = z.infer<typeof exampleTaskSchema>;

/** Response of `GET /api/agents/{slug}/example/tasks/{id}`: the redacted turns of the task, for review and editing. */
export const exampleDraftSchema = z.object({ taskId: z.string(), turns: z.array(exampleTurnSchema) });
export type ExampleDraft = z.infer<typeof exampleDraftSchema>;

const turnText = z
  .string()
  .transform(cleanText)
  .pipe(
    z
      .string()
      .min(1, 'expected text')
      .max(MAX_EXAMPLE_TEXT_LENGTH, `expected at most ${MAX_EXAMPLE_TEXT_LENGTH} characters`),
  );

/** Body of `PUT /api/agents/{slug}/example`: turns of the draft by their position, in order, each with its text. */
export const exampleInputSchema = z
  .strictObject({
    taskId: z.uuid(),
    turns: z
      .array(
        z.strictObject({
          at: z
            .int()
            .min(0)
            .max(MAX_EXAMPLE_TURNS - 1),
          text: turnText,
        }),
      )
      .min(1, 'expected at least one message')
      .max(MAX_EXAMPLE_TURNS),
  })
  .refine(({ turns }) => turns.every(({ at }, index) => index === 0 || at > (turns[index - 1]?.at ?? -1)), {
    path: ['turns'],
    message: 'expected each message once, in the original order',
  });
export type ExampleInput = z.infer<typeof exampleInputSchema>;
