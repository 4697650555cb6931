import { int4, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import type { PushDialect } from '../../protocol/a2a/core/model';
import { MAX_DEAD_LETTERS } from '../limits';

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
  /** The start of the receiver's last response. */
  answer: text(),
});

/** A push that could not be delivered. */
export type DeadLetter = RowOf<typeof deadLetterRow>;

/** Stores a dead letter, once; retains only the latest MAX_DEAD_LETTERS of a principal. */
export async function insertDeadLetter(letter: DeadLetter & { principal: string; agentId: string }): Promise<void> {
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
    `DELETE FROM push_dead_letter WHERE id IN
       (SELECT id FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id OFFSET $2)`,
    [letter.principal, MAX_DEAD_LETTERS],
  );
}

/** The principal's dead letters, latest first. */
export async function findDeadLetters(principal: string, limit: number): Promise<DeadLetter[]> {
  return deadLetterRow.query(
    'find-dead-letters',
    `SELECT id, task_id AS "taskId", config_id AS "configId", seq, url, reason, http_status AS "httpStatus", attempts, at, answer
     FROM push_dead_letter WHERE principal = $1 ORDER BY at DESC, id LIMIT $2`,
    [principal, limit],
  );
}

const deadLetterColumns = `l.id, l.task_id AS "taskId", l.config_id AS "configId", l.seq, l.url, l.reason, l.http_status AS "httpStatus",
  l.attempts, l.at, l.answer, l.agent_id AS "agentId", c.dialect, c.secrets`;
// Secrets are only sent to the URL that they were configured with.
const joinConfigSql = `FROM push_dead_letter l
  JOIN push_config c ON c.task_id = l.task_id AND c.id = l.config_id AND c.url = l.url`;

const resendableRow = row({
  ...deadLetterRow.columns,
  agentId: text(),
  dialect: text<PushDialect>(),
  secrets: text(),
});

/** A dead letter with the data for a resend. */
export type ResendableDeadLetter = RowOf<typeof resendableRow>;

/** One of the principal's dead letters; null also when its configuration was deleted. */
export async function findDeadLetter(principal: string, id: string): Promise<ResendableDeadLetter | null> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.id = $2`;
  return resendableRow.queryFirst('dead-letter', text, [principal, id]);
}

/** The principal's dead letters of a period, earliest first. */
export async function findDeadLettersBetween(
  principal: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<ResendableDeadLetter[]> {
  const text = `SELECT ${deadLetterColumns} ${joinConfigSql} WHERE l.principal = $1 AND l.at >= $2 AND l.at < $3
    ORDER BY l.at, l.seq LIMIT $4`;
  return resendableRow.query('dead-letters-of', text, [principal, from, to, limit]);
}

/** Deletes a dead letter that was delivered. */
export async function deleteDeadLetter(principal: string, id: string): Promise<void> {
  await execute('delete-dead-letter', 'DELETE FROM push_dead_letter WHERE principal = $1 AND id = $2', [principal, id]);
}

/** Deletes up to `limit` dead letters from before `cutoff`, and returns their number. */
export function deleteOldDeadLetters(cutoff: Date, limit: number): Promise<number> {
  return execute(
    'delete-old-dead-letters',
    `DELETE FROM push_dead_letter WHERE id IN (
       SELECT id FROM push_dead_letter WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [cutoff, limit],
  );
}

/** Records a failed resend. */
export async function recordAttempt(
  principal: string,
  { id, reason, httpStatus, answer, at }: Pick<DeadLetter, 'id' | 'reason' | 'httpStatus' | 'answer' | 'at'>,
): Promise<void> {
  await execute(
    'record-push-attempt',
    `UPDATE push_dead_letter SET attempts = attempts + 1, reason = $3, http_status = $4, answer = $5, at = $6
     WHERE principal = $1 AND id = $2`,
    [principal, id, reason, httpStatus, answer, at],
  );
}
