import type { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { publishAtCommit, type Tx } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import type { LedgerTransaction, PayoutRecord } from '../../record';
import type { PayoutCode, PayoutRail, PayoutState } from '../../schema-payouts';
import { postTransaction } from '../ledger';
import { setPayoutJob } from './payout-jobs';

function toRecord(payout: Prisma.PayoutGetPayload<object>): PayoutRecord {
  return {
    ...payout,
    amount: Number(payout.amount),
    rail: payout.rail as PayoutRail,
    cause: payout.cause as PayoutRecord['cause'],
    state: payout.state as PayoutState,
    code: payout.code as PayoutCode | null,
  };
}

/** Finds a payout of any seller; null if it is unknown. For the worker. */
export async function findPayout(id: string, tx: Db = db()): Promise<PayoutRecord | null> {
  const found = await tx.payout.findUnique({ where: { id } });
  return found && toRecord(found);
}

/** Finds the seller's own payout, otherwise null. */
export async function findPayoutOf(sellerId: string, id: string): Promise<PayoutRecord | null> {
  const found = await db().payout.findFirst({ where: { id, sellerId } });
  return found && toRecord(found);
}

/** Returns the seller's payouts before a position, newest first. */
export async function findPayouts(
  sellerId: string,
  { before, limit }: { before: { createdAt: Date; id: string } | null; limit: number },
): Promise<PayoutRecord[]> {
  const rows = await db().payout.findMany({
    where: {
      sellerId,
      ...(before && {
        OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(toRecord);
}

/** Returns the seller's available money and the money in transit, per currency. */
export async function findSellerBalances(
  owner: string,
  test: boolean,
): Promise<{ currency: string; available: number; transit: number }[]> {
  const rows = await db().ledgerAccount.findMany({
    where: { owner, test, kind: { in: ['available', 'transit'] } },
    orderBy: { currency: 'asc' },
  });
  const balanceOf = (currency: string, kind: string): number =>
    Number(rows.find((row) => row.currency === currency && row.kind === kind)?.balance ?? 0);
  return [...new Set(rows.map(({ currency }) => currency))].map((currency) => ({
    currency,
    available: balanceOf(currency, 'available'),
    transit: balanceOf(currency, 'transit'),
  }));
}

/** A change of a payout, which one event causes. */
export interface PayoutChange {
  to: PayoutState;
  set: Partial<
    Pick<
      PayoutRecord,
      | 'accountId'
      | 'transferId'
      | 'bankPayoutId'
      | 'reversalId'
      | 'attempt'
      | 'arrivesAt'
      | 'endedAt'
      | 'code'
      | 'reason'
    >
  >;
  /** The movement of the money, if any. */
  transaction: LedgerTransaction | null;
  /** The time of the next request; null for none. */
  dueAt: Date | null;
}

/** The members of a new payout. */
export type NewPayout = Pick<PayoutRecord, 'sellerId' | 'rail' | 'cause' | 'currency' | 'amount' | 'test'>;

/** Stores a payout that starts at `startsAt`. The caller moves its amount from available to transit. */
export async function createPayout(
  tx: Tx,
  payout: NewPayout,
  { at, startsAt }: { at: Date; startsAt: Date },
): Promise<PayoutRecord> {
  const data = { id: newId('pyo'), ...payout, state: 'created', createdAt: at, updatedAt: at };
  const record = toRecord(await tx.payout.create({ data }));
  await tx.payoutStep.create({ data: { payoutId: record.id, version: 0, state: 'created', at } });
  await setPayoutJob(tx, record.id, startsAt);
  await publishAtCommit(tx, 'payout', record.id);
  return record;
}

/**
 * Changes a payout, with its step record, its money and its next job, in the caller's transaction. Returns false and
 * writes nothing if its version has changed.
 */
export async function movePayout(
  tx: Tx,
  payout: PayoutRecord,
  { change, at }: { change: PayoutChange; at: Date },
): Promise<boolean> {
  const { id, version } = payout;
  const { to, set, transaction, dueAt } = change;
  const { count } = await tx.payout.updateMany({
    where: { id, state: payout.state, version },
    data: { ...set, state: to, version: version + 1, updatedAt: at },
  });
  if (count === 0) return false;
  const code = set.code ?? null;
  await tx.payoutStep.create({ data: { payoutId: id, version: version + 1, state: to, code, at } });
  if (transaction) await postTransaction(tx, transaction, at);
  await setPayoutJob(tx, id, dueAt);
  await publishAtCommit(tx, 'payout', id);
  return true;
}
