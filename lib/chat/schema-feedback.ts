import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_CONVERSATION_ID_LENGTH, MAX_FEEDBACK_NOTE_LENGTH } from './limits';

const feedbackCategories = ['wrong', 'incomplete', 'off-topic', 'slow', 'unsafe', 'other'] as const;

/** Body of `PUT /api/chat/tasks/{id}/feedback/{seq}`. */
export const giveFeedbackSchema = z.object({
  conversationId: z.string().max(MAX_CONVERSATION_ID_LENGTH),
  verdict: z.enum(['good', 'bad']),
  category: z.enum(feedbackCategories).optional(),
  note: z.string().trim().max(MAX_FEEDBACK_NOTE_LENGTH).optional(),
});
export type GiveFeedback = z.infer<typeof giveFeedbackSchema>;

/** The user's feedback on the answer that begins with event `seq` of a task. */
export const feedbackViewSchema = z.object({
  taskId: z.string(),
  seq: z.int(),
  verdict: z.enum(['good', 'bad']),
  category: z.string().nullable(),
  note: z.string().nullable(),
});
export type FeedbackView = z.infer<typeof feedbackViewSchema>;

/** Feedback on an agent's answers since `since`, for its owner; without users and messages. Latest notes first. */
export const feedbackCountsSchema = z.object({
  good: z.int(),
  bad: z.int(),
  categories: z.array(z.object({ category: z.string(), count: z.int() })).describe('Reasons for negative feedback'),
  notes: z.array(z.object({ verdict: z.string(), category: z.string().nullable(), note: z.string(), at: time })),
  since: time,
});
export type FeedbackCounts = z.infer<typeof feedbackCountsSchema>;
