import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import { MAX_BRANCH_ID_LENGTH, MAX_SHARED_TASKS } from './limits';
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

/** The public view of a conversation: without payments, secrets, e-mail addresses and file contents. */
const sharedThreadSchema = z.object({ title: z.string(), agent: agentName, turns: z.array(sharedTurnSchema) });
export type SharedThread = z.infer<typeof sharedThreadSchema>;

/** Response of `GET …/shares/preview`: the content that a link would show, and the tasks to create it with. */
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

/** Response of `POST …/shares`; the URL is returned only here. */
export const createdShareSchema = shareViewSchema.extend({
  url: z.string().describe('The URL of the link; returned only once'),
});
export type CreatedShare = z.infer<typeof createdShareSchema>;
