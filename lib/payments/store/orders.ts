import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db';
import type { Position } from '../cursor';
import type { OrderRecord } from '../record';
import type { OrderFilter, OrderState } from '../schema';

/** Amounts as numbers: none of them passes 2^53. */
const columns = Prisma.raw(`o.id, o.user_id AS "userId", o.agent_id AS "agentId", o.task_id AS "taskId",
  o.context_id AS "contextId", o.source_kind AS "sourceKind", o.source_id AS "sourceId", o.source_part AS "sourcePart",
  o.cart_text AS "cartText", o.cart_hash AS "cartHash", o.cart_id AS "cartId", o.issuer, o.jti,
  o.checkout_jwt AS "checkoutJwt", o.offer, o.checks,
  o.amount::float8 AS amount, o.currency, o.expires_at AS "expiresAt", o.state, o.code, o.version, o.method, o.test,
  o.fee::float8 AS fee, o.authorized::float8 AS authorized, o.captured::float8 AS captured,
  o.refunded::float8 AS refunded, o.capture_before AS "captureBefore", o.session_id AS "sessionId",
  o.payment_id AS "paymentId", o.redirect_url AS "redirectUrl", o.attempt, o.merchant_order_id AS "merchantOrderId",
  o.created_at AS "createdAt", o.updated_at AS "updatedAt", (SELECT c.id FROM conversation c
    WHERE c.user_id = o.user_id AND c.context_id = o.context_id::text) AS "conversationId"`);

/** Orders `o` that SQL describes, as the domain sees them. `rest` goes on behind `FROM payment_order o`. */
export function selectOrders(rest: Prisma.Sql, tx: Db = db()): Promise<OrderRecord[]> {
  return tx.$queryRaw<OrderRecord[]>`SELECT ${columns} FROM payment_order o ${rest}`;
}

/** False for what was never given out as an id; some of it the database refuses to compare. */
export function isOrderId(id: string): boolean {
  return /^ord_[0-9a-z]{1,30}$/.test(id);
}

/** The person's own order; foreign and unknown are alike null. */
export async function findOrder({ userId }: { userId: string }, id: string): Promise<OrderRecord | null> {
  if (!isOrderId(id)) return null;
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id} AND o.user_id = ${userId}`);
  return found ?? null;
}

/** An order whoever's it is; for the engine. */
export async function findOrderById(id: string, tx: Db = db()): Promise<OrderRecord | null> {
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id}`, tx);
  return found ?? null;
}

const states: Record<NonNullable<OrderFilter['state']>, OrderState[]> = {
  open: [
    ...(['verified', 'awaiting_approval', 'approved', 'payment_pending', 'action_required', 'authorized'] as const),
    ...(['mandate_delivered', 'merchant_confirmed'] as const),
  ],
  paid: ['captured', 'partially_refunded'],
  refunded: ['partially_refunded', 'refunded'],
  ended: [
    ...(['rejected', 'superseded', 'expired', 'canceled', 'declined', 'merchant_rejected'] as const),
    'delivery_timeout',
  ],
};

/** The person's orders that the filter finds, newest first. `agentId` stands for the filter's agent. */
export function findOrders(
  userId: string,
  { contextId, taskId, state, from, to }: OrderFilter,
  { agentId, before, limit }: { agentId?: string; before: Position | null; limit: number },
): Promise<OrderRecord[]> {
  const where = [
    Prisma.sql`o.user_id = ${userId}`,
    ...(contextId ? [Prisma.sql`o.context_id = ${contextId}::uuid`] : []),
    ...(taskId ? [Prisma.sql`o.task_id = ${taskId}::uuid`] : []),
    ...(agentId ? [Prisma.sql`o.agent_id = ${agentId}`] : []),
    ...(state ? [Prisma.sql`o.state = ANY(${states[state]})`] : []),
    ...inDays({ from, to }),
    ...(before ? [Prisma.sql`(o.created_at, o.id) < (${before.createdAt}, ${before.id})`] : []),
  ];
  return selectOrders(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`,
  );
}

/** Conditions that keep orders of whole days (UTC), both included. */
export function inDays({ from, to }: { from?: string; to?: string }): Prisma.Sql[] {
  return [
    ...(from ? [Prisma.sql`o.created_at >= ${new Date(from)}`] : []),
    ...(to ? [Prisma.sql`o.created_at < ${new Date(Date.parse(to) + dayMs)}`] : []),
  ];
}

const dayMs = 86_400_000;

/** Orders of a context whose merchant has mandates, or is about to get them, and has not answered. */
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
