import { bool, float8, int4, int4Array, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { env } from '../../platform/runtime/env';
import type { ReviewSort, ReviewSummary } from '../schema';

const reviewRow = row({
  id: text(),
  agentId: text(),
  userId: text(),
  stars: int4(),
  text: text(),
  reply: nullable(text()),
  repliedAt: nullable(timestamptz()),
  hiddenAt: nullable(timestamptz()),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
  author: text(),
  /** True for a review by an invented user of the demo. */
  isDemo: bool(),
});

/** A review with its author's public name. */
export type ReviewRecord = RowOf<typeof reviewRow>;

const columns = `r.id, r.agent_id AS "agentId", r.user_id AS "userId", r.stars, r.text, r.reply, r.replied_at AS "repliedAt",
  r.hidden_at AS "hiddenAt", r.created_at AS "createdAt", r.updated_at AS "updatedAt", coalesce(p.name, u.name) AS author,
  u.is_demo AS "isDemo"`;
const joined = 'FROM review r JOIN "user" u ON u.id = r.user_id LEFT JOIN publisher p ON p.user_id = r.user_id';

/**
 * SQL condition for public reviews that count for the rating: not hidden, not by current members of the agent's team,
 * and, unless the demo runs, not by demo users.
 */
const counted =
  (): string => `${env().DEMO ? '' : 'NOT u.is_demo AND '}r.hidden_at IS NULL AND NOT EXISTS (SELECT FROM agent a WHERE a.id = r.agent_id AND a.owner_id = r.user_id)
  AND NOT EXISTS (SELECT FROM agent_member m WHERE m.agent_id = r.agent_id AND m.user_id = r.user_id)`;

const orders: Record<ReviewSort, string> = {
  newest: 'r.created_at DESC, r.id',
  highest: 'r.stars DESC, r.created_at DESC, r.id',
  lowest: 'r.stars, r.created_at DESC, r.id',
};

/** Returns a page of an agent's public reviews. */
export function selectReviews(
  agentId: string,
  { sort, offset, limit }: { sort: ReviewSort; offset: number; limit: number },
): Promise<ReviewRecord[]> {
  return reviewRow.query(
    `reviews-${sort}`,
    `SELECT ${columns} ${joined} WHERE r.agent_id = $1 AND ${counted()}
     ORDER BY ${orders[sort]} OFFSET $2 LIMIT $3`,
    [agentId, offset, limit],
  );
}

export async function selectReview(id: string): Promise<ReviewRecord | null> {
  return reviewRow.queryFirst('review', `SELECT ${columns} ${joined} WHERE r.id = $1`, [id]);
}

export async function selectReviewBy(userId: string, agentId: string): Promise<ReviewRecord | null> {
  const text = `SELECT ${columns} ${joined} WHERE r.agent_id = $1 AND r.user_id = $2`;
  return reviewRow.queryFirst('review-by', text, [agentId, userId]);
}

/** Returns all reviews by a user, newest first. */
export function selectReviewsBy(userId: string): Promise<ReviewRecord[]> {
  const text = `SELECT ${columns} ${joined} WHERE r.user_id = $1 ORDER BY r.created_at DESC, r.id`;
  return reviewRow.query('reviews-by', text, [userId]);
}

const ratingRow = row({
  count: int4(),
  average: nullable(float8()),
  distribution: int4Array<ReviewSummary['distribution']>(),
});

export async function selectRating(agentId: string): Promise<ReviewSummary> {
  const given = [1, 2, 3, 4, 5].map((stars) => `(count(*) FILTER (WHERE r.stars = ${stars}))::int`);
  const rows = await ratingRow.query(
    'rating',
    `SELECT count(*)::int AS count, avg(r.stars)::float8 AS average, ARRAY[${given.join(', ')}] AS distribution
     FROM review r JOIN "user" u ON u.id = r.user_id WHERE r.agent_id = $1 AND ${counted()}`,
    [agentId],
  );
  return rows[0] ?? { count: 0, average: null, distribution: [0, 0, 0, 0, 0] };
}

type NewReview = Pick<ReviewRecord, 'id' | 'agentId' | 'userId' | 'stars' | 'text'> & { now: Date };

const savedRow = row({ created: bool() });

/** Upserts a user's review of an agent. Returns true if it is new. A hidden review remains hidden. */
export async function upsertReview({ now, ...review }: NewReview): Promise<boolean> {
  const rows = await savedRow.query(
    'upsert-review',
    `INSERT INTO review (id, agent_id, user_id, stars, text, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (agent_id, user_id) DO UPDATE SET stars = excluded.stars, text = excluded.text,
       updated_at = excluded.updated_at
     RETURNING created_at = updated_at AS created`,
    [review.id, review.agentId, review.userId, review.stars, review.text, now],
  );
  return rows[0]?.created ?? false;
}

/** An invented user of the demo, who cannot sign in. */
interface DemoUser {
  id: string;
  name: string;
  email: string;
}

/** An invented review, with its age in days. */
interface DemoReview {
  slug: string;
  /** The id of the user. */
  author: string;
  stars: number;
  words: string;
  days: number;
}

const demoReviewRow = row({ agentId: text(), author: text(), at: timestamptz() });

/**
 * Inserts the invented users of the demo and their reviews. Does nothing for users that already exist. Returns the new
 * reviews.
 */
export async function insertDemoReviews({
  authors,
  reviews,
  now,
}: {
  authors: DemoUser[];
  reviews: DemoReview[];
  now: Date;
}): Promise<RowOf<typeof demoReviewRow>[]> {
  return demoReviewRow.query(
    'insert-demo-reviews',
    `WITH people AS (
       INSERT INTO "user" (id, email, name, is_demo, created_at)
       SELECT id, email, name, true, $3::timestamptz - interval '60 days'
       FROM json_to_recordset($1::json) AS p(id text, email text, name text) ON CONFLICT DO NOTHING RETURNING id),
     reviews AS (
       SELECT r.*, a.id AS agent_id, $3::timestamptz - r.days * interval '26 hours' AS at
       FROM json_to_recordset($2::json) AS r(slug text, author text, stars int, words text, days int)
         JOIN agent a ON a.slug = r.slug JOIN people ON people.id = r.author),
     written AS (
       INSERT INTO review (id, agent_id, user_id, stars, text, created_at, updated_at)
       SELECT 'rev_' || left(md5(agent_id || author), 20), agent_id, author, stars, words, at, at FROM reviews
       ON CONFLICT DO NOTHING)
     SELECT agent_id AS "agentId", author, at FROM reviews`,
    [JSON.stringify(authors), JSON.stringify(reviews), now],
  );
}
