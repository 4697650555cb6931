import { z } from 'zod';
import { cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_REVIEW } from './schema-limits';

const words = z
  .string()
  .transform(cleanText)
  .pipe(z.string().min(1, 'expected a few words').max(MAX_REVIEW, `expected at most ${MAX_REVIEW} characters`));

/** Body of `PUT /api/agents/{slug}/reviews/own`. */
export const reviewInputSchema = z.strictObject({
  stars: z.int('expected a whole number from 1 to 5').min(1).max(5),
  text: words,
});
export type ReviewInput = z.infer<typeof reviewInputSchema>;

/** Body of `PUT /api/agents/{slug}/reviews/{id}/reply`. */
export const replyInputSchema = z.strictObject({ text: words });

export const reviewSorts = ['newest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof reviewSorts)[number];

/** Query of `GET /api/agents/{slug}/reviews`. */
export const reviewQuerySchema = z.strictObject({
  sort: z.enum(reviewSorts).default('newest'),
  page: z.coerce.number().int().min(1).max(1_000).default(1),
});
export type ReviewQuery = z.infer<typeof reviewQuerySchema>;

/** One review, as everybody sees it. Times are ISO 8601. */
export const reviewViewSchema = z.strictObject({
  id: z.string(),
  stars: z.int(),
  text: z.string(),
  /** The public name of who wrote it. */
  author: z.string(),
  createdAt: z.string(),
  /** Later than `createdAt` when it was changed. */
  updatedAt: z.string(),
  /** What the publisher answers. */
  reply: z.strictObject({ text: z.string(), at: z.string() }).nullable(),
});
export type ReviewView = z.infer<typeof reviewViewSchema>;

/** How an agent was rated. */
export const reviewSummarySchema = z.strictObject({
  count: z.int(),
  /** Mean of the stars; null without a review. */
  average: z.number().nullable(),
  /** How many gave one star, two, … five. */
  distribution: z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]),
});
export type ReviewSummary = z.infer<typeof reviewSummarySchema>;

/** `GET /api/agents/{slug}/reviews`. */
export const reviewPageSchema = z.strictObject({
  summary: reviewSummarySchema,
  items: z.array(reviewViewSchema),
  page: z.int(),
  pages: z.int(),
});
export type ReviewPage = z.infer<typeof reviewPageSchema>;

/** Whether a person may review an agent; else why not. */
export type ReviewPermission = 'yes' | 'signed-out' | 'not-used' | 'own-agent';

/** What a person has to do with an agent's reviews. */
export interface ReviewerStatus {
  permission: ReviewPermission;
  /** Their own review, and whether moderation hid it. */
  own: (ReviewView & { isHidden: boolean }) | null;
  /** They answer for the agent and may reply. */
  mayReply: boolean;
}
