import { nodeIsDeadSql } from '../../platform/bus';
import { query } from '../../platform/sql';
import type { PushConfigRecord } from './push-configs';

/** A configuration that has events to send, taken under a lease. */
export interface PushWork extends Omit<PushConfigRecord, 'ended' | 'createdAt' | 'delegation'> {
  attempts: number;
  failingSince: Date | null;
  /** Pushes in a row that were given up. */
  givenUp: number;
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
  /** How the receiver's last answer began. */
  answer: string;
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

const claimableSql = `p.due_at <= $2 AND NOT p.ended
  AND (p.leased_until IS NULL OR p.leased_until <= $2 OR ${nodeIsDeadSql("split_part(p.lease, ' ', 1)")})`;

/**
 * Takes up to `limit` configurations whose next event is due and that nobody holds, or a node that is gone. Nodes never
 * wait for each other.
 */
export async function claimPushes({ lease, now, until, limit, perPrincipal, active }: Claim): Promise<PushWork[]> {
  return query<PushWork>(
    'claim-pushes',
    `WITH ranked AS (
       SELECT p.task_id, p.id, p.principal, row_number() OVER (PARTITION BY p.principal ORDER BY p.due_at) AS place
       FROM push_config p JOIN task t ON t.id = p.task_id WHERE ${claimableSql} AND t.last_seq > p.sent_seq
     ), due AS (
       SELECT p.task_id, p.id FROM ranked r JOIN push_config p ON p.task_id = r.task_id AND p.id = r.id
       LEFT JOIN unnest($5::text[], $6::int[]) AS a(principal, count) ON a.principal = r.principal
       WHERE r.place <= $7 - coalesce(a.count, 0) AND ${claimableSql}
       ORDER BY p.due_at LIMIT $4 FOR UPDATE OF p SKIP LOCKED
     )
     UPDATE push_config c SET lease = $1, leased_until = $3 FROM due WHERE c.task_id = due.task_id AND c.id = due.id
     RETURNING c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId",
       coalesce(c.credential_id, c.principal) AS "credentialId", c.dialect, c.url, c.secrets, c.sent_seq AS "sentSeq",
       c.attempts, c.failing_since AS "failingSince", c.given_up AS "givenUp"`,
    [lease, now, until, limit, [...active.keys()], [...active.values()], perPrincipal],
  );
}

/** Notes that everything up to `seq` is dealt with and keeps the lease. False when it was lost. */
export async function advancePush(
  { taskId, id, lease }: PushLease,
  { seq, givenUp, until }: { seq: number; givenUp: number; until: Date },
): Promise<boolean> {
  const rows = await query(
    'advance-push',
    `UPDATE push_config SET sent_seq = $4, attempts = 0, failing_since = NULL, leased_until = $5, given_up = $6
     WHERE task_id = $1 AND id = $2 AND lease = $3 RETURNING id`,
    [taskId, id, lease, seq, until, givenUp],
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
  failed: {
    attempts: number;
    failingSince: Date | null;
    dueAt: Date;
    /** What the receiver answered; null when the failure is ours. */
    answer: { httpStatus: number | null; answer: string } | null;
  },
): Promise<void> {
  await query(
    'postpone-push',
    `UPDATE push_config SET lease = NULL, leased_until = NULL, attempts = $4, failing_since = $5, due_at = $6,
       last_status = $7, last_answer = $8
     WHERE task_id = $1 AND id = $2 AND lease = $3`,
    [
      taskId,
      id,
      lease,
      failed.attempts,
      failed.failingSince,
      failed.dueAt,
      failed.answer?.httpStatus,
      failed.answer?.answer ?? '',
    ],
  );
}

/** How many of one principal are kept. */
export const maxDeadLetters = 1_000;

/** Keeps a push that was given up, once; of one principal the latest thousand. */
export async function insertDeadLetter(letter: DeadLetter & { principal: string; agentId: string }): Promise<void> {
  await query(
    'insert-dead-letter',
    `INSERT INTO push_dead_letter (id, principal, agent_id, task_id, config_id, seq, url, reason, http_status, attempts, at, answer)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
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
      letter.answer,
    ],
  );
  await query(
    'drop-dead-letters',
    `DELETE FROM push_dead_letter WHERE id IN
       (SELECT id FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id OFFSET $2)`,
    [letter.principal, maxDeadLetters],
  );
}

/** The principal's pushes that nobody took, latest first. */
export async function findDeadLetters(principal: string, limit: number): Promise<DeadLetter[]> {
  return query<DeadLetter>(
    'find-dead-letters',
    `SELECT id, task_id AS "taskId", config_id AS "configId", seq, url, reason, http_status AS "httpStatus", attempts, at, answer
     FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id LIMIT $2`,
    [principal, limit],
  );
}

const deadLetterColumns = `l.id, l.task_id AS "taskId", l.config_id AS "configId", l.seq, l.url, l.reason, l.http_status AS "httpStatus",
  l.attempts, l.at, l.answer, l.agent_id AS "agentId", c.dialect, c.secrets`;
// The secrets are those of the address that they were given with: of another one they are none of its business.
const joinConfigSql = `FROM push_dead_letter l
  JOIN push_config c ON c.task_id = l.task_id AND c.id = l.config_id AND c.url = l.url`;

/** A push that nobody took, with what is needed to send it again. */
export type ResendableDeadLetter = DeadLetter & Pick<PushConfigRecord, 'agentId' | 'dialect' | 'secrets'>;

/** One of the principal's pushes that nobody took; null also when its configuration is gone. */
export async function findDeadLetter(principal: string, id: string): Promise<ResendableDeadLetter | null> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.id = $2`;
  return (await query<ResendableDeadLetter>('dead-letter', text, [principal, id]))[0] ?? null;
}

/** Those of a time, the earliest first. */
export async function findDeadLettersBetween(
  principal: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<ResendableDeadLetter[]> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.at >= $2 AND l.at < $3
    ORDER BY l.at, l.seq LIMIT $4`;
  return query<ResendableDeadLetter>('dead-letters-of', text, [principal, from, to, limit]);
}

/** A push that was taken at last is none any more. */
export async function deleteDeadLetter(principal: string, id: string): Promise<void> {
  await query('delete-dead-letter', 'DELETE FROM push_dead_letter WHERE principal = $1 AND id = $2', [principal, id]);
}

/** Notes a further attempt that failed. */
export async function recordAttempt(
  principal: string,
  { id, reason, httpStatus, answer, at }: Pick<DeadLetter, 'id' | 'reason' | 'httpStatus' | 'answer' | 'at'>,
): Promise<void> {
  await query(
    'note-push-attempt',
    `UPDATE push_dead_letter SET attempts = attempts + 1, reason = $3, http_status = $4, answer = $5, at = $6
     WHERE principal = $1 AND id = $2`,
    [principal, id, reason, httpStatus, answer, at],
  );
}

/** A receiver that has not taken the last push yet, and when it is tried next. */
export interface FailingPush {
  taskId: string;
  configId: string;
  url: string;
  attempts: number;
  failingSince: Date;
  nextTry: Date;
  httpStatus: number | null;
  answer: string;
}

/** The principal's receivers that fail now, those that fail longest first. */
export async function findFailingPushes(principal: string, limit: number): Promise<FailingPush[]> {
  return query<FailingPush>(
    'failing-pushes',
    `SELECT task_id AS "taskId", id AS "configId", url, attempts, failing_since AS "failingSince", due_at AS "nextTry",
       last_status AS "httpStatus", last_answer AS answer
     FROM push_config WHERE principal = $1 AND NOT ended AND failing_since IS NOT NULL ORDER BY failing_since LIMIT $2`,
    [principal, limit],
  );
}
