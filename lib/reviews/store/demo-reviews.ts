import { row, text } from '../../platform/db/rows';

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

const agentRow = row({ id: text() });

/**
 * Inserts the invented users of the demo, with their reviews and with finished tasks from before each review. Does
 * nothing for users that exist. Returns the ids of the agents.
 */
export async function insertDemoReviews({
  authors,
  reviews,
  now,
}: {
  authors: DemoUser[];
  reviews: DemoReview[];
  now: Date;
}): Promise<string[]> {
  const agents = await agentRow.query(
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
       ON CONFLICT DO NOTHING),
     tasks AS (
       INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, credential_id, client_id, created_at,
         compacted, unlisted)
       SELECT gen_random_uuid(), author, agent_id, gen_random_uuid(), CASE WHEN n = 9 THEN 'failed' ELSE 'completed' END,
         at - n * interval '17 hours', 0, 'ses_demo', 'parley-web', at - n * interval '17 hours', true, true
       FROM reviews, generate_series(1, 9) n RETURNING id),
     counted AS (INSERT INTO compacted_task (task_id, events) SELECT id, '[]' FROM tasks)
     SELECT DISTINCT agent_id AS id FROM reviews`,
    [JSON.stringify(authors), JSON.stringify(reviews), now],
  );
  return agents.map(({ id }) => id);
}
