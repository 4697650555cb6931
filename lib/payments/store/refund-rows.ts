import type { Prisma } from '../../generated/prisma/client';
import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import type { RefundRecord } from '../record';

function toRefundRecord(row: Prisma.PaymentRefundGetPayload<object>): RefundRecord {
  return { ...row, amount: Number(row.amount), state: row.state as RefundRecord['state'] };
}

/** A refund of any order; for the outbox worker. */
export async function findRefund(id: string): Promise<RefundRecord | null> {
  const row = await db().paymentRefund.findUnique({ where: { id } });
  return row && toRefundRecord(row);
}

/** The refunds of orders, latest first. */
export async function findRefunds(orderIds: string[], tx: Db = db()): Promise<RefundRecord[]> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const rows = await tx.paymentRefund.findMany({ where: { orderId: { in: orderIds } }, orderBy });
  return rows.map(toRefundRecord);
}

/** Stores a new refund. False when its order has an open one; the transaction is then aborted. */
export async function createRefund(tx: Db, refund: Omit<RefundRecord, 'paymentId' | 'updatedAt'>): Promise<boolean> {
  try {
    await tx.paymentRefund.create({ data: { ...refund, updatedAt: refund.createdAt } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Moves a refund from the state in the given record; false when its state has changed. */
export async function moveRefund(
  tx: Db,
  { id, state: from }: RefundRecord,
  to: { state: RefundRecord['state']; at: Date; paymentId?: string | null; amount?: number },
): Promise<boolean> {
  const { state, at: updatedAt, paymentId, amount } = to;
  const data = { state, updatedAt, ...(paymentId !== undefined && { paymentId }), ...(amount && { amount }) };
  const { count } = await tx.paymentRefund.updateMany({ where: { id, state: from }, data });
  return count > 0;
}
