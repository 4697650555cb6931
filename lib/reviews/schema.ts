import { z } from 'zod';
import { cleanText } from '../protocol/a2a/cards/clean-text';
import { MAX_REVIEW_LENGTH, MAX_REVIEW_PAGE } from './limits';

const reviewText = z
  .string()
  .transform(cleanText)
  .pipe(
    z
      .string()
      .min(1, 'expected a few words')
      .max(MAX_REVIEW_LENGTH, `expected at most ${MAX_REVIEW_LENGTH} characters`),
  );

/** Body of `PUT /api/agents/{slug}/reviews/own`. */
export const reviewInputSchema = z.strictObject({
  stars: z.int('expected a whole number from 1 to 5').min(1).max(5),
  text: reviewText,
});
export type ReviewInput = z.infer<typeof reviewInputSchema>;

/** Body of `PUT /api/agents/{slug}/reviews/{id}/reply`. */
export const replyInputSchema = z.strictObject({ text: reviewText });

export const reviewSorts = ['newest', 'highest', 'lowest'] as const;
export type ReviewSort = (typeof reviewSorts)[number];

/** Query of `GET /api/agents/{slug}/reviews`. */
export const reviewQuerySchema = z.strictObject({
  sort: z.enum(reviewSorts).default('newest'),
  page: z.coerce.number().int().min(1).max(MAX_REVIEW_PAGE).default(1),
});
export type ReviewQuery = z.infer<typeof reviewQuerySchema>;

/** The public view of a review. Times are ISO 8601. */
export const reviewViewSchema = z.strictObject({
  id: z.string(),
  stars: z.int(),
  text: z.string(),
  /** The author's public name. */
  author: z.string(),
  createdAt: z.string(),
  /** Later than `createdAt` if it was changed. */
  updatedAt: z.string(),
  /** The publisher's reply. */
  reply: z.strictObject({ text: z.string(), at: z.string() }).nullable(),
  /** True for demo data. */
  isDemo: z.boolean().optional(),
});
export type ReviewView = z.infer<typeof reviewViewSchema>;

/** An agent's rating. */
export const reviewSummarySchema = z.strictObject({
  count: z.int(),
  /** Mean number of stars; null if there are no reviews. */
  average: z.number().nullable(),
  /** Number of reviews with one to five stars. */
  distribution: z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()]),
});
export type ReviewSummary = z.infer<typeof reviewSummarySchema>;

/** Response of `GET /api/agents/{slug}/reviews`. */
export const reviewPageSchema = z.strictObject({
  summary: reviewSummarySchema,
  items: z.array(reviewViewSchema),
  page: z.int(),
  pages: z.int(),
});
export type ReviewPage = z.infer<typeof reviewPageSchema>;

/** The permission of a user to review an agent, or the reason for its absence. */
export type ReviewPermission = 'yes' | 'signed-out' | 'not-used' | 'own-agent';

/** An actor's own review of an agent, and their permissions. */
export interface ReviewerStatus {
  permission: ReviewPermission;
  /** The actor's review. `isHidden` is true if moderation hid it. */
  own: (ReviewView & { isHidden: boolean }) | null;
  /** True for the agent's developers. */
  mayReply: boolean;
}
