import type { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db';

/** Money that a person puts into their wallet; minor units. */
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

export async function createTopUp(topUp: TopUpRecord, tx: Db = db()): Promise<void> {
  await tx.walletTopUp.create({ data: { ...topUp, updatedAt: topUp.createdAt } });
}

/** A top-up whoever's it is; for the engine. */
export async function findTopUp(id: string): Promise<TopUpRecord | null> {
  const row = await db().walletTopUp.findUnique({ where: { id } });
  return row && toTopUpRecord(row);
}

/** Keeps the page where it is paid. */
export async function setTopUpSession(id: string, sessionId: string): Promise<void> {
  await db().walletTopUp.update({ where: { id }, data: { sessionId } });
}

/** Ends a top-up that was pending; false when it was not. */
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

/** The person's latest top-up that waits for them at the card processor. */
export async function findPendingTopUp(userId: string): Promise<string | null> {
  const found = await db().walletTopUp.findFirst({
    where: { userId, state: 'pending', sessionId: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  });
  return found?.id ?? null;
}
