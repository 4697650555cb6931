import { nodeId, nodeIsDeadSql } from '../../platform/bus';
import { isUuid } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { TaskState } from '../../protocol/a2a/core/model';
import { allTasksSql, queryTasks, type TaskRecord, taskColumns } from './records';

/** Whose tasks at which agent a query may see; part of every `where`. */
export interface Owner {
  principal: string;
  agentId: string;
  /** An agent that acts for the principal reaches what this delegation created; null: all that is the principal's. */
  delegation: string | null;
}

/** A key of the owner's: what one delegation uses is neither found nor taken by another, nor by the principal. */
export function scopeKey(delegation: string | null, key: string): string {
  return delegation === null ? key : `${delegation} ${key}`;
}

/** The task when it is this principal's at this agent; foreign and unknown are alike null. */
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

/** Tasks of one context of the owner's own in the order they were begun: those of others who act for the principal have theirs. */
export async function findContextTasks(owner: Owner, contextId: string): Promise<TaskRecord[]> {
  return queryTasks(
    'find-context-tasks',
    `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND t.agent_id = $2 AND t.context_id = $3
       AND t.delegation IS NOT DISTINCT FROM $4
     ORDER BY t.created_at, t.id`,
    [owner.principal, owner.agentId, contextId, owner.delegation],
  );
}

/** Tasks of a person at any agent: one by its id, or those of a context; oldest first, at most 100. */
export async function findUserTasks(
  userId: string,
  { taskId, contextId }: { taskId?: string; contextId?: string },
): Promise<TaskRecord[]> {
  return queryTasks(
    'find-tasks-of-person',
    `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND (t.id = $2 OR t.context_id = $3)
     ORDER BY t.created_at, t.id LIMIT 100`,
    [userId, taskId ?? null, contextId ?? null],
  );
}

/** What an earlier send under the same key was. */
export async function findIdempotencyKey(
  owner: Owner,
  key: string,
): Promise<{ taskId: string; bodyHash: string } | null> {
  const rows = await query<{ taskId: string; bodyHash: string }>(
    'find-send-key',
    'SELECT task_id AS "taskId", body_hash AS "bodyHash" FROM send_key WHERE principal = $1 AND agent_id = $2 AND key = $3',
    [owner.principal, owner.agentId, scopeKey(owner.delegation, key)],
  );
  return rows[0] ?? null;
}

export interface TaskFilter {
  contextId?: string;
  state?: TaskState;
  stateAtFrom?: Date;
  before?: { stateAt: Date; id: string };
  limit: number;
}

/**
 * A page of the owner's tasks, latest state change first, and how many there are before paging. Of a context that both the
 * principal and somebody who acts for them call the same, the principal's own.
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
  // Asked of each index by itself, whose order it has: put together first, all of the owner's tasks would be read and sorted.
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
    query<{ total: number }>(
      `count-tasks${statementSuffix}`,
      `SELECT count(*) AS total FROM ${allTasksSql} t WHERE ${where}`,
      values,
    ),
  ]);
  return { records, total: counted[0]?.total ?? 0 };
}

/**
 * Takes over at most `limit` runs of nodes that are gone. A run is claimed by one node alone: whoever asks about a gone node
 * holds its lock until the claim is written. The node is asked for once more as the row is written: one that was only thought gone
 * may have ended the run meanwhile.
 */
export async function claimOrphanedRuns(limit: number): Promise<TaskRecord[]> {
  return queryTasks(
    'claim-runs',
    `WITH others AS MATERIALIZED (
       SELECT DISTINCT run_node AS node FROM task WHERE run_node IS NOT NULL AND run_node <> $1
     ), gone AS MATERIALIZED (SELECT node FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE task t SET run_node = $1
     WHERE t.id IN (SELECT o.id FROM task o JOIN gone ON gone.node = o.run_node LIMIT $2)
       AND t.run_node IN (SELECT node FROM gone)
     RETURNING ${taskColumns}`,
    [nodeId(), limit],
  );
}

/** Runs that this node holds and that have said nothing for so long; younger ones may only just be starting. */
export async function findStalledRuns(idleMs: number): Promise<TaskRecord[]> {
  return queryTasks(
    'own-runs',
    `SELECT ${taskColumns} FROM task t WHERE t.run_node = $1 AND t.state_at < now() - make_interval(secs => $2)`,
    [nodeId(), idleMs / 1_000],
  );
}
