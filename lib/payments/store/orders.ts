import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db';
import type { OrderRecord } from '../record';

/** Amounts as numbers: none of them passes 2^53. */
const columns = Prisma.raw(`o.id, o.user_id AS "userId", o.agent_id AS "agentId", o.task_id AS "taskId",
  o.context_id AS "contextId", o.source_kind AS "sourceKind", o.source_id AS "sourceId", o.source_part AS "sourcePart",
  o.cart_text AS "cartText", o.cart_hash AS "cartHash", o.cart_id AS "cartId", o.issuer, o.jti, o.offer, o.checks,
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

/** The person's own order; foreign and unknown are alike null. */
export async function findOrder({ userId }: { userId: string }, id: string): Promise<OrderRecord | null> {
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id} AND o.user_id = ${userId}`);
  return found ?? null;
}

/** An order whoever's it is; for the engine. */
export async function findOrderById(id: string, tx: Db = db()): Promise<OrderRecord | null> {
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id}`, tx);
  return found ?? null;
}
