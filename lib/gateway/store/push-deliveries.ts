import { nodeIsGoneSql } from '../../platform/bus';
import { query } from '../../platform/sql';
import type { PushRecord } from './push-configs';

/** A configuration that has events to send, taken under a lease. */
export interface PushWork extends Omit<PushRecord, 'ended' | 'createdAt'> {
  attempts: number;
  failingSince: Date | null;
}

/** Who holds which configuration. A write under a lease that was lost changes nothing. */
export interface PushLease {
  taskId: string;
  id: string;
  lease: string;
}

/** A push that nobody took. */
export interface DeadLetter {
  id: string;
  taskId: string;
  configId: string;
  seq: number;
  url: string;
  reason: string;
  httpStatus: number | null;
  attempts: number;
  at: Date;
}

interface Claim {
  /** Begins with the node's name. */
  lease: string;
  now: Date;
  until: Date;
  limit: number;
  /** How many of one principal's may be under way at a time, and how many are. */
  perPrincipal: number;
  active: ReadonlyMap<string, number>;
}

const free = `p.due_at <= $2 AND NOT p.ended
  AND (p.leased_until IS NULL OR p.leased_until <= $2 OR ${nodeIsGoneSql("split_part(p.lease, ' ', 1)")})`;

/**
 * Takes up to `limit` configurations whose next event is due and that nobody holds, or a node that is gone. Nodes never
 * wait for each other.
 */
export async function claimPushes({ lease, now, until, limit, perPrincipal, active }: Claim): Promise<PushWork[]> {
  return query<PushWork>(
    'claim-pushes',
    `WITH ranked AS (
       SELECT p.task_id, p.id, p.principal, row_number() OVER (PARTITION BY p.principal ORDER BY p.due_at) AS place
       FROM push_config p JOIN task t ON t.id = p.task_id WHERE ${free} AND t.last_seq > p.sent_seq
     ), due AS (
       SELECT p.task_id, p.id FROM ranked r JOIN push_config p ON p.task_id = r.task_id AND p.id = r.id
       LEFT JOIN unnest($5::text[], $6::int[]) AS a(principal, count) ON a.principal = r.principal
       WHERE r.place <= $7 - coalesce(a.count, 0) AND ${free}
       ORDER BY p.due_at LIMIT $4 FOR UPDATE OF p SKIP LOCKED
     )
     UPDATE push_config c SET lease = $1, leased_until = $3 FROM due WHERE c.task_id = due.task_id AND c.id = due.id
     RETURNING c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId", c.dialect, c.url, c.secrets,
       c.sent_seq AS "sentSeq", c.attempts, c.failing_since AS "failingSince"`,
    [lease, now, until, limit, [...active.keys()], [...active.values()], perPrincipal],
  );
}

/** Notes that everything up to `seq` is dealt with and keeps the lease. False when it was lost. */
export async function advancePush({ taskId, id, lease }: PushLease, seq: number, until: Date): Promise<boolean> {
  const rows = await query(
    'advance-push',
    `UPDATE push_config SET sent_seq = $4, attempts = 0, failing_since = NULL, leased_until = $5
     WHERE task_id = $1 AND id = $2 AND lease = $3 RETURNING id`,
    [taskId, id, lease, seq, until],
  );
  return rows.length > 0;
}

/** Lets go: `ended` for good. */
export async function releasePush({ taskId, id, lease }: PushLease, ended: boolean): Promise<void> {
  await query(
    'release-push',
    `UPDATE push_config SET lease = NULL, leased_until = NULL, ended = $4 WHERE task_id = $1 AND id = $2 AND lease = $3`,
    [taskId, id, lease, ended],
  );
}

/** Lets go after a failure, until `dueAt`. */
export async function postponePush(
  { taskId, id, lease }: PushLease,
  { attempts, failingSince, dueAt }: { attempts: number; failingSince: Date | null; dueAt: Date },
): Promise<void> {
  await query(
    'postpone-push',
    `UPDATE push_config SET lease = NULL, leased_until = NULL, attempts = $4, failing_since = $5, due_at = $6
     WHERE task_id = $1 AND id = $2 AND lease = $3`,
    [taskId, id, lease, attempts, failingSince, dueAt],
  );
}

/** How many of one principal are kept. */
export const keptLetters = 1_000;

/** Keeps a push that was given up, once; of one principal the latest thousand. */
export async function insertDeadLetter(letter: DeadLetter & { principal: string; agentId: string }): Promise<void> {
  await query(
    'insert-dead-letter',
    `INSERT INTO push_dead_letter (id, principal, agent_id, task_id, config_id, seq, url, reason, http_status, attempts, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    [
      letter.id,
      letter.principal,
      letter.agentId,
      letter.taskId,
      letter.configId,
      letter.seq,
      letter.url,
      letter.reason,
      letter.httpStatus,
      letter.attempts,
      letter.at,
    ],
  );
  await query(
    'drop-dead-letters',
    `DELETE FROM push_dead_letter WHERE id IN
       (SELECT id FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id OFFSET $2)`,
    [letter.principal, keptLetters],
  );
}

/** The principal's pushes that nobody took, latest first. */
export async function findDeadLetters(principal: string, limit: number): Promise<DeadLetter[]> {
  return query<DeadLetter>(
    'find-dead-letters',
    `SELECT id, task_id AS "taskId", config_id AS "configId", seq, url, reason, http_status AS "httpStatus", attempts, at
     FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id LIMIT $2`,
    [principal, limit],
  );
}
