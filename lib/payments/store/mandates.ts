import { type Db, db, isUniqueViolation } from '../../platform/db';
import { inTransaction } from '../../platform/tx';
import type { WrittenMandate, WrittenMandates } from '../../protocol/ap2/write-mandates';
import type { JsonObject } from '../../protocol/json';

/** A signed mandate as it is kept. */
export interface StoredMandate extends WrittenMandate {
  orderId: string;
  claimedAt: Date | null;
}

/** The mandates of an order and the data in which they are sent; null while there are none. */
export async function findMandates(orderId: string): Promise<{ data: JsonObject; mandates: StoredMandate[] } | null> {
  const rows = await db().paymentMandate.findMany({ where: { orderId }, orderBy: { kind: 'asc' } });
  const data = rows.find((row) => row.data !== null)?.data;
  if (!data) return null;
  return {
    data: data as JsonObject,
    mandates: rows.map((row) => ({ ...row, kind: row.kind as StoredMandate['kind'] })),
  };
}

/** Keeps what was signed for an order, unless another node was first. */
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

/** The order that a mandate belongs to, by the hash of the whole token; null for what was never signed. */
export async function findOrderOfMandate(reference: string): Promise<string | null> {
  const row = await db().paymentMandate.findUnique({ where: { reference }, select: { orderId: true } });
  return row?.orderId ?? null;
}

/** Claims an order's mandates, once; false when they were claimed before, or their time is over. */
export async function acknowledgeMandates(tx: Db, orderId: string, at: Date): Promise<boolean> {
  const { count } = await tx.paymentMandate.updateMany({
    where: { orderId, claimedAt: null, expiresAt: { gt: at } },
    data: { claimedAt: at },
  });
  return count > 0;
}
