import { query } from '../../platform/sql';
import { queryTasks, type TaskRecord, taskColumns } from './records';

/** How long and how often tasks that wait are polled, seconds: a fraction of the time that they have waited, within bounds. */
export interface PollingPolicy {
  minIntervalSeconds: number;
  /** A task that waits for a sign-in, and one that waits for input. */
  maxAuthIntervalSeconds: number;
  maxInputIntervalSeconds: number;
  /** Beyond this a task is only asked for when somebody reads or answers it. */
  maxAgeSeconds: number;
  limit: number;
}

/**
 * Takes tasks that wait for their caller and whose agent is due to be asked. Each is taken by one node alone; the time of the
 * question is on disk, so that any node goes on. Those of one principal do not keep out those of others.
 */
export async function claimDuePolls(rule: PollingPolicy, now: Date): Promise<TaskRecord[]> {
  return queryTasks(
    'claim-polls',
    `WITH waiting AS MATERIALIZED (
       SELECT id, principal, polled_at, greatest(polled_at, state_at) AS last, extract(epoch FROM $1::timestamptz - state_at) / 5 AS pause,
         CASE state WHEN 'auth-required' THEN $3::float8 ELSE $4::float8 END AS longest
       FROM task WHERE state IN ('input-required', 'auth-required') AND run_node IS NULL
         AND state_at > $1::timestamptz - make_interval(secs => $5)
     ), due AS (
       SELECT id, polled_at, last, row_number() OVER (PARTITION BY principal ORDER BY last) AS place FROM waiting
       WHERE last <= $1::timestamptz - make_interval(secs => least(greatest(pause, $2::float8), longest))
     ), chosen AS (SELECT id, polled_at FROM due ORDER BY place, last LIMIT $6)
     UPDATE task t SET polled_at = $1 FROM chosen c
     WHERE t.id = c.id AND t.run_node IS NULL AND t.polled_at IS NOT DISTINCT FROM c.polled_at
     RETURNING ${taskColumns}`,
    [
      now.toISOString(),
      rule.minIntervalSeconds,
      rule.maxAuthIntervalSeconds,
      rule.maxInputIntervalSeconds,
      rule.maxAgeSeconds,
      rule.limit,
    ],
  );
}

/** Takes the question about one waiting task; false when it was asked less than `minAgeMs` milliseconds ago, by whichever node. */
export async function claimPoll(id: string, { now, minAgeMs }: { now: Date; minAgeMs: number }): Promise<boolean> {
  const rows = await query(
    'claim-poll',
    `UPDATE task SET polled_at = $2 WHERE id = $1 AND run_node IS NULL
       AND (polled_at IS NULL OR polled_at <= $2::timestamptz - make_interval(secs => $3)) RETURNING id`,
    [id, now.toISOString(), minAgeMs / 1_000],
  );
  return rows.length > 0;
}

/** Has nobody ask for a waiting task before `until`. */
export async function postponePoll(id: string, until: Date): Promise<void> {
  await query('postpone-poll', 'UPDATE task SET polled_at = $2 WHERE id = $1 AND run_node IS NULL', [
    id,
    until.toISOString(),
  ]);
}

/** The task when it waits for its caller. For those who proved by a secret of the task itself that they may ask. */
export async function findInterruptedTask(id: string): Promise<TaskRecord | null> {
  const rows = await queryTasks(
    'find-waiting',
    `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND t.run_node IS NULL AND t.state IN ('input-required', 'auth-required')`,
    [id],
  );
  return rows[0] ?? null;
}
