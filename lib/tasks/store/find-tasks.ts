import { int8, nullable, type RowOf, row, text, uuid } from '../../platform/db/rows';
import { isUuid } from '../../platform/ids';
import type { TaskState } from '../../protocol/a2a/core/model';
import { MAX_USER_TASKS } from '../limits';
import { allTasksSql, queryTasks, type TaskRecord, taskColumns } from './records';

/** The scope of a query: part of every `where`. */
export interface Owner {
  principal: string;
  agentId: string;
  /** Limits access to the tasks that this delegation created; null for all tasks of the principal. */
  delegation: string | null;
}

/** The task if this owner can access it; null when it is unknown or another owner's. */
export async function findTask(owner: Owner, id: string): Promise<TaskRecord | null> {
  if (!isUuid(id)) return null;
  const text = `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND t.principal = $2 AND t.agent_id = $3`;
  const values = [id, owner.principal, owner.agentId];
  const rows =
    owner.delegation === null
      ? await queryTasks('find-task', text, values)
      : await queryTasks('find-delegated-task', `${text} AND t.delegation = $4`, [...values, owner.delegation]);
  return rows[0] ?? null;
}

/** The owner's tasks of one context in creation order. Each delegation has contexts of its own. */
export async function findContextTasks(owner: Owner, contextId: string): Promise<TaskRecord[]> {
  return queryTasks(
    'find-context-tasks',
    `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND t.agent_id = $2 AND t.context_id = $3
       AND t.delegation IS NOT DISTINCT FROM $4
     ORDER BY t.created_at, t.id`,
    [owner.principal, owner.agentId, contextId, owner.delegation],
  );
}

/** Tasks of a user at any agent: one by id, or those of a context; oldest first, up to MAX_USER_TASKS. */
export async function findUserTasks(
  userId: string,
  { taskId, contextId }: { taskId?: string; contextId?: string },
): Promise<TaskRecord[]> {
  return queryTasks(
    'find-tasks-of-principal-at-agent',
    `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND (t.id = $2 OR t.context_id = $3)
     ORDER BY t.created_at, t.id LIMIT ${MAX_USER_TASKS}`,
    [userId, taskId ?? null, contextId ?? null],
  );
}

export interface TaskFilter {
  contextId?: string;
  state?: TaskState;
  stateAtFrom?: Date;
  before?: { stateAt: Date; id: string };
  limit: number;
}

const totalRow = row({ total: int8() });

/**
 * A page of the owner's tasks, latest state change first, and the total before paging. When the principal and a
 * delegation share a context id, only the principal's tasks are listed.
 */
export async function findTaskPage(
  owner: Owner,
  filter: TaskFilter,
): Promise<{ records: TaskRecord[]; total: number }> {
  const { delegation } = owner;
  const isOwnContext = `EXISTS (SELECT 1 FROM ${allTasksSql} o
    WHERE o.principal = $1 AND o.agent_id = $2 AND o.context_id = $3 AND o.delegation IS NULL)`;
  const scope =
    delegation === null
      ? `($3::text IS NULL OR t.context_id = $3 AND (t.delegation IS NULL OR NOT ${isOwnContext}))
         AND $6::text IS NULL`
      : '($3::text IS NULL OR t.context_id = $3) AND t.delegation = $6';
  const where = `t.principal = $1 AND t.agent_id = $2 AND ${scope}
    AND ($4::text IS NULL OR t.state = $4) AND ($5::timestamptz IS NULL OR t.state_at >= $5)
    AND NOT (t.unlisted AND t.state = 'failed')`;
  const statementSuffix = delegation === null ? '' : '-delegated';
  const values = [
    owner.principal,
    owner.agentId,
    filter.contextId ?? null,
    filter.state ?? null,
    filter.stateAtFrom ?? null,
    delegation,
  ];
  // Queries each index separately for its order: a union first would read and sort all of the owner's tasks.
  const order = 'ORDER BY t.state_at DESC, t.id DESC LIMIT $9';
  const latestOf = (which: string): string => `(SELECT * FROM task t WHERE ${which} AND ${where}
    AND ($7::timestamptz IS NULL OR (t.state_at, t.id) < ($7, $8::uuid)) ${order})`;
  const [records, counted] = await Promise.all([
    queryTasks(
      `find-task-page${statementSuffix}`,
      `SELECT ${taskColumns}
       FROM (${latestOf('t.run_node IS NULL')} UNION ALL ${latestOf('t.run_node IS NOT NULL')}) t ${order}`,
      [...values, filter.before?.stateAt ?? null, filter.before?.id ?? null, filter.limit],
    ),
    totalRow.query(
      `count-tasks${statementSuffix}`,
      `SELECT count(*) AS total FROM ${allTasksSql} t WHERE ${where}`,
      values,
    ),
  ]);
  return { records, total: counted[0]?.total ?? 0 };
}

const taskIdsRow = row({ id: uuid(), upstreamTaskId: nullable(text()) });

type TaskIds = RowOf<typeof taskIdsRow>;

/** The owner's tasks among `ids`, with the agent's ids. */
export async function findReferencedTasks(owner: Owner, ids: string[]): Promise<TaskIds[]> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  return taskIdsRow.query(
    'find-referenced-tasks',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM task
     WHERE id = ANY($1::uuid[]) AND principal = $2 AND agent_id = $3 AND ($4::text IS NULL OR delegation = $4)`,
    [known, owner.principal, owner.agentId, owner.delegation],
  );
}

/**
 * The owner's tasks with these ids at the agent. Reads all of the owner's tasks there: the agent's ids have no index.
 */
export async function findTasksByUpstreamId(owner: Owner, upstreamIds: string[]): Promise<TaskIds[]> {
  return taskIdsRow.query(
    'find-tasks-of-upstream',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM ${allTasksSql} t
     WHERE t.principal = $1 AND t.agent_id = $2 AND t.upstream_task_id = ANY($3::text[])
       AND ($4::text IS NULL OR t.delegation = $4)`,
    [owner.principal, owner.agentId, upstreamIds, owner.delegation],
  );
}

/** The tasks of one owner in these contexts, without their events. */
export async function listTasksInContexts(owner: Owner, contextIds: string[]): Promise<TaskRecord[]> {
  return (await Promise.all(contextIds.map((contextId) => findContextTasks(owner, contextId)))).flat();
}
