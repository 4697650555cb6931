import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { float8, row, text, timestamptz } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import type { Tx } from '../../../platform/db/tx';
import type { ChargeRefundRecord } from '../../record';

const refundRow = row({
  id: text(),
  chargeId: text(),
  amount: float8(),
  fee: float8(),
  reason: text(),
  createdAt: timestamptz(),
});

/** Stores a refund, in the transaction that posts it. */
export async function insertChargeRefund(tx: Db, refund: ChargeRefundRecord): Promise<void> {
  const { id, chargeId, amount, fee, reason, createdAt } = refund;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO charge_refund (id, charge_id, amount, fee, reason, created_at)
      VALUES (${id}, ${chargeId}, ${BigInt(amount)}, ${BigInt(fee)}, ${reason}, ${createdAt})`,
  );
}

/** Returns the refunds of charges, oldest first. */
export function findChargeRefunds(chargeIds: string[]): Promise<ChargeRefundRecord[]> {
  if (chargeIds.length === 0) return Promise.resolve([]);
  return refundRow.queryIn(
    db(),
    Prisma.sql`SELECT id, charge_id AS "chargeId", amount::float8 AS amount, fee::float8 AS fee, reason,
        created_at AS "createdAt"
      FROM charge_refund WHERE charge_id = ANY(${chargeIds}) ORDER BY created_at, id`,
  );
}

/** Deletes the words about the refunds of a buyer's charges. */
export async function eraseRefundReasons(tx: Tx, userId: string): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE charge_refund r SET reason = '' FROM task_charge c WHERE c.id = r.charge_id AND c.user_id = ${userId}`,
  );
}
