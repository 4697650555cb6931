import { Prisma } from '../../../generated/prisma/client';
import { db } from '../../../platform/db/db';
import { bool, float8, int4, row, text, timestamptz } from '../../../platform/db/rows';
import { DAY_MS } from '../../../platform/time';
import { MAX_INCOME_HOLDS, MAX_ORDER_AGENTS } from '../../limits';
import type { EarningRecord } from '../../record';
import type { EarningFilter, HoldReason } from '../../schema-income';
import { selectEarnings } from './earning-rows';

const balanceRow = row({ currency: text(), test: bool(), available: float8(), transit: float8() });

/** A seller's accounts in one currency, minor units. */
export type SellerBalance = { currency: string; test: boolean; available: number; transit: number };

/** Returns the seller's accounts, per currency and mode (test or live). */
export function findSellerBalances(sellerId: string): Promise<SellerBalance[]> {
  return balanceRow.query(
    'seller-balances',
    `SELECT currency, test, coalesce(sum(balance) FILTER (WHERE kind = 'available'), 0)::float8 AS available,
       coalesce(sum(balance) FILTER (WHERE kind = 'transit'), 0)::float8 AS transit
     FROM ledger_account WHERE kind IN ('available', 'transit') AND owner = $1 GROUP BY currency, test`,
    [sellerId],
  );
}

const holdRow = row({
  currency: text(),
  test: bool(),
  reason: text<HoldReason>(),
  amount: float8(),
  sales: int4(),
  endsAt: timestamptz(),
});

/** A seller's money that is not available yet: for one reason, until one day (UTC). */
export interface SellerHold {
  currency: string;
  test: boolean;
  reason: HoldReason;
  amount: number;
  sales: number;
  /** The end of the last of these holds. */
  endsAt: Date;
}

/** Returns the seller's money that is pending or in reserve, by reason and day, the next end first. */
export function sumSellerHolds(sellerId: string): Promise<SellerHold[]> {
  return holdRow.query(
    'seller-holds',
    `SELECT currency, test, hold AS reason, sum(CASE WHEN released_at IS NULL
         THEN gross - fee - tax - refunded + fee_refunded ELSE reserved END)::float8 AS amount,
       count(*)::int AS sales, max(available_at) AS "endsAt"
     FROM earning WHERE seller_id = $1 AND (released_at IS NULL AND refunded < gross OR reserved > 0)
     GROUP BY currency, test, hold, date_trunc('day', available_at, 'UTC') ORDER BY "endsAt", currency
     LIMIT ${MAX_INCOME_HOLDS}`,
    [sellerId],
  );
}

/** The last row of a page. */
type EarningPosition = Pick<EarningRecord, 'capturedAt' | 'id'>;

/** Returns the seller's earnings that match the filter, newest first. `agentId` replaces the filter's `agent`. */
export function findEarnings(
  sellerId: string,
  { from, to }: EarningFilter,
  { agentId, before, limit }: { agentId?: string | undefined; before: EarningPosition | null; limit: number },
): Promise<EarningRecord[]> {
  const where = [
    Prisma.sql`e.seller_id = ${sellerId}`,
    ...(agentId ? [Prisma.sql`e.agent_id = ${agentId}`] : []),
    ...(from ? [Prisma.sql`e.captured_at >= ${new Date(from)}`] : []),
    ...(to ? [Prisma.sql`e.captured_at < ${new Date(Date.parse(to) + DAY_MS)}`] : []),
    ...(before ? [Prisma.sql`(e.captured_at, e.id) < (${before.capturedAt}, ${before.id})`] : []),
  ];
  return selectEarnings(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY e.captured_at DESC, e.id DESC LIMIT ${limit}`,
  );
}

const agentRow = row({ agentId: text() });

/** Returns the ids of the agents with which the seller earned something. */
export async function findEarningAgents(sellerId: string): Promise<string[]> {
  const rows = await agentRow.queryIn(
    db(),
    Prisma.sql`SELECT DISTINCT agent_id AS "agentId" FROM earning WHERE seller_id = ${sellerId} LIMIT ${MAX_ORDER_AGENTS}`,
  );
  return rows.map(({ agentId }) => agentId);
}
