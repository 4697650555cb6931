import type { Prisma } from '../../generated/prisma/client';
import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import { inTransaction } from '../../platform/db/tx';
import type { WrittenMandate, WrittenMandates } from '../../protocol/ap2/write-mandates';
import type { JsonObject } from '../../protocol/json';
import type { RefundRecord } from '../record';
import type { OrderStepView, OrderView } from '../schema';
import { type ApprovalProof, approvalMethodOf } from './approvals';

/** Data of an order from other tables. */
export interface OrderDetails {
  approval: OrderView['approval'];
  receipts: OrderView['receipts'];
  refund: RefundRecord | null;
}

/** Returns the details of orders, keyed by order id. */
export async function findOrderDetails(orderIds: string[]): Promise<Map<string, OrderDetails>> {
  const where = { orderId: { in: orderIds } };
  const [approvals, receipts, refunds] = await Promise.all([
    db().paymentApproval.findMany({
      where: { ...where, usedAt: { not: null } },
      select: { orderId: true, method: true, credentialId: true, usedAt: true },
    }),
    db().paymentReceipt.findMany({
      where,
      select: { id: true, orderId: true, kind: true, createdAt: true },
      orderBy: { createdAt: 'asc' },
    }),
    findRefunds(orderIds),
  ]);
  return new Map(
    orderIds.map((orderId) => {
      const used = approvals.find((approval) => approval.orderId === orderId);
      const approval = used?.usedAt
        ? {
            at: used.usedAt.toISOString(),
            method: approvalMethodOf({ ...used, method: used.method as ApprovalProof['method'] }),
          }
        : null;
      const own = receipts.filter((receipt) => receipt.orderId === orderId);
      const receiptViews = own.map(({ id, kind, createdAt }) => ({
        id,
        kind: kind as OrderView['receipts'][number]['kind'],
        at: createdAt.toISOString(),
      }));
      return [
        orderId,
        { approval, receipts: receiptViews, refund: refunds.find((refund) => refund.orderId === orderId) ?? null },
      ];
    }),
  );
}

/** Returns the state changes of an order, oldest first. */
export async function findOrderSteps(orderId: string): Promise<OrderStepView[]> {
  const rows = await db().paymentOrderStep.findMany({ where: { orderId }, orderBy: { version: 'asc' } });
  return rows.map(({ state, code, at }) => ({ state: state as OrderStepView['state'], code, at: at.toISOString() }));
}

function toRefundRecord(row: Prisma.PaymentRefundGetPayload<object>): RefundRecord {
  return { ...row, amount: Number(row.amount), state: row.state as RefundRecord['state'] };
}

/** Finds a refund of any order; null if it is unknown. For the outbox worker. */
export async function findRefund(id: string, tx: Db = db()): Promise<RefundRecord | null> {
  const row = await tx.paymentRefund.findUnique({ where: { id } });
  return row && toRefundRecord(row);
}

/** Returns the refunds of orders, newest first. */
export async function findRefunds(orderIds: string[], tx: Db = db()): Promise<RefundRecord[]> {
  const orderBy = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];
  const rows = await tx.paymentRefund.findMany({ where: { orderId: { in: orderIds } }, orderBy });
  return rows.map(toRefundRecord);
}

/** Stores a new refund. Returns false if its order has an open refund, in which case the transaction is aborted. */
export async function createRefund(tx: Db, refund: Omit<RefundRecord, 'paymentId' | 'updatedAt'>): Promise<boolean> {
  try {
    await tx.paymentRefund.create({ data: { ...refund, updatedAt: refund.createdAt } });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Moves a refund from the state in the given record. Returns false if its state has changed. */
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

/** A stored signed mandate. */
export interface StoredMandate extends WrittenMandate {
  orderId: string;
  claimedAt: Date | null;
}

/** Returns the mandates of an order and the message data that contains them; null if there are none. */
export async function findMandates(orderId: string): Promise<{ data: JsonObject; mandates: StoredMandate[] } | null> {
  const rows = await db().paymentMandate.findMany({ where: { orderId }, orderBy: { kind: 'asc' } });
  const data = rows.find((row) => row.data !== null)?.data;
  if (!data) return null;
  return {
    data: data as JsonObject,
    mandates: rows.map((row) => ({ ...row, kind: row.kind as StoredMandate['kind'] })),
  };
}

/** Stores the signed mandates of an order, unless another node already has. */
export async function saveMandates(orderId: string, { data, mandates }: WrittenMandates, at: Date): Promise<void> {
  const content = JSON.parse(JSON.stringify(data));
  const rows = mandates.map((mandate) => ({
    ...mandate,
    orderId,
    createdAt: at,
    ...(mandate.kind !== 'checkout-0.2' && { data: content }),
  }));
  try {
    await inTransaction((tx) => tx.paymentMandate.createMany({ data: rows }));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}

/** Returns the order id of a mandate, by the hash of its token; null for an unknown token. */
export async function findOrderOfMandate(reference: string): Promise<string | null> {
  const row = await db().paymentMandate.findUnique({ where: { reference }, select: { orderId: true } });
  return row?.orderId ?? null;
}

/** Claims an order's mandates once. Returns false if they are already claimed or have expired. */
export async function acknowledgeMandates(tx: Db, orderId: string, at: Date): Promise<boolean> {
  const { count } = await tx.paymentMandate.updateMany({
    where: { orderId, claimedAt: null, expiresAt: { gt: at } },
    data: { claimedAt: at },
  });
  return count > 0;
}

/** A stored receipt. */
export interface StoredReceipt {
  id: string;
  orderId: string;
  /** The issuer of the receipt: the merchant for the order, or Parley for the payment (`parley`) or a refund. */
  kind: 'merchant' | 'parley' | 'refund';
  /** A JWT or a detached signature. */
  token: string;
  content: JsonObject;
  createdAt: Date;
}

/** Stores a receipt, once per id. */
export async function saveReceipt(receipt: StoredReceipt, tx: Db = db()): Promise<void> {
  const data = { ...receipt, content: JSON.parse(JSON.stringify(receipt.content)) };
  await tx.paymentReceipt.createMany({ data: [data], skipDuplicates: true });
}

/** Returns the receipts of an order, oldest first. */
export async function findReceipts(orderId: string): Promise<StoredReceipt[]> {
  const rows = await db().paymentReceipt.findMany({
    where: { orderId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject }));
}

/** Returns the receipt with this id, or null. */
export async function findReceipt(id: string): Promise<StoredReceipt | null> {
  const row = await db().paymentReceipt.findUnique({ where: { id } });
  return row && { ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject };
}
