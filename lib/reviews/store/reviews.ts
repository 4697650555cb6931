import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { ReviewSort, ReviewSummary } from '../schema';

/** A review with its author's public name. */
export interface ReviewRecord {
  id: string;
  agentId: string;
  userId: string;
  stars: number;
  text: string;
  reply: string | null;
  repliedAt: Date | null;
  hiddenAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  author: string;
}

const columns = `r.id, r.agent_id AS "agentId", r.user_id AS "userId", r.stars, r.text, r.reply, r.replied_at AS "repliedAt",
  r.hidden_at AS "hiddenAt", r.created_at AS "createdAt", r.updated_at AS "updatedAt", coalesce(p.name, u.name) AS author`;
const joined = 'FROM review r JOIN "user" u ON u.id = r.user_id LEFT JOIN publisher p ON p.user_id = r.user_id';

/** Reviews that are public and count for the rating: not hidden, and not by current members of the agent's team. */
const counted = `r.hidden_at IS NULL AND NOT EXISTS (SELECT FROM agent a WHERE a.id = r.agent_id AND a.owner_id = r.user_id)
  AND NOT EXISTS (SELECT FROM agent_member m WHERE m.agent_id = r.agent_id AND m.user_id = r.user_id)`;

const orders: Record<ReviewSort, string> = {
  newest: 'r.created_at DESC, r.id',
  highest: 'r.stars DESC, r.created_at DESC, r.id',
  lowest: 'r.stars, r.created_at DESC, r.id',
};

/** A page of an agent's public reviews. */
export function selectReviews(
  agentId: string,
  { sort, offset, limit }: { sort: ReviewSort; offset: number; limit: number },
): Promise<ReviewRecord[]> {
  return query(
    `reviews-${sort}`,
    `SELECT ${columns} ${joined} WHERE r.agent_id = $1 AND ${counted}
     ORDER BY ${orders[sort]} OFFSET $2 LIMIT $3`,
    [agentId, offset, limit],
  );
}

export async function selectReview(id: string): Promise<ReviewRecord | null> {
  const rows = await query<ReviewRecord>('review', `SELECT ${columns} ${joined} WHERE r.id = $1`, [id]);
  return rows[0] ?? null;
}

export async function selectReviewBy(userId: string, agentId: string): Promise<ReviewRecord | null> {
  const text = `SELECT ${columns} ${joined} WHERE r.agent_id = $1 AND r.user_id = $2`;
  return (await query<ReviewRecord>('review-by', text, [agentId, userId]))[0] ?? null;
}

/** All reviews by a user, latest first. */
export function selectReviewsBy(userId: string): Promise<ReviewRecord[]> {
  const text = `SELECT ${columns} ${joined} WHERE r.user_id = $1 ORDER BY r.created_at DESC, r.id`;
  return query('reviews-by', text, [userId]);
}

interface RatingRow {
  count: number;
  average: number | null;
  distribution: ReviewSummary['distribution'];
}

export async function selectRating(agentId: string): Promise<ReviewSummary> {
  const given = [1, 2, 3, 4, 5].map((stars) => `(count(*) FILTER (WHERE r.stars = ${stars}))::int`);
  const rows = await query<RatingRow>(
    'rating',
    `SELECT count(*)::int AS count, avg(r.stars)::float8 AS average, ARRAY[${given.join(', ')}] AS distribution
     FROM review r WHERE r.agent_id = $1 AND ${counted}`,
    [agentId],
  );
  return rows[0] ?? { count: 0, average: null, distribution: [0, 0, 0, 0, 0] };
}

export type NewReview = Pick<ReviewRecord, 'id' | 'agentId' | 'userId' | 'stars' | 'text'> & { now: Date };

/** Upserts a user's review of an agent; true if it is new. A hidden review remains hidden. */
export async function upsertReview({ now, ...review }: NewReview): Promise<boolean> {
  const rows = await query<{ created: boolean }>(
    'upsert-review',
    `INSERT INTO review (id, agent_id, user_id, stars, text, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (agent_id, user_id) DO UPDATE SET stars = excluded.stars, text = excluded.text,
       updated_at = excluded.updated_at
     RETURNING created_at = updated_at AS created`,
    [review.id, review.agentId, review.userId, review.stars, review.text, now],
  );
  return rows[0]?.created ?? false;
}

/**
 * Deletes a user's review of an agent; false if there is none. For a hidden review only the text is deleted: the row
 * remains, so that a new review is hidden too.
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

/** Sets or, with null, deletes the reply to a public review of this agent; false if there is no such review. */
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

/** Hides a review, or shows it again with null; false if it was deleted. */
export async function setReviewHidden(tx: Db, id: string, at: Date | null): Promise<boolean> {
  if (at === null) await tx.review.deleteMany({ where: { id, text: '' } });
  const { count } = await tx.review.updateMany({ where: { id }, data: { hiddenAt: at } });
  return count === 1;
}

/** Deletes all reviews by a user. */
export async function eraseReviews(tx: Db, userId: string): Promise<void> {
  await tx.review.deleteMany({ where: { userId } });
}
