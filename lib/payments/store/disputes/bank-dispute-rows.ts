import type { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { row, text } from '../../../platform/db/rows';
import { newId } from '../../../platform/ids';
import { selectDue } from '../../../platform/runtime/activity';

/** A stored dispute at a bank. Amounts are minor units. */
export interface BankDisputeRecord {
  id: string;
  stripeId: string;
  orderId: string | null;
  currency: string | null;
  amount: number | null;
  status: string | null;
  reason: string | null;
  evidenceDueAt: Date | null;
  evidenceSentAt: Date | null;
  debited: number;
  debitedFee: number;
  /** The part of `debited` that the order counts as refunded. */
  refunded: number;
  version: number;
  attempts: number;
  dueAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

function toRecord(found: Prisma.BankDisputeGetPayload<object>): BankDisputeRecord {
  const { amount, debited, debitedFee, refunded, ...same } = found;
  return {
    ...same,
    amount: amount === null ? null : Number(amount),
    debited: Number(debited),
    debitedFee: Number(debitedFee),
    refunded: Number(refunded),
  };
}

/** Makes the retrieval of a dispute due. Stores it if it is new. */
export async function enqueueBankDispute(tx: Db, stripeId: string, at: Date): Promise<void> {
  const times = { createdAt: at, updatedAt: at, dueAt: at };
  await tx.bankDispute.createMany({ data: { id: newId('bdp'), stripeId, ...times }, skipDuplicates: true });
  await tx.bankDispute.updateMany({ where: { stripeId }, data: { dueAt: at, attempts: 0 } });
}

const idRow = row({ id: text() });

/** Claims due retrievals for this node until `until`, when they are due again. */
export async function claimBankDisputes(now: Date, until: Date, limit: number): Promise<BankDisputeRecord[]> {
  const claimed = await idRow.query(
    'claim-bank-disputes',
    `UPDATE bank_dispute b SET due_at = $2, attempts = b.attempts + 1
     WHERE b.id IN (SELECT id FROM bank_dispute WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING b.id`,
    [now, until, limit],
  );
  const rows = await db().bankDispute.findMany({ where: { id: { in: claimed.map(({ id }) => id) } } });
  return rows.map(toRecord);
}

/** Changes a dispute of this version. Returns false if it has changed. */
export async function moveBankDispute(
  tx: Db,
  { id, version }: BankDisputeRecord,
  change: Partial<Omit<BankDisputeRecord, 'id' | 'stripeId' | 'version'>> & { updatedAt: Date },
): Promise<boolean> {
  const data = { ...change, version: { increment: 1 } };
  const { count } = await tx.bankDispute.updateMany({ where: { id, version }, data });
  return count > 0;
}

/** Sets the time of the next retrieval, unless an event has made it due earlier than the claim. */
export async function rescheduleBankDispute(id: string, claimedUntil: Date, dueAt: Date | null): Promise<void> {
  await db().bankDispute.updateMany({ where: { id, dueAt: claimedUntil }, data: { dueAt } });
}

/** Returns the time of the next retrieval of a dispute at a bank; null for none. */
export function nextBankDispute(): Promise<Date | null> {
  return selectDue('bank-disputes-next-due', 'SELECT min(due_at) AS due FROM bank_dispute');
}
