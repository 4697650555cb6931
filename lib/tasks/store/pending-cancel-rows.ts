import { json, row, text, uuid } from '../../platform/db/rows';
import { notFencedSql } from '../../platform/db/task-databases/leaving-owners';
import { inAvailableTaskDatabases, ofOwner } from '../../platform/db/task-databases/task-statements';
import { selectTaskDue } from '../../platform/runtime/activity';
import type { JsonObject } from '../../protocol/json';
import { type TaskRecord, type TaskRef, taskColumns, taskRow, toTaskRecord } from './records';

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

type PendingRows = ReturnType<typeof pendingRow.of>;

const returning = `${taskColumns}, p.upstream_task_id AS "namedAs", p.request`;

async function toPendingCancels(rows: ReturnType<PendingRows['query']>): Promise<PendingCancel[]> {
  return (await rows).map(({ namedAs, request, ...task }) => ({
    record: { ...toTaskRecord(task), upstreamTaskId: namedAs },
    request,
  }));
}

/** Returns true if the task was canceled before its agent assigned an id, and the request has not been sent yet. */
export async function isCancelPending({ principal, id }: TaskRef): Promise<boolean> {
  const statement = 'SELECT 1 FROM pending_cancel WHERE principal = $2 AND task_id = $1';
  return (await ofOwner(principal).execute('is-cancel-pending', statement, [id, principal])) > 0;
}

const canceledRow = row({ principal: text(), id: uuid() });

/** Like {@link isCancelPending}, for a task whose owner is unknown. Returns the task, or null. */
export function findCanceledTask(id: string): Promise<TaskRef | null> {
  const statement =
    'SELECT t.principal, t.id FROM task t JOIN pending_cancel p ON p.principal = t.principal AND p.task_id = t.id WHERE t.id = $1';
  return canceledRow.inEach().queryFirst('find-canceled-task', statement, [id]);
}

/**
 * Stores the agent's id of a canceled task, and claims and returns its cancel until `until`; null if none is pending.
 */
export async function nameCanceledTask(
  { principal, id }: TaskRef,
  upstreamTaskId: string,
  until: Date,
): Promise<PendingCancel | null> {
  const statement = `UPDATE pending_cancel p SET upstream_task_id = $2, due_at = $3 FROM task t
    WHERE p.principal = $4 AND p.task_id = $1 AND t.principal = $4 AND t.id = p.task_id RETURNING ${returning}`;
  const { query } = pendingRow.of(principal);
  const [pending] = await toPendingCancels(
    query('name-canceled-task', statement, [id, upstreamTaskId, until, principal]),
  );
  return pending ?? null;
}

/** Returns the time at which the first cancel that its agent can receive is due; null if there is none. */
export function nextPendingCancel(): Promise<Date | null> {
  const statement = 'SELECT min(due_at) AS due FROM pending_cancel WHERE upstream_task_id IS NOT NULL';
  return selectTaskDue('next-pending-cancel', statement);
}

/** Claims at most `limit` cancels that are due, until `until`. Each is claimed by one node. */
export function claimDueCancels({ now, until }: { now: Date; until: Date }, limit: number): Promise<PendingCancel[]> {
  const statement = `WITH due AS (
      SELECT principal, task_id FROM pending_cancel WHERE upstream_task_id IS NOT NULL AND due_at <= $1
        AND ${notFencedSql('principal')}
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    UPDATE pending_cancel p SET due_at = $2 FROM due, task t
    WHERE p.principal = due.principal AND p.task_id = due.task_id AND t.principal = p.principal AND t.id = p.task_id
    RETURNING ${returning}`;
  return toPendingCancels(pendingRow.inAvailable().query('claim-due-cancels', statement, [now, until, limit]));
}

/** Removes a cancel that the agent has answered, or that it can no longer receive. */
export async function deletePendingCancel({ principal, id }: TaskRef): Promise<void> {
  const statement = 'DELETE FROM pending_cancel WHERE principal = $2 AND task_id = $1';
  await ofOwner(principal).execute('delete-pending-cancel', statement, [id, principal]);
}

/** Removes the cancels requested before `before`. */
export async function deleteOldPendingCancels(before: Date): Promise<void> {
  const statement = 'DELETE FROM pending_cancel WHERE requested_at < $1';
  await inAvailableTaskDatabases.execute('delete-old-pending-cancels', statement, [before]);
}
