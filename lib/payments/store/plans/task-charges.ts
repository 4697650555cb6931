import type { PricePlan } from '../../../catalog/schema-prices';
import { databaseCodeOf } from '../../../platform/db/database-errors';
import { isUniqueViolation } from '../../../platform/db/db';
import { bool, int8, json, nullable, type RowOf, row, text, timestamptz, uuid } from '../../../platform/db/rows';
import { execute } from '../../../platform/db/sql';
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

/** Gives the key of a settled charge to the next send with it. */
export async function freeChargeKey(id: string): Promise<void> {
  await execute(
    'free-charge-key',
    `UPDATE task_charge SET key = key || ' ' || id WHERE id = $1 AND state <> 'authorized' AND key NOT LIKE '% ' || id`,
    [id],
  );
}

/** The earning of a captured charge. */
export interface SellerPart {
  earningId: string;
  sellerId: string;
  hold: string;
  availableAt: Date;
}

/** The end of a charge. */
export interface ChargeSettlement {
  id: string;
  /** Minor units; 0 releases the whole hold. */
  captured: number;
  /** The platform's part of it. */
  fee: number;
  units: number | null;
  reason: ChargeReason | null;
  transactionId: string;
  /** Null if nothing is captured, or the agent no longer exists. */
  seller: SellerPart | null;
}

/**
 * Captures and releases the holds of charges that are still authorized, and records what their sellers earn. Rows are locked in the order approvals, then
 * accounts by kind and owner, like postTransaction does.
 */
const settleSql = `
WITH want AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $8::text[], $9::text[],
    $10::text[], $11::timestamptz[]) w(id, captured, fee, units, reason, transaction_id, earning_id, seller_id, hold, available_at)
), settled AS (
  UPDATE task_charge c SET state = CASE WHEN w.captured > 0 THEN 'captured' ELSE 'released' END, captured = w.captured,
    fee = w.fee, units = w.units, reason = w.reason, settled_at = $7,
    key = CASE WHEN w.reason = 'not_started' THEN c.key || ' ' || c.id ELSE c.key END
  FROM want w WHERE c.id = ANY(SELECT l.id FROM task_charge l WHERE l.id = ANY($1) AND l.state = 'authorized' ORDER BY l.id FOR UPDATE)
    AND c.id = w.id
  RETURNING c.id, c.approval_id, c.user_id, c.agent_id, c.currency, c.test, c.authorized, c.captured, c.fee, w.transaction_id,
    w.earning_id, w.seller_id, w.hold, w.available_at
), earned AS (
  INSERT INTO earning (id, sale_kind, sale_id, seller_id, agent_id, currency, test, gross, fee, captured_at, hold, available_at)
  SELECT s.earning_id, 'charge', s.id, s.seller_id, s.agent_id, s.currency, s.test, s.captured, s.fee, $7, s.hold, s.available_at
  FROM settled s WHERE s.captured > 0 AND s.seller_id IS NOT NULL
), budgets AS (
  SELECT a.id, s.held, s.spent FROM price_approval a JOIN (
    SELECT approval_id, sum(authorized) AS held, sum(captured) AS spent FROM settled GROUP BY approval_id
  ) s ON s.approval_id = a.id ORDER BY a.id FOR UPDATE OF a
), approvals AS (
  UPDATE price_approval a SET held = a.held - b.held, spent = a.spent + b.spent FROM budgets b WHERE a.id = b.id
), moves AS (
  SELECT s.id AS charge_id, s.transaction_id, s.currency, s.test, m.kind, m.owner, m.amount
  FROM settled s CROSS JOIN LATERAL (VALUES ('held', s.user_id, -s.authorized), ('wallet', s.user_id, s.authorized - s.captured),
    ('merchant', s.agent_id, s.captured - s.fee), ('fees', 'parley', s.fee)) m(kind, owner, amount)
  WHERE m.amount <> 0
), accounts AS (
  SELECT l.id, l.kind, l.owner, l.currency, l.test FROM ledger_account l
  WHERE (l.kind, l.owner, l.currency, l.test) IN (SELECT kind, owner, currency, test FROM moves) AND (SELECT count(*) FROM budgets) > 0
  ORDER BY l.kind, l.owner FOR UPDATE
), balances AS (
  UPDATE ledger_account l SET balance = l.balance + d.amount FROM (
    SELECT a.id, sum(m.amount) AS amount FROM moves m
    JOIN accounts a ON (a.kind, a.owner, a.currency, a.test) = (m.kind, m.owner, m.currency, m.test) GROUP BY a.id
  ) d WHERE l.id = d.id
), posted AS (
  INSERT INTO ledger_transaction (id, key, kind, at)
  SELECT s.transaction_id, 'charge:' || s.id || ':settle', CASE WHEN s.captured > 0 THEN 'capture' ELSE 'release' END, $7 FROM settled s
), entries AS (
  INSERT INTO ledger_entry (transaction_id, account_id, amount)
  SELECT m.transaction_id, a.id, m.amount FROM moves m
  JOIN accounts a ON (a.kind, a.owner, a.currency, a.test) = (m.kind, m.owner, m.currency, m.test)
)
SELECT id FROM settled`;

const idRow = row({ id: text() });

/**
 * Settles charges in one statement. The accounts of the agents and of the platform must exist. Returns the ids of those
 * that this call settled; the others were settled before.
 */
export async function settleCharges(settlements: ChargeSettlement[], at: Date): Promise<string[]> {
  const column = <Key extends keyof ChargeSettlement>(key: Key): ChargeSettlement[Key][] =>
    settlements.map((each) => each[key]);
  const seller = <Key extends keyof SellerPart>(key: Key): (SellerPart[Key] | null)[] =>
    settlements.map((each) => each.seller?.[key] ?? null);
  const values = [
    ...[column('id'), column('captured'), column('fee'), column('units'), column('reason'), column('transactionId')],
    at,
    ...[seller('earningId'), seller('sellerId'), seller('hold'), seller('availableAt')],
  ];
  return (await idRow.query('settle-charges', settleSql, values)).map(({ id }) => id);
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
