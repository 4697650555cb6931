import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import { inTransaction } from '../../platform/db/tx';
import type { WrittenMandate, WrittenMandates } from '../../protocol/ap2/write-mandates';
import type { JsonObject } from '../../protocol/json';

/** A stored signed mandate. */
export interface StoredMandate extends WrittenMandate {
  orderId: string;
  claimedAt: Date | null;
}

/** The mandates of an order and the message data that contains them; null if there are none. */
export async function findMandates(orderId: string): Promise<{ data: JsonObject; mandates: StoredMandate[] } | null> {
  const rows = await db().paymentMandate.findMany({ where: { orderId }, orderBy: { kind: 'asc' } });
  const data = rows.find((row) => row.data !== null)?.data;
  if (!data) return null;
  return {
    data: data as JsonObject,
    mandates: rows.map((row) => ({ ...row, kind: row.kind as StoredMandate['kind'] })),
  };
}

/** Stores the signed mandates of an order, unless another node already did. */
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

/** The order id of a mandate, by the hash of its token; null for an unknown token. */
export async function findOrderOfMandate(reference: string): Promise<string | null> {
  const row = await db().paymentMandate.findUnique({ where: { reference }, select: { orderId: true } });
  return row?.orderId ?? null;
}

/** Claims an order's mandates once; false when they are claimed or expired. */
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
  /** The receipt of the merchant for the order, or of Parley for the payment (`parley`) or a refund. */
  kind: 'merchant' | 'parley' | 'refund';
  /** JWT, or detached signature. */
  token: string;
  content: JsonObject;
  createdAt: Date;
}

/** Stores a receipt, once per id. */
export async function saveReceipt(receipt: StoredReceipt, tx: Db = db()): Promise<void> {
  const data = { ...receipt, content: JSON.parse(JSON.stringify(receipt.content)) };
  await tx.paymentReceipt.createMany({ data: [data], skipDuplicates: true });
}

/** The receipts of an order, oldest first. */
export async function findReceipts(orderId: string): Promise<StoredReceipt[]> {
  const rows = await db().paymentReceipt.findMany({
    where: { orderId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject }));
}

/** The receipt with this id, or null. */
export async function findReceipt(id: string): Promise<StoredReceipt | null> {
  const row = await db().paymentReceipt.findUnique({ where: { id } });
  return row && { ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject };
}
