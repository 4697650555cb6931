import type { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import type { Tx } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import { DEFAULT_PAYOUT_MINIMUM } from '../../limits';
import type { PayoutRail, Requirement, SellerDetails } from '../../schema-payouts';
import { lockDueRows, lockSellerRow } from './payout-locks';
import { nextPayoutAt, type ScheduleTerms } from './payout-schedule';

/** Where a seller's payouts go, on one rail, and when. */
export interface SellerAccount extends ScheduleTerms {
  id: string;
  userId: string;
  rail: PayoutRail;
  accountId: string | null;
  details: SellerDetails | null;
  detailsSubmitted: boolean;
  payoutsEnabled: boolean;
  requirements: Requirement[];
  /** Minor units of any currency. */
  minimum: number;
  nextAt: Date | null;
  version: number;
  checkedAt: Date | null;
}

function toAccount(found: Prisma.SellerAccountGetPayload<object>): SellerAccount {
  return {
    ...found,
    rail: found.rail as PayoutRail,
    details: found.details as SellerDetails | null,
    requirements: found.requirements as Requirement[],
    interval: found.interval as SellerAccount['interval'],
    minimum: Number(found.minimum),
  };
}

/** Returns the seller's account on a rail; null before the seller has set anything. */
export async function findSellerAccount(
  { userId, rail }: Pick<SellerAccount, 'userId' | 'rail'>,
  tx: Db = db(),
): Promise<SellerAccount | null> {
  const found = await tx.sellerAccount.findUnique({ where: { userId_rail: { userId, rail } } });
  return found && toAccount(found);
}

/** Returns any seller's account. For the worker. */
export async function findSellerAccountById(id: string): Promise<SellerAccount | null> {
  const found = await db().sellerAccount.findUnique({ where: { id } });
  return found && toAccount(found);
}

/** Returns the seller's account on a rail, locked until the transaction ends. The first call creates it. */
export async function lockSellerAccount(
  tx: Tx,
  { userId, rail }: Pick<SellerAccount, 'userId' | 'rail'>,
  at: Date,
): Promise<SellerAccount> {
  const schedule = { interval: 'weekly' as const, day: 1, leftAt: null };
  const data = {
    id: newId('sla'),
    userId,
    rail,
    minimum: DEFAULT_PAYOUT_MINIMUM,
    nextAt: nextPayoutAt(schedule, at),
    createdAt: at,
    updatedAt: at,
  };
  await tx.sellerAccount.createMany({ data, skipDuplicates: true });
  await lockSellerRow(tx, { userId, rail });
  const found = await findSellerAccount({ userId, rail }, tx);
  if (!found) throw new Error(`the account of ${userId} was deleted`);
  return found;
}

/** The columns of a seller account that change. */
export type SellerChange = Partial<
  Pick<
    SellerAccount,
    | 'accountId'
    | 'detailsSubmitted'
    | 'payoutsEnabled'
    | 'requirements'
    | 'interval'
    | 'day'
    | 'minimum'
    | 'nextAt'
    | 'leftAt'
    | 'checkedAt'
  > & { details: SellerDetails }
>;

/** Changes a seller account. */
export async function changeSellerAccount(
  tx: Db,
  id: string,
  { at, ...change }: SellerChange & { at: Date },
): Promise<void> {
  const data = { ...change, version: { increment: 1 }, updatedAt: at };
  await tx.sellerAccount.update({ where: { id }, data: data as Prisma.SellerAccountUpdateInput });
}

/** Locks at most `limit` accounts with due payouts, which no other node has locked, and returns them. */
export async function lockDueAccounts(
  tx: Tx,
  { rail, now, limit }: { rail: PayoutRail; now: Date; limit: number },
): Promise<SellerAccount[]> {
  const ids = await lockDueRows(tx, { rail, now, limit });
  const found = await tx.sellerAccount.findMany({
    where: { id: { in: ids } },
    orderBy: [{ nextAt: 'asc' }, { id: 'asc' }],
  });
  return found.map(toAccount);
}
