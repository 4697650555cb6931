import type { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';

/** A payment into a user's wallet; minor units. */
export interface TopUpRecord {
  id: string;
  userId: string;
  amount: number;
  currency: string;
  test: boolean;
  state: 'pending' | 'paid' | 'expired';
  sessionId: string | null;
  createdAt: Date;
}

function toTopUpRecord(row: Prisma.WalletTopUpGetPayload<object>): TopUpRecord {
  return { ...row, amount: Number(row.amount), state: row.state as TopUpRecord['state'] };
}

/** Stores a new top-up. */
export async function createTopUp(topUp: TopUpRecord, tx: Db = db()): Promise<void> {
  await tx.walletTopUp.create({ data: { ...topUp, updatedAt: topUp.createdAt } });
}

/** A top-up of any user; for the outbox worker. */
export async function findTopUp(id: string): Promise<TopUpRecord | null> {
  const row = await db().walletTopUp.findUnique({ where: { id } });
  return row && toTopUpRecord(row);
}

/** Stores the Checkout Session of a top-up. */
export async function setTopUpSession(id: string, sessionId: string): Promise<void> {
  await db().walletTopUp.update({ where: { id }, data: { sessionId } });
}

/** Ends a pending top-up; false when it is not pending. */
export async function endTopUp(
  tx: Db,
  id: string,
  { state, at }: { state: 'paid' | 'expired'; at: Date },
): Promise<boolean> {
  const { count } = await tx.walletTopUp.updateMany({
    where: { id, state: 'pending' },
    data: { state, updatedAt: at },
  });
  return count > 0;
}

/** The user's latest top-up with a pending Checkout Session. */
export async function findPendingTopUp(userId: string): Promise<string | null> {
  const found = await db().walletTopUp.findFirst({
    where: { userId, state: 'pending', sessionId: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  });
  return found?.id ?? null;
}

/** Expires top-ups whose Checkout Session was never created. */
export async function cancelAbandonedTopUps(before: Date, now: Date): Promise<void> {
  await db().walletTopUp.updateMany({
    where: { state: 'pending', sessionId: null, createdAt: { lt: before } },
    data: { state: 'expired', updatedAt: now },
  });
}
