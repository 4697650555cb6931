import type { PricePlan } from '../../../catalog/schema-prices';
import type { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import type { Tx } from '../../../platform/db/tx';
import { MAX_LISTED_PRICE_APPROVALS } from '../../limits';

/** A user's approval of a price plan. Amounts are minor units. */
export interface PriceApprovalRecord {
  id: string;
  userId: string;
  agentId: string;
  planId: string;
  plan: PricePlan;
  currency: string;
  test: boolean;
  /** Held for each charge. */
  amount: number;
  total: number;
  held: number;
  spent: number;
  agentsMayUse: boolean;
  method: 'passkey' | 'session' | 'token';
  credentialId: string;
  connectionId: string | null;
  createdAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

function toRecord(row: Prisma.PriceApprovalGetPayload<object>): PriceApprovalRecord {
  return {
    ...row,
    plan: row.plan as PricePlan,
    method: row.method as PriceApprovalRecord['method'],
    amount: Number(row.amount),
    total: Number(row.total),
    held: Number(row.held),
    spent: Number(row.spent),
  };
}

/** Stores an approval, which replaces the open one for the same agent and currency. */
export async function replaceApproval(
  tx: Tx,
  approval: Omit<PriceApprovalRecord, 'held' | 'spent' | 'endedAt'>,
): Promise<void> {
  const { userId, agentId, currency, test, createdAt } = approval;
  await tx.priceApproval.updateMany({
    where: { userId, agentId, currency, test, endedAt: null },
    data: { endedAt: createdAt },
  });
  await tx.priceApproval.create({ data: approval });
}

/** Ends an approval of the user. Returns false if it is unknown or has ended. Holds continue to their settlement. */
export async function endApproval(
  tx: Db,
  { id, userId, at }: { id: string; userId: string; at: Date },
): Promise<boolean> {
  const { count } = await tx.priceApproval.updateMany({ where: { id, userId, endedAt: null }, data: { endedAt: at } });
  return count > 0;
}

/** Returns the user's approvals, newest first. */
export async function findApprovals(userId: string): Promise<PriceApprovalRecord[]> {
  const rows = await db().priceApproval.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_LISTED_PRICE_APPROVALS,
  });
  return rows.map(toRecord);
}

/** Returns the user's open approvals at an agent, newest first. */
export async function findOpenApprovalsAt(
  { userId, agentId, test }: Pick<PriceApprovalRecord, 'userId' | 'agentId' | 'test'>,
  tx: Db = db(),
): Promise<PriceApprovalRecord[]> {
  const where = { userId, agentId, test, endedAt: null };
  return (await tx.priceApproval.findMany({ where, orderBy: { createdAt: 'desc' } })).map(toRecord);
}
