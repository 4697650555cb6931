import type { PricePlan } from '../../../catalog/schema-prices';
import { batchWrites } from '../../../platform/batches';
import { isUniqueViolation } from '../../../platform/db/db';
import { int8, json, nullable, type RowOf, row, text } from '../../../platform/db/rows';
import { once } from '../../../platform/runtime/once';
import { CHARGE_BATCH_SIZE } from '../../limits';
import { findChargeByKey, type TaskChargeRecord } from './task-charges';

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
 * Holds the amounts and stores the charges that their approvals and wallets cover, at most one of each user. Rows are
 * locked in the order approvals, then accounts by kind and owner, as in charge-settlements.ts.
 */
const authorizeSql = `
WITH want AS (
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::boolean[], $8::boolean[],
    $9::timestamptz[], $10::timestamptz[], $11::text[])
    w(id, key, user_id, agent_id, task_id, message_id, test, is_by_agent, at, check_at, transaction_id)
), fees AS (
  SELECT * FROM unnest($12::text[], $13::text[], $14::int[], $15::bigint[]) f(id, plan_id, bps, fixed)
), chosen AS (
  SELECT w.*, a.approval_id, f.bps, f.fixed FROM want w
  JOIN LATERAL (
    SELECT b.id AS approval_id, b.plan_id FROM price_approval b
    WHERE b.user_id = w.user_id AND b.agent_id = w.agent_id AND b.test = w.test AND b.ended_at IS NULL AND b.expires_at > w.at
      AND (b.agents_may_use OR NOT w.is_by_agent) AND b.plan_id IN (SELECT plan_id FROM fees WHERE fees.id = w.id)
    ORDER BY b.created_at DESC LIMIT 1
  ) a ON true
  JOIN fees f ON f.id = w.id AND f.plan_id = a.plan_id
  WHERE NOT EXISTS (SELECT FROM task_charge c WHERE c.key = w.key)
), budgets AS (
  SELECT a.id, a.plan, a.currency, a.amount, a.held + a.spent + a.amount <= a.total AND a.ended_at IS NULL AS is_covered
  FROM price_approval a WHERE a.id IN (SELECT approval_id FROM chosen) ORDER BY a.id FOR UPDATE
), covered AS (
  SELECT c.*, b.plan, b.currency, b.amount FROM chosen c JOIN budgets b ON b.id = c.approval_id WHERE b.is_covered
), accounts AS (
  SELECT l.id, l.kind, l.owner, l.currency, l.test, l.balance FROM ledger_account l
  WHERE l.kind IN ('held', 'wallet') AND (l.owner, l.currency, l.test) IN (SELECT user_id, currency, test FROM covered)
  ORDER BY l.kind, l.owner FOR UPDATE
), paid AS (
  SELECT c.*, h.id AS held_id, w.id AS wallet_id FROM covered c
  JOIN accounts h ON (h.kind, h.owner, h.currency, h.test) = ('held', c.user_id, c.currency, c.test)
  JOIN accounts w ON (w.kind, w.owner, w.currency, w.test) = ('wallet', c.user_id, c.currency, c.test)
  WHERE w.balance >= c.amount
), approvals AS (
  UPDATE price_approval a SET held = a.held + p.amount FROM paid p WHERE a.id = p.approval_id
), moves AS (
  SELECT transaction_id, held_id AS account_id, amount FROM paid
  UNION ALL SELECT transaction_id, wallet_id, -amount FROM paid
), balances AS (
  UPDATE ledger_account l SET balance = l.balance + m.amount FROM moves m WHERE l.id = m.account_id
), posted AS (
  INSERT INTO ledger_transaction (id, key, kind, at) SELECT transaction_id, 'charge:' || id || ':hold', 'hold', at FROM paid
), entries AS (
  INSERT INTO ledger_entry (transaction_id, account_id, amount) SELECT transaction_id, account_id, amount FROM moves
), charges AS (
  INSERT INTO task_charge (id, key, user_id, agent_id, approval_id, plan, task_id, message_id, currency, test, authorized,
    fee_bps, fee_fixed, state, authorized_at, check_at)
  SELECT id, key, user_id, agent_id, approval_id, plan, task_id, CASE WHEN plan ->> 'kind' = 'message' THEN message_id END,
    currency, test, amount, bps, fixed, 'authorized', at, check_at FROM paid
)
SELECT w.id, p.plan, p.currency, p.amount, p.bps::bigint AS "feeBps", p.fixed AS "feeFixed", CASE WHEN c.id IS NULL THEN 'not_approved'
    WHEN v.id IS NULL THEN 'total_reached' WHEN p.id IS NULL THEN 'wallet_too_low' END AS failure
FROM want w LEFT JOIN chosen c ON c.id = w.id LEFT JOIN covered v ON v.id = w.id LEFT JOIN paid p ON p.id = w.id`;

const resultRow = row({
  id: text(),
  plan: nullable(json<PricePlan>()),
  currency: nullable(text()),
  amount: nullable(int8()),
  feeBps: nullable(int8()),
  feeFixed: nullable(int8()),
  failure: nullable(text<AuthorizationFailure>()),
});

/** Why a charge was not authorized. */
export type AuthorizationFailure = 'not_approved' | 'total_reached' | 'wallet_too_low';

/** Concurrent authorizations are one statement and one commit. */
const authorize = once(() => batchWrites(writeCharges, CHARGE_BATCH_SIZE));

/**
 * Authorizes a charge: holds the amount of the approval in force. If the key is in use, returns the charge that has it,
 * and holds nothing.
 */
export async function insertCharge(charge: NewCharge): Promise<TaskChargeRecord | AuthorizationFailure> {
  const { key } = charge;
  try {
    const result = await authorize()(charge);
    return typeof result === 'string' ? ((await findChargeByKey(key)) ?? result) : result;
  } catch (error) {
    // A concurrent send with the same key was authorized first, by another node.
    const concurrent = isUniqueViolation(error, 'task_charge_key_key') ? await findChargeByKey(key) : null;
    if (concurrent) return concurrent;
    throw error;
  }
}

type Result = TaskChargeRecord | AuthorizationFailure;

async function writeCharges(charges: NewCharge[]): Promise<Result[]> {
  const results = new Map<string, Result>();
  for (let waiting = charges; waiting.length > 0; ) {
    // A statement can change a row once.
    const first = new Map(waiting.toReversed().map((charge) => [charge.userId, charge]));
    await writeOnePerUser([...first.values()], results);
    waiting = waiting.filter((charge) => first.get(charge.userId) !== charge);
  }
  return charges.map(({ id }) => results.get(id) ?? 'not_approved');
}

async function writeOnePerUser(charges: NewCharge[], results: Map<string, Result>): Promise<void> {
  const column = <Key extends keyof NewCharge>(key: Key): NewCharge[Key][] => charges.map((charge) => charge[key]);
  const plans = charges.flatMap(({ id, plans }) => plans.map((plan) => ({ ...plan, chargeId: id })));
  const rows = await resultRow.query('authorize-charges', authorizeSql, [
    ...[column('id'), column('key'), column('userId'), column('agentId'), column('taskId'), column('messageId')],
    ...[column('test'), column('isByAgent'), column('at'), column('checkAt'), column('transactionId')],
    plans.map(({ chargeId }) => chargeId),
    plans.map(({ id }) => id),
    plans.map(({ feeBps }) => feeBps),
    plans.map(({ feeFixed }) => feeFixed),
  ]);
  const found = new Map(rows.map((result) => [result.id, result]));
  for (const charge of charges) {
    const result = found.get(charge.id);
    if (result) results.set(charge.id, toResult(charge, result));
  }
}

function toResult(charge: NewCharge, { plan, failure, ...stored }: RowOf<typeof resultRow>): Result {
  if (failure !== null || plan === null) return failure ?? 'not_approved';
  const { id, key, userId, agentId, taskId, messageId, test, at } = charge;
  return {
    ...{ id, key, userId, agentId, plan, taskId, test },
    messageId: plan.kind === 'message' ? messageId : null,
    currency: stored.currency ?? '',
    authorized: stored.amount ?? 0,
    captured: 0,
    feeBps: stored.feeBps ?? 0,
    feeFixed: stored.feeFixed ?? 0,
    units: null,
    state: 'authorized',
    reason: null,
    authorizedAt: at,
    settledAt: null,
  };
}
