import { selectReview } from './store/reviews';

/** A review as moderation sees it, hidden or not. */
export interface FoundReview {
  id: string;
  agentId: string;
  userId: string;
  stars: number;
  text: string;
  author: string;
  isHidden: boolean;
}

/** The review with an id in whatever state it is, or null; who may see it is for the caller to ask. */
export async function findReview(id: string): Promise<FoundReview | null> {
  const review = await selectReview(id);
  if (!review) return null;
  const { agentId, userId, stars, text, author, hiddenAt } = review;
  return { id, agentId, userId, stars, text, author, isHidden: hiddenAt !== null };
}
