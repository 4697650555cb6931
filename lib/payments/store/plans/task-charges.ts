import type { PricePlan } from '../../../catalog/schema-prices';
import { Prisma } from '../../../generated/prisma/client';
import { bool, int8, json, nullable, type RowOf, row, text, timestamptz, uuid } from '../../../platform/db/rows';
import { execute, executeIn } from '../../../platform/db/sql';
import type { Tx } from '../../../platform/db/tx';
import { CHARGE_BATCH_SIZE } from '../../limits';
import type { ChargeReason } from '../../schema-plans';

const chargeRow = row({
  id: text(),
  key: text(),
  userId: text(),
  agentId: text(),
  plan: json<PricePlan>(),
  taskId: uuid(),
  messageId: nullable(text()),
  currency: text(),
  test: bool(),
  authorized: int8(),
  captured: int8(),
  feeBps: int8(),
  feeFixed: int8(),
  units: nullable(int8()),
  state: text<'authorized' | 'captured' | 'released'>(),
  reason: nullable(text<ChargeReason>()),
  authorizedAt: timestamptz(),
  settledAt: nullable(timestamptz()),
});

/** A charge of a task or message by the agent's price plan. Amounts are minor units. */
export type TaskChargeRecord = RowOf<typeof chargeRow>;

const columns = (table: string): string => `${table}.id, ${table}.key, ${table}.user_id AS "userId",
  ${table}.agent_id AS "agentId", ${table}.plan, ${table}.task_id AS "taskId", ${table}.message_id AS "messageId",
  ${table}.currency, ${table}.test, ${table}.authorized, ${table}.captured, ${table}.fee_bps::bigint AS "feeBps",
  ${table}.fee_fixed AS "feeFixed", ${table}.units, ${table}.state, ${table}.reason,
  ${table}.authorized_at AS "authorizedAt", ${table}.settled_at AS "settledAt"`;

/** Finds the charge of a send; null if there is none. */
export function findChargeByKey(key: string): Promise<TaskChargeRecord | null> {
  return chargeRow.queryFirst('charge-by-key', `SELECT ${columns('c')} FROM task_charge c WHERE c.key = $1`, [key]);
}

/** Finds a captured charge, which no longer changes; null if there is none. */
export function findCapturedCharge(id: string): Promise<TaskChargeRecord | null> {
  return chargeRow.queryFirst(
    'captured-charge',
    `SELECT ${columns('c')} FROM task_charge c WHERE c.id = $1 AND c.state = 'captured'`,
    [id],
  );
}

/** Finds the authorized charge that pays a whole task of a user; null if there is none. */
export function findOpenChargeOfTask(userId: string, taskId: string): Promise<TaskChargeRecord | null> {
  return chargeRow.queryFirst(
    'open-charge-of-task',
    `SELECT ${columns('c')} FROM task_charge c
     WHERE c.task_id = $2 AND c.user_id = $1 AND c.message_id IS NULL AND c.state = 'authorized' LIMIT 1`,
    [userId, taskId],
  );
}

/** Assigns an authorized charge to another task, if the first send with its key did not store one. */
export async function assignCharge({ id }: Pick<TaskChargeRecord, 'id'>, taskId: string): Promise<void> {
  const text = `UPDATE task_charge SET task_id = $2 WHERE id = $1 AND state = 'authorized'`;
  await execute('assign-charge', text, [id, taskId]);
}

/** Replaces a buyer by a pseudonym, also in the keys of their sends. */
export async function anonymizeCharges(tx: Tx, userId: string, pseudonym: string): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE task_charge SET user_id = ${pseudonym}, key = id WHERE user_id = ${userId}`);
}

/** Gives the key of a settled charge to the next send with it. */
export async function freeChargeKey(id: string): Promise<void> {
  await execute(
    'free-charge-key',
    `UPDATE task_charge SET key = key || ' ' || id WHERE id = $1 AND state <> 'authorized'`,
    [id],
  );
}

/**
 * Returns authorized charges that are due for a look, and postpones their next look, which doubles the time since the
 * authorization.
 */
export function takeDueCharges({
  now,
  minDelayMs,
  maxDelayMs,
}: {
  now: Date;
  minDelayMs: number;
  maxDelayMs: number;
}): Promise<TaskChargeRecord[]> {
  return chargeRow.query(
    'due-charges',
    `UPDATE task_charge c SET check_at = $1::timestamptz + least(greatest($1::timestamptz - c.authorized_at,
       $2 * interval '1 ms'), $3 * interval '1 ms')
     WHERE c.id IN (SELECT d.id FROM task_charge d WHERE d.state = 'authorized' AND d.check_at <= $1
       ORDER BY d.check_at LIMIT ${CHARGE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
     RETURNING ${columns('c')}`,
    [now, minDelayMs, maxDelayMs],
  );
}

const dueRow = row({ due: nullable(timestamptz()) });

/** Returns the time at which the next authorized charge is due for a look; null if there is none. */
export async function nextChargeCheck(): Promise<Date | null> {
  const text = `SELECT min(check_at) AS due FROM task_charge WHERE state = 'authorized'`;
  return (await dueRow.queryFirst('next-charge-check', text))?.due ?? null;
}

interface ChargeFilter {
  userId: string;
  taskId: string | null;
  agentId: string | null;
  /** The last charge of the previous page. */
  after: { at: Date; id: string } | null;
  limit: number;
}

/** Returns a page of a buyer's charges, newest first. */
export function findCharges({ userId, taskId, agentId, after, limit }: ChargeFilter): Promise<TaskChargeRecord[]> {
  return chargeRow.query(
    'charges-of-buyer',
    `SELECT ${columns('c')} FROM task_charge c
     WHERE c.user_id = $1 AND ($2::uuid IS NULL OR c.task_id = $2) AND ($3::text IS NULL OR c.agent_id = $3)
       AND ($4::timestamptz IS NULL OR (c.authorized_at, c.id) < ($4, $5))
     ORDER BY c.authorized_at DESC, c.id DESC LIMIT $6`,
    [userId, taskId, agentId, after?.at ?? null, after?.id ?? null, limit],
  );
}
