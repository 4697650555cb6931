import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../../../platform/db/db';
import { int4, int8, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';
import { execute, executeIn } from '../../../platform/db/sql';
import { newId } from '../../../platform/ids';
import { selectDue } from '../../../platform/runtime/activity';

const disputeRow = row({
  id: text(),
  stripeId: text(),
  evidenceSentAt: nullable(timestamptz()),
  debited: int8(),
  debitedFee: int8(),
  refunded: int8(),
  version: int4(),
  attempts: int4(),
});

/**
 * A stored dispute at a bank. `refunded` is the part of `debited` that the order counts as refunded, and `debitedFee` Parley's
 * fee in it. Amounts are minor units.
 */
export type BankDisputeRecord = RowOf<typeof disputeRow>;

/** Makes the retrieval of a dispute due. Stores it if it is new. */
export async function enqueueBankDispute(tx: Db, stripeId: string, at: Date): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO bank_dispute (id, stripe_id, created_at, updated_at, due_at)
      VALUES (${newId('bdp')}, ${stripeId}, ${at}, ${at}, ${at})
      ON CONFLICT (stripe_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0`,
  );
}

/** Claims due retrievals for this node until `until`, when they are due again. */
export function claimBankDisputes(now: Date, until: Date, limit: number): Promise<BankDisputeRecord[]> {
  return disputeRow.query(
    'claim-bank-disputes',
    `UPDATE bank_dispute b SET due_at = $2, attempts = b.attempts + 1
     WHERE b.id IN (SELECT id FROM bank_dispute WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING b.id, b.stripe_id AS "stripeId", b.evidence_sent_at AS "evidenceSentAt", b.debited,
       b.debited_fee AS "debitedFee", b.refunded, b.version, b.attempts`,
    [now, until, limit],
  );
}

/** What a retrieval changes. */
interface BankDisputeChange extends Pick<BankDisputeRecord, 'evidenceSentAt' | 'debited' | 'debitedFee' | 'refunded'> {
  orderId: string | null;
  currency: string;
  amount: number;
  status: string;
  reason: string;
  evidenceDueAt: Date | null;
  updatedAt: Date;
}

/** Changes a dispute of this version. Returns false if it has changed. */
export async function moveBankDispute(
  tx: Db,
  { id, version }: BankDisputeRecord,
  change: BankDisputeChange,
): Promise<boolean> {
  const { orderId, currency, amount, status, reason, evidenceDueAt, evidenceSentAt, updatedAt } = change;
  const changed = await executeIn(
    tx,
    Prisma.sql`UPDATE bank_dispute SET order_id = ${orderId}, currency = ${currency}, amount = ${BigInt(amount)},
        status = ${status}, reason = ${reason}, evidence_due_at = ${evidenceDueAt},
        evidence_sent_at = ${evidenceSentAt}, debited = ${BigInt(change.debited)},
        debited_fee = ${BigInt(change.debitedFee)}, refunded = ${BigInt(change.refunded)}, version = version + 1,
        updated_at = ${updatedAt}
      WHERE id = ${id} AND version = ${version}`,
  );
  return changed > 0;
}

/** Sets the time of the next retrieval, unless an event has made it due since the claim. */
export async function rescheduleBankDispute(id: string, claimedUntil: Date, dueAt: Date | null): Promise<void> {
  const statement = 'UPDATE bank_dispute SET due_at = $3 WHERE id = $1 AND due_at = $2';
  await execute('reschedule-bank-dispute', statement, [id, claimedUntil, dueAt]);
}

/** Returns the time of the next retrieval of a dispute at a bank; null for none. */
export function nextBankDispute(): Promise<Date | null> {
  return selectDue('bank-disputes-next-due', 'SELECT min(due_at) AS due FROM bank_dispute');
}
