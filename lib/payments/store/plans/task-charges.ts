import type { PricePlan } from '../../../catalog/schema-prices';
import { Prisma } from '../../../generated/prisma/client';
import { databaseCodeOf } from '../../../platform/db/database-errors';
import { isUniqueViolation } from '../../../platform/db/db';
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

/** A charge to authorize. */
export interface NewCharge {
  id: string;
  transactionId: string;
  /** The send that it pays. */
  key: string;
  userId: string;
  agentId: string;
  /** The agent's plans, of which the approval in force selects one, with the platform's fee for each. */
  plans: { id: string; feeBps: number; feeFixed: number }[];
  taskId: string;
  /** Stored for a price per message. */
  messageId: string;
  test: boolean;
  /** True if an agent that acts for the user wrote the message. */
  isByAgent: boolean;
  at: Date;
  checkAt: Date;
}

/**
 * Holds the amount and stores the charge. The constraints of the tables reject it as a whole if the approval or the
 * wallet does not cover the amount, or the key is in use. Rows are locked in the order approval, held, wallet.
 */
const authorizeSql = `
WITH fees AS (
  SELECT * FROM unnest($5::text[], $6::int[], $7::bigint[]) f(plan_id, bps, fixed)
), approved AS (
  UPDATE price_approval a SET held = a.held + a.amount FROM fees f
  WHERE f.plan_id = a.plan_id AND a.user_id = $3 AND a.agent_id = $4 AND a.test = $10 AND a.ended_at IS NULL
    AND a.expires_at > $12 AND (a.agents_may_use OR NOT $11)
    AND a.id = (SELECT b.id FROM price_approval b WHERE b.user_id = $3 AND b.agent_id = $4 AND b.test = $10
      AND b.plan_id = ANY($5) AND b.ended_at IS NULL AND b.expires_at > $12 AND (b.agents_may_use OR NOT $11)
      ORDER BY b.created_at DESC LIMIT 1)
    AND NOT EXISTS (SELECT FROM task_charge c WHERE c.key = $2)
  RETURNING a.id, a.plan, a.currency, a.amount, f.bps, f.fixed
), held AS (
  UPDATE ledger_account l SET balance = l.balance + a.amount FROM approved a
  WHERE l.kind = 'held' AND l.owner = $3 AND l.currency = a.currency AND l.test = $10 RETURNING l.id, a.amount
), wallet AS (
  UPDATE ledger_account l SET balance = l.balance - h.amount FROM approved a, held h
  WHERE l.kind = 'wallet' AND l.owner = $3 AND l.currency = a.currency AND l.test = $10 RETURNING l.id, h.amount
), posted AS (
  INSERT INTO ledger_transaction (id, key, kind, at) SELECT $14, 'charge:' || $1 || ':hold', 'hold', $12 FROM wallet
), entries AS (
  INSERT INTO ledger_entry (transaction_id, account_id, amount)
  SELECT $14, id, amount FROM held UNION ALL SELECT $14, id, -amount FROM wallet
)
INSERT INTO task_charge AS c (id, key, user_id, agent_id, approval_id, plan, task_id, message_id, currency, test, authorized,
  fee_bps, fee_fixed, state, authorized_at, check_at)
SELECT $1, $2, $3, $4, a.id, a.plan, $8, CASE WHEN a.plan ->> 'kind' = 'message' THEN $9 END, a.currency, $10, a.amount, a.bps, a.fixed, 'authorized', $12, $13
FROM approved a, wallet RETURNING ${columns('c')}`;

/** Why a charge was not authorized. */
export type AuthorizationFailure = 'not_approved' | 'total_reached' | 'wallet_too_low';

/**
 * Authorizes a charge in one statement: holds the amount of the approval in force. If the key is in use, returns the
 * charge that has it, and holds nothing.
 */
export async function insertCharge(charge: NewCharge): Promise<TaskChargeRecord | AuthorizationFailure> {
  const { id, key, userId, agentId, plans, taskId, messageId, test, isByAgent, at, checkAt, transactionId } = charge;
  const fees = [plans.map((plan) => plan.id), plans.map((plan) => plan.feeBps), plans.map((plan) => plan.feeFixed)];
  const values = [id, key, userId, agentId, ...fees, taskId, messageId, test, isByAgent, at, checkAt, transactionId];
  try {
    const stored = await chargeRow.queryFirst('authorize-charge', authorizeSql, values);
    return stored ?? (await findChargeByKey(key)) ?? 'not_approved';
  } catch (error) {
    const code = databaseCodeOf(error);
    if (code === CHECK_VIOLATION)
      return constraintOf(error) === 'ledger_account_not_overdrawn' ? 'wallet_too_low' : 'total_reached';
    // A concurrent send with the same key was authorized first.
    const concurrent = isUniqueViolation(error, 'task_charge_key_key') ? await findChargeByKey(key) : null;
    if (concurrent) return concurrent;
    throw error;
  }
}

const CHECK_VIOLATION = '23514';

function constraintOf(error: unknown): unknown {
  return error instanceof Error && 'constraint' in error ? error.constraint : undefined;
}

/** Finds the charge of a send; null if there is none. */
function findChargeByKey(key: string): Promise<TaskChargeRecord | null> {
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
