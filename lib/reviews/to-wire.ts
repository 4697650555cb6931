import type { ReviewView } from './schema';
import type { ReviewRecord } from './store/reviews';

/** The review as everybody sees it. */
export function toReviewView(review: ReviewRecord): ReviewView {
  const { id, stars, text, author, createdAt, updatedAt, reply, repliedAt } = review;
  return {
    id,
    stars,
    text,
    author,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    reply: reply !== null && repliedAt ? { text: reply, at: repliedAt.toISOString() } : null,
  };
}
