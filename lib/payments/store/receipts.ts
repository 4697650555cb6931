import { type Db, db } from '../../platform/db';
import type { JsonObject } from '../../protocol/json';

/** A receipt as it is kept. */
export interface StoredReceipt {
  id: string;
  orderId: string;
  /** Of the merchant, who confirms the order, or of Parley, which confirms the payment or money given back. */
  kind: 'merchant' | 'parley' | 'refund';
  /** JWT, or detached signature. */
  token: string;
  content: JsonObject;
  createdAt: Date;
}

/** Keeps a receipt, once for its id. */
export async function saveReceipt(receipt: StoredReceipt, on: Db = db()): Promise<void> {
  const data = { ...receipt, content: JSON.parse(JSON.stringify(receipt.content)) };
  await on.paymentReceipt.createMany({ data: [data], skipDuplicates: true });
}

/** The receipts of an order, oldest first. */
export async function findReceipts(orderId: string): Promise<StoredReceipt[]> {
  const rows = await db().paymentReceipt.findMany({
    where: { orderId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map((row) => ({ ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject }));
}

/** The receipt with this id; null while there is none. */
export async function findReceipt(id: string): Promise<StoredReceipt | null> {
  const row = await db().paymentReceipt.findUnique({ where: { id } });
  return row && { ...row, kind: row.kind as StoredReceipt['kind'], content: row.content as JsonObject };
}
