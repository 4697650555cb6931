import { query } from '../../platform/sql';

/** What a row holds, as a list. */
const listSql = "CASE json_typeof(e.payload) WHEN 'array' THEN e.payload ELSE json_build_array(e.payload) END";

// One statement: either all of it happens or nothing. A node that packs skips what another one packs.
const statement = `
WITH chosen AS (
  SELECT id FROM task
  WHERE NOT packed AND state_at < $1 AND run_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected')
  ORDER BY state_at LIMIT $2 FOR UPDATE SKIP LOCKED
), gathered AS (
  DELETE FROM task_event e USING chosen c WHERE e.task_id = c.id RETURNING e.task_id, e.seq, ${listSql} AS events, e.at
), stories AS (
  INSERT INTO task_story (task_id, events)
  SELECT task_id, json_agg(json_build_array(told.event, at) ORDER BY seq, told.nth)
  FROM gathered, json_array_elements(events) WITH ORDINALITY AS told(event, nth) GROUP BY task_id
)
UPDATE task t SET packed = true FROM chosen c WHERE t.id = c.id RETURNING t.id`;

/** Puts the events of tasks that were over before `finishedBefore` into one row each, at most `limit`; answers how many. */
export async function compactTaskEvents(finishedBefore: Date, limit: number): Promise<number> {
  return (await query('pack-tasks', statement, [finishedBefore, limit])).length;
}
