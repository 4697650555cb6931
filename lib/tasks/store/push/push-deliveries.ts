import { nodeIsDeadSql } from '../../../platform/bus';
import { int4, nullable, type RowOf, row, text, timestamptz, uuid } from '../../../platform/db/rows';
import { notFencedSql } from '../../../platform/db/task-databases/leaving-owners';
import { taskDatabases } from '../../../platform/db/task-databases/task-databases';
import { inAvailableTaskDatabases, ofOwner } from '../../../platform/db/task-databases/task-statements';
import { selectTaskDue } from '../../../platform/runtime/activity';
import type { PushDialect } from '../../../protocol/a2a/core/model';
import { MAX_DEAD_LETTERS } from '../../limits';
import { queueRow, sumQueues } from '../queue-sums';

const pushWorkRow = row({
  taskId: uuid(),
  id: text(),
  principal: text(),
  agentId: text(),
  credentialId: text(),
  dialect: text<PushDialect>(),
  url: text(),
  secrets: text(),
  sentSeq: int4(),
  attempts: int4(),
  failingSince: nullable(timestamptz()),
  /** Number of consecutive pushes that became dead letters. */
  consecutiveDeadLetters: int4(),
});

/** A configuration with events to send, held under a lease. */
export type PushWork = RowOf<typeof pushWorkRow>;

/** Identifies a lease. A write with a lost lease has no effect. */
export interface PushLease {
  principal: string;
  taskId: string;
  id: string;
  lease: string;
}

interface Claim {
  /** Starts with the node id. */
  lease: string;
  now: Date;
  until: Date;
  limit: number;
  /** The maximum number of concurrent deliveries of one principal, and the current numbers. */
  perPrincipal: number;
  active: ReadonlyMap<string, number>;
}

const claimableSql = `p.due_at <= $2 AND NOT p.ended
  AND (p.leased_until IS NULL OR p.leased_until <= $2 OR ${nodeIsDeadSql("split_part(p.lease, ' ', 1)")})`;

/**
 * Leases at most `limit` configurations that have a due event and no active lease, and at most `perPrincipal` of one
 * principal together with its `active` ones. Nodes skip each other's rows.
 */
export async function claimPushes({ lease, now, until, limit, perPrincipal, active }: Claim): Promise<PushWork[]> {
  return pushWorkRow.inAvailable().query(
    'claim-pushes',
    `WITH ranked AS (
       SELECT p.task_id, p.id, p.principal, row_number() OVER (PARTITION BY p.principal ORDER BY p.due_at) AS position
       FROM push_config p JOIN task t ON t.principal = p.principal AND t.id = p.task_id
       WHERE ${claimableSql} AND t.last_seq > p.sent_seq
         AND ${notFencedSql('p.principal')}
     ), due AS (
       SELECT p.principal, p.task_id, p.id
       FROM ranked r JOIN push_config p ON p.principal = r.principal AND p.task_id = r.task_id AND p.id = r.id
       LEFT JOIN unnest($5::text[], $6::int[]) AS a(principal, count) ON a.principal = r.principal
       WHERE r.position <= $7 - coalesce(a.count, 0) AND ${claimableSql}
       ORDER BY p.due_at LIMIT $4 FOR UPDATE OF p SKIP LOCKED
     )
     UPDATE push_config c SET lease = $1, leased_until = $3 FROM due
     WHERE c.principal = due.principal AND c.task_id = due.task_id AND c.id = due.id
     RETURNING c.task_id AS "taskId", c.id, c.principal, c.agent_id AS "agentId",
       coalesce(c.credential_id, c.principal) AS "credentialId", c.dialect, c.url, c.secrets, c.sent_seq AS "sentSeq",
       c.attempts, c.failing_since AS "failingSince", c.consecutive_dead_letters AS "consecutiveDeadLetters"`,
    [
      lease,
      now,
      until,
      Math.ceil(limit / taskDatabases().length),
      [...active.keys()],
      [...active.values()],
      perPrincipal,
    ],
  );
}

/** Returns the time at which the first push is due or a lease expires; null if there is nothing to send. */
export function nextPush(): Promise<Date | null> {
  return selectTaskDue(
    'next-push',
    `SELECT min(greatest(p.due_at, p.leased_until)) AS due
     FROM push_config p JOIN task t ON t.principal = p.principal AND t.id = p.task_id
     WHERE NOT p.ended AND t.last_seq > p.sent_seq`,
  );
}

/** Records all events up to `seq` as handled and extends the lease. Returns false if the lease was lost. */
export async function advancePush(
  { principal, taskId, id, lease }: PushLease,
  { seq, consecutiveDeadLetters, until }: { seq: number; consecutiveDeadLetters: number; until: Date },
): Promise<boolean> {
  const count = await ofOwner(principal).execute(
    'advance-push',
    `UPDATE push_config SET sent_seq = $4, attempts = 0, failing_since = NULL, leased_until = $5, consecutive_dead_letters = $6
     WHERE task_id = $1 AND id = $2 AND lease = $3 AND principal = $7 RETURNING id`,
    [taskId, id, lease, seq, until, consecutiveDeadLetters, principal],
  );
  return count > 0;
}

/** Releases the lease on a push configuration. `ended` stops delivery permanently. */
export async function releasePush({ principal, taskId, id, lease }: PushLease, ended: boolean): Promise<void> {
  await ofOwner(principal).execute(
    'release-push',
    `UPDATE push_config SET lease = NULL, leased_until = NULL, ended = $4
     WHERE task_id = $1 AND id = $2 AND lease = $3 AND principal = $5`,
    [taskId, id, lease, ended, principal],
  );
}

/** Releases the lease after a failure and schedules the next attempt at `dueAt`. */
export async function postponePush(
  { principal, taskId, id, lease }: PushLease,
  failed: {
    attempts: number;
    failingSince: Date | null;
    dueAt: Date;
    /** The webhook's response; null for an error in Parley. */
    answer: { httpStatus: number | null; answer: string } | null;
  },
): Promise<void> {
  await ofOwner(principal).execute(
    'postpone-push',
    `UPDATE push_config SET lease = NULL, leased_until = NULL, attempts = $4, failing_since = $5, due_at = $6,
       last_status = $7, last_answer = $8
     WHERE task_id = $1 AND id = $2 AND lease = $3 AND principal = $9`,
    [
      taskId,
      id,
      lease,
      failed.attempts,
      failed.failingSince,
      failed.dueAt,
      failed.answer?.httpStatus,
      failed.answer?.answer ?? '',
      principal,
    ],
  );
}

const failingPushRow = row({
  taskId: uuid(),
  configId: text(),
  url: text(),
  attempts: int4(),
  failingSince: timestamptz(),
  nextTry: timestamptz(),
  httpStatus: nullable(int4()),
  answer: text(),
});

/** A webhook whose last push failed, and its next attempt. */
export type FailingPush = RowOf<typeof failingPushRow>;

/** Finds the principal's failing webhooks, longest failing first. */
export async function findFailingPushes(principal: string, limit: number): Promise<FailingPush[]> {
  return failingPushRow.of(principal).query(
    'failing-pushes',
    `SELECT task_id AS "taskId", id AS "configId", url, attempts, failing_since AS "failingSince", due_at AS "nextTry",
       last_status AS "httpStatus", last_answer AS answer
     FROM push_config WHERE principal = $1 AND NOT ended AND failing_since IS NOT NULL ORDER BY failing_since LIMIT $2`,
    [principal, limit],
  );
}

/**
 * Returns the number of configurations with an event to send, at most 10,000 per task database, and the age of the
 * oldest in seconds.
 */
export async function measurePushBacklog(now: Date): Promise<RowOf<typeof queueRow>> {
  const found = await queueRow.inAvailable().query(
    'measure-push-backlog',
    `SELECT count(*) AS due,
       greatest(0, max(extract(epoch FROM $1 - greatest(p.due_at, t.state_at))))::float8 AS seconds
     FROM (SELECT principal, task_id, sent_seq, due_at FROM push_config WHERE NOT ended AND due_at <= $1 LIMIT 10000) p
     JOIN task t ON t.principal = p.principal AND t.id = p.task_id WHERE t.last_seq > p.sent_seq`,
    [now],
  );
  return sumQueues(found);
}

const deadLetterRow = row({
  id: text(),
  taskId: uuid(),
  configId: text(),
  seq: int4(),
  url: text(),
  reason: text(),
  httpStatus: nullable(int4()),
  attempts: int4(),
  at: timestamptz(),
  /** The start of the webhook's last response. */
  answer: text(),
});

/** A push that could not be delivered. */
export type DeadLetter = RowOf<typeof deadLetterRow>;

/** Stores a dead letter, once. Retains only the latest MAX_DEAD_LETTERS of a principal. */
export async function insertDeadLetter(letter: DeadLetter & { principal: string; agentId: string }): Promise<void> {
  const { execute } = ofOwner(letter.principal);
  await execute(
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
  await execute(
    'prune-dead-letters',
    `DELETE FROM push_dead_letter WHERE principal = $1 AND id IN
       (SELECT id FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id OFFSET $2)`,
    [letter.principal, MAX_DEAD_LETTERS],
  );
}

/** Returns the principal's dead letters, newest first. */
export async function findDeadLetters(principal: string, limit: number): Promise<DeadLetter[]> {
  return deadLetterRow.of(principal).query(
    'find-dead-letters',
    `SELECT id, task_id AS "taskId", config_id AS "configId", seq, url, reason, http_status AS "httpStatus", attempts, at, answer
     FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id LIMIT $2`,
    [principal, limit],
  );
}

const deadLetterColumns = `l.id, l.task_id AS "taskId", l.config_id AS "configId", l.seq, l.url, l.reason, l.http_status AS "httpStatus",
  l.attempts, l.at, l.answer, l.agent_id AS "agentId", c.dialect, c.secrets`;
// Secrets are sent only to the URL with which they were configured.
const joinConfigSql = `FROM push_dead_letter l
  JOIN push_config c ON c.principal = l.principal AND c.task_id = l.task_id AND c.id = l.config_id AND c.url = l.url`;

const resendableRow = row({
  ...deadLetterRow.columns,
  agentId: text(),
  dialect: text<PushDialect>(),
  secrets: text(),
});

/** A dead letter with the data for a resend. */
export type ResendableDeadLetter = RowOf<typeof resendableRow>;

/** Finds one of the principal's dead letters; null also if its configuration was deleted. */
export async function findDeadLetter(principal: string, id: string): Promise<ResendableDeadLetter | null> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.id = $2`;
  return resendableRow.of(principal).queryFirst('dead-letter', text, [principal, id]);
}

/** Finds the principal's dead letters of a period, oldest first. */
export async function findDeadLettersBetween(
  principal: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<ResendableDeadLetter[]> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.at >= $2 AND l.at < $3
    ORDER BY l.at, l.seq LIMIT $4`;
  return resendableRow.of(principal).query('dead-letters-of', text, [principal, from, to, limit]);
}

/** Deletes a dead letter that was delivered. */
export async function deleteDeadLetter(principal: string, id: string): Promise<void> {
  const text = 'DELETE FROM push_dead_letter WHERE principal = $1 AND id = $2';
  await ofOwner(principal).execute('delete-dead-letter', text, [principal, id]);
}

/** Deletes at most `limit` dead letters from before `cutoff`, and returns their number. */
export function deleteOldDeadLetters(cutoff: Date, limit: number): Promise<number> {
  return inAvailableTaskDatabases.execute(
    'delete-old-dead-letters',
    `DELETE FROM push_dead_letter WHERE (principal, id) IN (
       SELECT principal, id FROM push_dead_letter WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [cutoff, limit],
  );
}

/** Records a failed resend of a dead letter. */
export async function recordAttempt(
  principal: string,
  { id, reason, httpStatus, answer, at }: Pick<DeadLetter, 'id' | 'reason' | 'httpStatus' | 'answer' | 'at'>,
): Promise<void> {
  await ofOwner(principal).execute(
    'record-push-attempt',
    `UPDATE push_dead_letter SET attempts = attempts + 1, reason = $3, http_status = $4, answer = $5, at = $6
     WHERE principal = $1 AND id = $2`,
    [principal, id, reason, httpStatus, answer, at],
  );
}
