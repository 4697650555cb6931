import { int4, row } from '../../platform/db/rows';
import { eraseOwnSql } from './erase-tasks';

const terminalSql = "state IN ('completed', 'failed', 'canceled', 'rejected')";

/**
 * Tasks that are kept at any age: tasks with an order, which is payment evidence; tasks of conversations, which have
 * their own retention time; and delegated tasks of a kept task.
 */
const removableSql = `NOT EXISTS (SELECT FROM payment_order o WHERE o.task_id = t.id)
  AND NOT EXISTS (SELECT FROM conversation c WHERE c.user_id = t.principal AND c.context_id = t.context_id)
  AND NOT EXISTS (SELECT FROM conversation_branch b JOIN conversation c ON c.id = b.conversation_id
    WHERE b.context_id = t.context_id AND c.user_id = t.principal)
  AND NOT EXISTS (SELECT FROM chain_task d JOIN task r ON r.id = d.root_task_id WHERE d.task_id = t.id)`;

/*
 * One statement, so atomic. The locked cursor admits one node at a time. A page ends with all tasks of its last moment,
 * and never after a finished task that is not compacted yet. Delegated tasks are erased with their root task.
 */
const statement = `WITH reached AS MATERIALIZED (
    SELECT at FROM retention_cursor WHERE kind = 'tasks' FOR UPDATE SKIP LOCKED
  ), bound AS MATERIALIZED (
    SELECT least($1::timestamptz, (SELECT min(state_at) FROM task WHERE NOT compacted AND run_node IS NULL AND ${terminalSql})) AS at
  ), page AS MATERIALIZED (
    SELECT max(state_at) AS upto, count(*)::int AS size FROM (
      SELECT state_at FROM task WHERE compacted AND state_at > (SELECT at FROM reached) AND state_at < (SELECT at FROM bound)
      ORDER BY state_at LIMIT $2) ended
  ), chosen AS MATERIALIZED (
    SELECT t.id FROM task t WHERE t.id = ANY(ARRAY(
        SELECT id FROM task WHERE compacted AND state_at > (SELECT at FROM reached) AND state_at <= (SELECT upto FROM page)))
      AND ${removableSql}
  ), own AS MATERIALIZED (
    SELECT id FROM chosen
    UNION SELECT t.id FROM chosen c JOIN chain_task d ON d.root_task_id = c.id JOIN task t ON t.id = d.task_id
      WHERE t.run_node IS NULL AND t.${terminalSql} AND NOT EXISTS (SELECT FROM payment_order o WHERE o.task_id = t.id)
  ), ${eraseOwnSql}, moved AS (
    UPDATE retention_cursor SET at = page.upto FROM page WHERE kind = 'tasks' AND page.upto IS NOT NULL
  )
  SELECT size FROM page`;

const pageRow = row({ size: int4() });

/**
 * Examines up to `limit` finished tasks that ended before `cutoff`, in the order of their ends, and erases those that
 * are not kept. Returns the number examined.
 */
export async function deleteOldTasks(cutoff: Date, limit: number): Promise<number> {
  const page = await pageRow.queryFirst('delete-old-tasks', statement, [cutoff, limit]);
  return page?.size ?? 0;
}
