import { json, row } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import type { JsonObject } from '../../protocol/json';
import { type TaskRecord, taskColumns, taskRow, toTaskRecord } from './records';

/** The content of a cancel request except the agent's id of the task. */
export interface CancelRequest {
  metadata?: JsonObject;
  /** The extensions that the caller requested. */
  extensions?: readonly string[];
}

/** A cancel that the agent has not received. The task has the agent's id. */
export interface PendingCancel {
  record: TaskRecord & { upstreamTaskId: string };
  request: CancelRequest;
}

const pendingRow = row({ ...taskRow.columns, namedAs: taskRow.columns.principal, request: json<CancelRequest>() });

const returning = `${taskColumns}, p.upstream_task_id AS "namedAs", p.request`;

async function queryPending(name: string, statement: string, values: unknown[]): Promise<PendingCancel[]> {
  const rows = await pendingRow.query(name, statement, values);
  return rows.map(({ namedAs, request, ...task }) => ({
    record: { ...toTaskRecord(task), upstreamTaskId: namedAs },
    request,
  }));
}

/** Returns true if the task was canceled before its agent assigned an id, and the request has not been sent yet. */
export async function isCancelPending(taskId: string): Promise<boolean> {
  return (await execute('is-cancel-pending', 'SELECT 1 FROM pending_cancel WHERE task_id = $1', [taskId])) > 0;
}

/**
 * Stores the agent's id of a canceled task, and claims and returns its cancel until `until`; null if none is pending.
 */
export async function nameCanceledTask(
  taskId: string,
  upstreamTaskId: string,
  until: Date,
): Promise<PendingCancel | null> {
  const statement = `UPDATE pending_cancel p SET upstream_task_id = $2, due_at = $3 FROM task t
    WHERE p.task_id = $1 AND t.id = p.task_id RETURNING ${returning}`;
  const [pending] = await queryPending('name-canceled-task', statement, [taskId, upstreamTaskId, until]);
  return pending ?? null;
}

/** Returns the time at which the first cancel that its agent can receive is due; null if there is none. */
export function nextPendingCancel(): Promise<Date | null> {
  const statement = 'SELECT min(due_at) AS due FROM pending_cancel WHERE upstream_task_id IS NOT NULL';
  return selectDue('next-pending-cancel', statement);
}

/** Claims at most `limit` cancels that are due, until `until`. Each is claimed by one node. */
export function claimDueCancels({ now, until }: { now: Date; until: Date }, limit: number): Promise<PendingCancel[]> {
  const statement = `WITH due AS (
      SELECT task_id FROM pending_cancel WHERE upstream_task_id IS NOT NULL AND due_at <= $1
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    UPDATE pending_cancel p SET due_at = $2 FROM due, task t
    WHERE p.task_id = due.task_id AND t.id = p.task_id RETURNING ${returning}`;
  return queryPending('claim-due-cancels', statement, [now, until, limit]);
}

/** Removes a cancel that the agent has answered, or that it can no longer receive. */
export async function deletePendingCancel(taskId: string): Promise<void> {
  await execute('delete-pending-cancel', 'DELETE FROM pending_cancel WHERE task_id = $1', [taskId]);
}

/** Removes the cancels requested before `before`. */
export async function deleteOldPendingCancels(before: Date): Promise<void> {
  await execute('delete-old-pending-cancels', 'DELETE FROM pending_cancel WHERE requested_at < $1', [before]);
}
