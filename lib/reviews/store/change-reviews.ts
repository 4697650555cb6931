import { type Db, db } from '../../platform/db/db';

/**
 * Deletes a user's review of an agent. Returns false if there is none. Of a hidden review, only the text is deleted;
 * the row remains, so that a new review is hidden too.
 */
export async function deleteReviewBy(userId: string, agentId: string): Promise<boolean> {
  const shown = await db().review.deleteMany({ where: { userId, agentId, hiddenAt: null } });
  if (shown.count === 1) return true;
  const { count } = await db().review.updateMany({
    where: { userId, agentId, hiddenAt: { not: null }, text: { not: '' } },
    data: { text: '', reply: null, repliedAt: null },
  });
  return count === 1;
}

/** Sets or, with null, deletes the reply to a public review of this agent. Returns false if there is no such review. */
export async function setReply(
  { id, agentId }: { id: string; agentId: string },
  reply: { text: string; at: Date } | null,
): Promise<boolean> {
  const { count } = await db().review.updateMany({
    where: { id, agentId, hiddenAt: null },
    data: { reply: reply?.text ?? null, repliedAt: reply?.at ?? null },
  });
  return count === 1;
}

/** Hides a review, or makes it visible again with null. Returns false if it was deleted. */
export async function setReviewHidden(tx: Db, id: string, at: Date | null): Promise<boolean> {
  if (at === null) await tx.review.deleteMany({ where: { id, text: '' } });
  const { count } = await tx.review.updateMany({ where: { id }, data: { hiddenAt: at } });
  return count === 1;
}

/** Deletes all reviews by a user. */
export async function eraseReviews(tx: Db, userId: string): Promise<void> {
  await tx.review.deleteMany({ where: { userId } });
}
