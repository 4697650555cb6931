import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, json, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { DAY_MS } from '../../platform/time';
import { MAX_ORDER_AGENTS } from '../limits';
import type { OrderRecord } from '../record';
import type { OrderFilter } from '../schema';
import { endedUnpaidStates, type OrderState, statesOfFilter } from '../schema-states';

/** SQL condition that is true if the order `o` counts as spent: it is approved and has not ended unpaid. */
export const isSpentSql = Prisma.sql`o.method IS NOT NULL AND o.state <> ALL(${endedUnpaidStates})`;

/** A range of time: start inclusive, end exclusive. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** Returns an SQL condition that is true if the order `o` was approved in the range. */
export function approvedInSql({ from, to }: TimeRange): Prisma.Sql {
  return Prisma.sql`(o.approved_at >= ${from} AND o.approved_at < ${to})`;
}

/** Amounts are selected as numbers, because none exceeds 2^53. */
const columns = Prisma.sql`o.id, o.user_id AS "userId", o.agent_id AS "agentId", o.task_id AS "taskId",
  o.context_id AS "contextId", o.source_kind AS "sourceKind", o.source_id AS "sourceId", o.source_part AS "sourcePart",
  o.answered_origin AS "answeredOrigin", o.answered_message AS "answeredMessage",
  o.cart_text AS "cartText", o.cart_hash AS "cartHash", o.cart_id AS "cartId", o.issuer, o.jti,
  o.checkout_jwt AS "checkoutJwt", o.offer, o.checks,
  o.amount::float8 AS amount, o.currency, o.expires_at AS "expiresAt", o.state, o.code, o.version, o.method, o.test,
  o.fee::float8 AS fee, o.authorized::float8 AS authorized, o.captured::float8 AS captured,
  o.refunded::float8 AS refunded, o.capture_before AS "captureBefore", o.session_id AS "sessionId",
  o.payment_id AS "paymentId", o.redirect_url AS "redirectUrl", o.attempt, o.merchant_order_id AS "merchantOrderId",
  o.standing_id AS "standingId", o.standing_failure AS "standingFailure",
  o.created_at AS "createdAt", o.updated_at AS "updatedAt"`;

const orderRow = row({
  id: text(),
  userId: text(),
  agentId: text(),
  taskId: uuid(),
  contextId: uuid(),
  sourceKind: text<OrderRecord['sourceKind']>(),
  sourceId: text(),
  sourcePart: int4(),
  answeredOrigin: nullable(text<NonNullable<OrderRecord['answeredOrigin']>>()),
  answeredMessage: nullable(text()),
  cartText: text(),
  cartHash: text(),
  cartId: nullable(text()),
  issuer: nullable(text()),
  jti: nullable(text()),
  checkoutJwt: nullable(text()),
  offer: nullable(json<NonNullable<OrderRecord['offer']>>()),
  checks: json<OrderRecord['checks']>(),
  amount: float8(),
  currency: text(),
  expiresAt: nullable(timestamptz()),
  state: text<OrderState>(),
  code: nullable(text()),
  version: int4(),
  method: nullable(text<NonNullable<OrderRecord['method']>>()),
  test: bool(),
  fee: float8(),
  authorized: float8(),
  captured: float8(),
  refunded: float8(),
  captureBefore: nullable(timestamptz()),
  sessionId: nullable(text()),
  paymentId: nullable(text()),
  redirectUrl: nullable(text()),
  attempt: int4(),
  merchantOrderId: nullable(text()),
  standingId: nullable(text()),
  standingFailure: nullable(text<NonNullable<OrderRecord['standingFailure']>>()),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
});

/** Selects orders. `rest` follows `FROM payment_order o`. */
export function selectOrders(rest: Prisma.Sql, tx: Db = db()): Promise<OrderRecord[]> {
  return orderRow.queryIn(tx, Prisma.sql`SELECT ${columns} FROM payment_order o ${rest}`);
}

/** Returns false for text that is not an order id, which PostgreSQL may refuse to compare (NUL). */
export function isOrderId(id: string): boolean {
  return /^ord_[0-9a-z]{1,30}$/.test(id);
}

const creditRow = row({ credit: float8() });

/**
 * Returns the available amount of a user's wallet in a currency, minor units, minus the orders that are approved from
 * it and not held yet. Uses one statement, because between two statements an order could be held and be missing from
 * both.
 */
export async function findCredit(
  tx: Db,
  { userId, currency, test }: { userId: string; currency: string; test: boolean },
): Promise<number> {
  const [row] = await creditRow.queryIn(
    tx,
    Prisma.sql`SELECT (coalesce((SELECT sum(balance) FROM ledger_account
        WHERE kind = 'wallet' AND owner = ${userId} AND currency = ${currency} AND test = ${test}), 0)
      - coalesce((SELECT sum(amount) FROM payment_order WHERE user_id = ${userId} AND currency = ${currency}
        AND test = ${test} AND method = 'wallet' AND state = 'approved'), 0))::float8 AS credit`,
  );
  return row?.credit ?? 0;
}

const foundRow = row({ found: bool() });

/** Returns true if the user has approved another order at the same agent. */
export async function hasPaidAgent(
  tx: Db,
  { id, userId, agentId }: { id: string; userId: string; agentId: string },
): Promise<boolean> {
  const [row] = await foundRow.queryIn(
    tx,
    Prisma.sql`SELECT EXISTS (SELECT FROM payment_order WHERE user_id = ${userId} AND agent_id = ${agentId}
      AND method IS NOT NULL AND id <> ${id}) AS found`,
  );
  return row?.found === true;
}

/** Finds the user's own order, otherwise null. */
export async function findOrder({ userId }: { userId: string }, id: string): Promise<OrderRecord | null> {
  if (!isOrderId(id)) return null;
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id} AND o.user_id = ${userId}`);
  return found ?? null;
}

/** Finds an order of any user; null if it is unknown. For the outbox worker. */
export async function findOrderById(id: string, tx: Db = db()): Promise<OrderRecord | null> {
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id}`, tx);
  return found ?? null;
}

/** Finds the order of a PaymentIntent; null if none has it. */
export async function findOrderByPayment(paymentId: string): Promise<OrderRecord | null> {
  const [found] = await selectOrders(Prisma.sql`WHERE o.payment_id = ${paymentId}`);
  return found ?? null;
}

/** The last row of a page. */
export type OrderPosition = Pick<OrderRecord, 'createdAt' | 'id'>;

/** The selection of the rows of a list. `agentId` and `approvedIn` replace the filter's `agent` and `month`. */
interface OrderSlice {
  agentId?: string | undefined;
  approvedIn?: TimeRange | undefined;
  before: OrderPosition | null;
  limit: number;
}

/** Returns the user's orders that match the filter, newest first. */
export function findOrders(
  userId: string,
  { contextId, taskId, state, from, to }: OrderFilter,
  { agentId, approvedIn, before, limit }: OrderSlice,
): Promise<OrderRecord[]> {
  const where = [
    Prisma.sql`o.user_id = ${userId}`,
    ...(contextId ? [Prisma.sql`o.context_id = ${contextId}::uuid`] : []),
    ...(taskId ? [Prisma.sql`o.task_id = ${taskId}::uuid`] : []),
    ...(agentId ? [Prisma.sql`o.agent_id = ${agentId}`] : []),
    ...(state ? [Prisma.sql`o.state = ANY(${statesOfFilter[state]})`] : []),
    ...inDays({ from, to }),
    ...(approvedIn ? [Prisma.sql`o.method IS NOT NULL AND ${approvedInSql(approvedIn)}`] : []),
    ...(before ? [Prisma.sql`(o.created_at, o.id) < (${before.createdAt}, ${before.id})`] : []),
  ];
  return selectOrders(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`,
  );
}

const taskOrderRow = row({ orderId: text(), taskId: uuid(), currency: text(), paid: float8(), isOpen: bool() });

/** An order of a task: the amount paid minus refunds, in minor units, and whether it can still be paid. */
type TaskOrder = RowOf<typeof taskOrderRow>;

/** Returns the user's orders in these tasks, oldest first. */
export function findOrdersOfTasks(userId: string, taskIds: string[]): Promise<TaskOrder[]> {
  return taskOrderRow.query(
    'orders-of-tasks',
    `SELECT id AS "orderId", task_id AS "taskId", currency, (captured - refunded)::float8 AS paid,
       state IN ('verified', 'awaiting_approval', 'payment_pending', 'action_required') AS "isOpen"
     FROM payment_order WHERE user_id = $1 AND task_id = ANY($2::uuid[]) ORDER BY created_at, id`,
    [userId, taskIds],
  );
}

/** Returns the conditions for a range of whole days (UTC), both inclusive. */
export function inDays({ from, to }: { from?: string; to?: string }): Prisma.Sql[] {
  return [
    ...(from ? [Prisma.sql`o.created_at >= ${new Date(from)}`] : []),
    ...(to ? [Prisma.sql`o.created_at < ${new Date(Date.parse(to) + DAY_MS)}`] : []),
  ];
}

/** Finds the orders of a context whose merchant has mandates, or is about to receive them, and has not responded. */
export function findAwaitingMerchant(where: {
  userId: string;
  agentId: string;
  contextId: string;
}): Promise<OrderRecord[]> {
  const { userId, agentId, contextId } = where;
  return selectOrders(
    Prisma.sql`WHERE o.user_id = ${userId} AND o.agent_id = ${agentId} AND o.context_id = ${contextId}::uuid
      AND o.state IN ('authorized', 'mandate_delivered') ORDER BY o.created_at`,
  );
}

/** Returns unconfirmed orders whose hold expires before `before`. */
export function findExpiringAuthorizations(before: Date, limit: number): Promise<OrderRecord[]> {
  return selectOrders(Prisma.sql`WHERE o.state IN ('authorized', 'mandate_delivered') AND o.capture_before <= ${before}
    ORDER BY o.capture_before LIMIT ${limit}`);
}

/** Replaces the buyer of orders with a pseudonym. Deletes carts and addresses, and the links to tasks and contexts. */
export async function anonymizeOrders(tx: Db, userId: string, pseudonym: string): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE payment_order SET user_id = ${pseudonym}, cart_text = '', checkout_jwt = NULL, checks = '[]',
        redirect_url = NULL, offer = jsonb_set(offer, '{address}', '[]'), task_id = gen_random_uuid(),
        context_id = gen_random_uuid(), credential_id = NULL, connection_id = NULL, root_task_id = NULL,
        standing_id = NULL
      WHERE user_id = ${userId}`,
  );
}

const orderAgentRow = row({ agentId: text() });

/** Returns the ids of the agents from which the user has orders, at most {@link MAX_ORDER_AGENTS}. */
export async function findOrderAgents(userId: string): Promise<string[]> {
  const rows = await orderAgentRow.query(
    'order-agents',
    `SELECT DISTINCT agent_id AS "agentId" FROM payment_order WHERE user_id = $1 LIMIT ${MAX_ORDER_AGENTS}`,
    [userId],
  );
  return rows.map(({ agentId }) => agentId);
}
