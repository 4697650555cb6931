import { Prisma } from '../../generated/prisma/client';
import { runBatches } from '../../platform/batches';
import type { Db } from '../../platform/db/db';
import { maintainPartitions } from '../../platform/db/partitions';
import { int4, type RowOf, row, text, textArray, timestamptz, uuid } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { inAvailable, type TaskDatabase } from '../../platform/db/task-databases/task-databases';
import { atDatabase } from '../../platform/db/task-databases/task-statements';
import { cutoffOf } from '../../platform/runtime/env';
import { RETENTION_BATCH } from '../limits';
import { deleteOldDeadLetters } from './push/push-deliveries';
import { allTasksSql } from './records';
import { deleteOldIdempotencyKeys } from './send-keys';

/**
 * The tasks of `own` as arrays, because the planner expects few elements and therefore uses indexes, whereas a join with
 * the CTE would read whole tables.
 */
const ownTasks = 'unnest(ARRAY(SELECT principal FROM own), ARRAY(SELECT id FROM own)) AS o(principal, id)';
const ofOwn = `r USING ${ownTasks} WHERE r.principal = o.principal AND r.task_id = o.id`;
const ofOwnRoots = `r USING ${ownTasks} WHERE r.principal = o.principal AND r.root_task_id = o.id`;

/**
 * CTEs that erase the tasks of the CTE `own (principal, id)` and all data that belongs to them. A run that is still
 * writing is then superseded and leaves no rows. `erased` contains the deleted tasks.
 */
const eraseOwnSql = `erased AS (
    DELETE FROM task r USING ${ownTasks} WHERE r.principal = o.principal AND r.id = o.id RETURNING r.id, r.agent_id
  ), events AS (DELETE FROM task_event ${ofOwn}
  ), compacted_events AS (DELETE FROM compacted_task ${ofOwn}
  ), exchanges AS (DELETE FROM task_http_exchange ${ofOwn}
  ), cancels AS (DELETE FROM pending_cancel ${ofOwn}
  ), hub_runs AS (DELETE FROM hub_run ${ofOwn}
  ), pushes AS (DELETE FROM push_config ${ofOwn}
  ), dead_letters AS (DELETE FROM push_dead_letter ${ofOwn}
  ), client_ids AS (DELETE FROM client_task_id ${ofOwn}
  ), chains AS (DELETE FROM chain ${ofOwnRoots}
  ), approvals AS (DELETE FROM chain_approval ${ofOwnRoots}
  ), chain_tasks AS (DELETE FROM chain_task r USING ${ownTasks}
    WHERE r.principal = o.principal AND o.id IN (r.task_id, r.root_task_id)
  )`;

/** The tables with rows of tasks, whose owner can be erased as a whole. */
const taskTables = [
  'task_event',
  'compacted_task',
  'task_http_exchange',
  'pending_cancel',
  'hub_run',
  'push_config',
  'push_dead_letter',
  'client_task_id',
  'idempotency_key',
  'context',
  'chain_task',
  'chain_approval',
  'chain',
];

const erasedRow = row({ id: uuid(), agentId: text() });

/** A task that was erased. */
type ErasedTask = RowOf<typeof erasedRow>;

/** Erases all tasks of these principals and what belongs to them. Returns the erased tasks. */
export async function eraseTasks(tx: Db, principals: string[]): Promise<ErasedTask[]> {
  const erased = await erasedRow.queryIn(
    tx,
    Prisma.sql`DELETE FROM task WHERE principal = ANY(${principals}) RETURNING id, agent_id AS "agentId"`,
  );
  for (const table of taskTables) {
    await executeIn(tx, Prisma.sql`DELETE FROM ${Prisma.raw(table)} WHERE principal = ANY(${principals})`);
  }
  return erased;
}

/**
 * Erases a principal's tasks in these contexts of an agent, the tasks that agents created for them, and all data that
 * belongs to any of these tasks. Returns the erased tasks.
 */
export async function eraseContexts(
  tx: Db,
  { principal, agentId, contextIds }: { principal: string; agentId: string; contextIds: string[] },
): Promise<ErasedTask[]> {
  const erased = await erasedRow.queryIn(
    tx,
    Prisma.sql`WITH roots AS MATERIALIZED (
      SELECT principal, id FROM ${Prisma.raw(allTasksSql)} t WHERE t.principal = ${principal} AND t.agent_id = ${agentId}
        AND t.context_id = ANY(${contextIds}) AND t.delegation IS NULL
    ), own AS MATERIALIZED (
      SELECT principal, id FROM roots
      UNION SELECT d.principal, d.task_id FROM roots r JOIN chain_task d ON d.principal = r.principal AND d.root_task_id = r.id
    ), ${Prisma.raw(eraseOwnSql)} SELECT id, agent_id AS "agentId" FROM erased`,
  );
  const ids = erased.map(({ id }) => id);
  await executeIn(
    tx,
    Prisma.sql`DELETE FROM idempotency_key WHERE principal = ${principal} AND task_id = ANY(${ids}::uuid[])`,
  );
  await executeIn(
    tx,
    Prisma.sql`DELETE FROM context WHERE principal = ${principal} AND agent_id = ${agentId} AND id = ANY(${contextIds})`,
  );
  return erased;
}

const terminalSql = "state IN ('completed', 'failed', 'canceled', 'rejected')";

/**
 * SQL condition for tasks that may be deleted when they are old and have no order. It excludes tasks of conversations,
 * which have their own retention time, and delegated tasks, which are erased with their root task.
 */
const removableSql = `NOT EXISTS (SELECT FROM conversation c WHERE c.user_id = t.principal AND c.context_id = t.context_id)
  AND NOT EXISTS (SELECT FROM conversation_branch b JOIN conversation c ON c.user_id = b.user_id AND c.id = b.conversation_id
    WHERE b.user_id = t.principal AND b.context_id = t.context_id)
  AND NOT EXISTS (SELECT FROM chain_task d JOIN task r ON r.principal = d.principal AND r.id = d.root_task_id
    WHERE d.principal = t.principal AND d.task_id = t.id)`;

const pageRow = row({
  size: int4(),
  from: timestamptz(),
  upTo: timestamptz(),
  principals: textArray(),
  ids: textArray(),
  delegated: textArray(),
});

/**
 * Selects the next finished tasks after the cursor. A page ends with all tasks of its last timestamp, and before any
 * finished task that is not compacted yet. `ids`: those that may be deleted; `delegated`: what agents created for them.
 */
const pageSql = `WITH reached AS MATERIALIZED (
    SELECT at FROM retention_cursor WHERE kind = 'tasks'
  ), bound AS MATERIALIZED (
    SELECT least($1::timestamptz, (SELECT min(state_at) FROM task WHERE NOT compacted AND run_node IS NULL AND ${terminalSql})) AS at
  ), page AS MATERIALIZED (
    SELECT max(state_at) AS upto, count(*)::int AS size FROM (
      SELECT state_at FROM task WHERE compacted AND state_at > (SELECT at FROM reached) AND state_at < (SELECT at FROM bound)
      ORDER BY state_at LIMIT $2) ended
  ), chosen AS MATERIALIZED (
    SELECT t.principal, t.id FROM task t WHERE t.id = ANY(ARRAY(
        SELECT id FROM task WHERE compacted AND state_at > (SELECT at FROM reached) AND state_at <= (SELECT upto FROM page)))
      AND ${removableSql}
  )
  SELECT size, reached.at AS "from", upto AS "upTo", ARRAY(SELECT DISTINCT principal FROM chosen) AS principals,
    ARRAY(SELECT id::text FROM chosen) AS ids, ARRAY(SELECT d.task_id::text FROM chosen c
      JOIN chain_task d ON d.principal = c.principal AND d.root_task_id = c.id) AS delegated
  FROM page, reached WHERE upto IS NOT NULL`;

/**
 * Erases tasks and moves the cursor, in one statement, which is therefore atomic. The locked cursor permits one node at
 * a time; a page that another node has erased is left out.
 */
const erasePageSql = `WITH reached AS MATERIALIZED (
    SELECT at FROM retention_cursor WHERE kind = 'tasks' AND at = $1 FOR UPDATE SKIP LOCKED
  ), chosen AS MATERIALIZED (
    SELECT t.principal, t.id FROM reached, task t WHERE t.principal = ANY($5) AND t.id = ANY($3::uuid[])
  ), own AS MATERIALIZED (
    SELECT principal, id FROM chosen
    UNION SELECT t.principal, t.id FROM chosen c JOIN chain_task d ON d.principal = c.principal AND d.root_task_id = c.id
      JOIN task t ON t.principal = d.principal AND t.id = d.task_id
      WHERE t.run_node IS NULL AND t.${terminalSql} AND t.id <> ALL($4::uuid[])
  ), ${eraseOwnSql}
  UPDATE retention_cursor c SET at = $2 FROM reached WHERE c.kind = 'tasks'`;

const orderTaskRow = row({ taskId: uuid() });

/** Selects those of these tasks that have an order, which is payment evidence. */
export async function selectTasksWithOrders(taskIds: string[]): Promise<string[]> {
  const statement = 'SELECT DISTINCT task_id AS "taskId" FROM payment_order WHERE task_id = ANY($1::uuid[])';
  return (await orderTaskRow.query('tasks-with-orders', statement, [taskIds])).map(({ taskId }) => taskId);
}

/**
 * Examines at most `limit` finished tasks of each task database that ended before `cutoff`, in the order in which they
 * ended, and erases those that may be deleted. Returns the highest number examined in one of them.
 */
export async function deleteOldTasks(cutoff: Date, limit: number): Promise<number> {
  const counts = await inAvailable((database) => deleteOldTasksAt(database, { cutoff, limit }));
  return Math.max(0, ...counts);
}

async function deleteOldTasksAt(
  database: TaskDatabase,
  { cutoff, limit }: { cutoff: Date; limit: number },
): Promise<number> {
  const page = await pageRow.at(database).queryFirst('old-tasks', pageSql, [cutoff, limit]);
  if (!page) return 0;
  const kept = await selectTasksWithOrders([...page.ids, ...page.delegated]);
  const ids = page.ids.filter((id) => !kept.includes(id));
  const values = [page.from, page.upTo, ids, kept, page.principals];
  const isErased = await atDatabase(database).execute('delete-old-tasks', erasePageSql, values);
  return isErased > 0 ? page.size : 0;
}

/**
 * Deletes finished tasks, idempotency keys, dead letters and HTTP exchanges after their retention times
 * (`RETENTION_DAYS`). Safe on several nodes concurrently: each row is deleted once.
 */
export async function deleteOutdated(now: Date): Promise<void> {
  const loggedSince = cutoffOf('http', now);
  if (loggedSince)
    await inAvailable((database) => maintainPartitions('task_http_exchange', { now, cutoff: loggedSince, database }));
  const steps = [
    [cutoffOf('webhooks', now), deleteOldDeadLetters],
    [cutoffOf('sends', now), deleteOldIdempotencyKeys],
    [cutoffOf('tasks', now), deleteOldTasks],
  ] as const;
  for (const [cutoff, deleteOld] of steps) {
    if (cutoff) await runBatches(RETENTION_BATCH, (limit) => deleteOld(cutoff, limit));
  }
}
