import { notFencedSql } from '../../platform/db/task-databases/leaving-owners';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { selectTaskDue } from '../../platform/runtime/activity';
import {
  AUTH_REQUIRED_POLL_MAX_SECONDS,
  INPUT_REQUIRED_POLL_MAX_SECONDS,
  INTERRUPTED_POLL_AGE_DIVISOR,
  INTERRUPTED_POLL_BATCH,
  INTERRUPTED_POLL_MAX_AGE_SECONDS,
  INTERRUPTED_POLL_MIN_SECONDS,
} from '../limits';
import { type TaskRecord, type TaskRef, taskColumns, taskRow, toTaskRecord, toTaskRecords } from './records';

/**
 * Claims interrupted tasks that are due for a poll. Each task is claimed by one node; the poll time is stored, so that
 * any node can continue. Claims are distributed evenly across principals.
 */
export async function claimDuePolls(now: Date): Promise<TaskRecord[]> {
  return toTaskRecords(
    taskRow.inAvailable().query(
      'claim-polls',
      `WITH waiting AS MATERIALIZED (
       SELECT id, principal, polled_at, greatest(polled_at, state_at) AS last, extract(epoch FROM $1::timestamptz - state_at) / ${INTERRUPTED_POLL_AGE_DIVISOR} AS pause,
         CASE state WHEN 'auth-required' THEN $3::float8 ELSE $4::float8 END AS longest
       FROM task WHERE state IN ('input-required', 'auth-required') AND run_node IS NULL
         AND state_at > $1::timestamptz - make_interval(secs => $5) AND ${notFencedSql('principal')}
     ), due AS (
       SELECT principal, id, polled_at, last, row_number() OVER (PARTITION BY principal ORDER BY last) AS position FROM waiting
       WHERE last <= $1::timestamptz - make_interval(secs => least(greatest(pause, $2::float8), longest))
     ), chosen AS (SELECT principal, id, polled_at FROM due ORDER BY position, last LIMIT $6)
     UPDATE task t SET polled_at = $1 FROM chosen c
     WHERE t.principal = c.principal AND t.id = c.id AND t.run_node IS NULL AND t.polled_at IS NOT DISTINCT FROM c.polled_at
     RETURNING ${taskColumns}`,
      [
        now.toISOString(),
        INTERRUPTED_POLL_MIN_SECONDS,
        AUTH_REQUIRED_POLL_MAX_SECONDS,
        INPUT_REQUIRED_POLL_MAX_SECONDS,
        INTERRUPTED_POLL_MAX_AGE_SECONDS,
        INTERRUPTED_POLL_BATCH,
      ],
    ),
  );
}

/**
 * Returns the time at which {@link claimDuePolls} may find a task; null if there is none. The time may be too early,
 * because poll intervals grow.
 */
export function nextInterruptedPoll(now: Date): Promise<Date | null> {
  return selectTaskDue(
    'next-interrupted-poll',
    `SELECT min(greatest(polled_at, state_at) + make_interval(secs => least(
       greatest(extract(epoch FROM $1::timestamptz - state_at) / ${INTERRUPTED_POLL_AGE_DIVISOR}, $2::float8),
       CASE state WHEN 'auth-required' THEN $3::float8 ELSE $4::float8 END)::float8)) AS due
     FROM task WHERE state IN ('input-required', 'auth-required') AND run_node IS NULL
       AND state_at > $1::timestamptz - make_interval(secs => $5)`,
    [
      now.toISOString(),
      INTERRUPTED_POLL_MIN_SECONDS,
      AUTH_REQUIRED_POLL_MAX_SECONDS,
      INPUT_REQUIRED_POLL_MAX_SECONDS,
      INTERRUPTED_POLL_MAX_AGE_SECONDS,
    ],
  );
}

/**
 * Claims the poll of one interrupted task. Returns false if a node runs the task, or if any node polled it less than
 * `minAgeMs` milliseconds ago.
 */
export async function claimPoll(
  { principal, id }: TaskRef,
  { now, minAgeMs }: { now: Date; minAgeMs: number },
): Promise<boolean> {
  const count = await ofOwner(principal).execute(
    'claim-poll',
    `UPDATE task SET polled_at = $2 WHERE id = $1 AND principal = $4 AND run_node IS NULL
       AND (polled_at IS NULL OR polled_at <= $2::timestamptz - make_interval(secs => $3)) RETURNING id`,
    [id, now.toISOString(), minAgeMs / 1_000, principal],
  );
  return count > 0;
}

/** Prevents polls of an interrupted task before `until`. */
export async function postponePoll({ principal, id }: TaskRef, until: Date): Promise<void> {
  const text = 'UPDATE task SET polled_at = $2 WHERE id = $1 AND principal = $3 AND run_node IS NULL';
  await ofOwner(principal).execute('postpone-poll', text, [id, until.toISOString(), principal]);
}

/**
 * Finds the task if it is interrupted and no node runs it, otherwise null. Only for callers that are authenticated by a
 * secret of the task itself.
 */
export async function findInterruptedTask(id: string): Promise<TaskRecord | null> {
  const found = await taskRow
    .inEach()
    .queryFirst(
      'find-interrupted-task',
      `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND t.run_node IS NULL AND t.state IN ('input-required', 'auth-required')`,
      [id],
    );
  return found && toTaskRecord(found);
}
