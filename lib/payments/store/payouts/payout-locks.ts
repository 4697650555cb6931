import { Prisma } from '../../../generated/prisma/client';
import { float8, row, text } from '../../../platform/db/rows';
import type { Tx } from '../../../platform/db/tx';
import { selectDue } from '../../../platform/runtime/activity';
import type { PayoutRail } from '../../schema-payouts';

const availableRow = row({ currency: text(), balance: float8() });

/** Locks the seller's available balances of at least `minimum` until the transaction ends, and returns them. */
export function lockAvailable(
  tx: Tx,
  { sellerId, test, minimum, currency }: { sellerId: string; test: boolean; minimum: number; currency?: string },
): Promise<{ currency: string; balance: number }[]> {
  const inCurrency = currency === undefined ? Prisma.empty : Prisma.sql`AND currency = ${currency}`;
  return availableRow.queryIn(
    tx,
    Prisma.sql`SELECT currency, balance::float8 AS balance FROM ledger_account
      WHERE kind = 'available' AND owner = ${sellerId} AND test = ${test} AND balance >= ${minimum} ${inCurrency}
      ORDER BY currency FOR UPDATE`,
  );
}

const idRow = row({ id: text() });

/** Locks the row of a seller account until the transaction ends. */
export async function lockSellerRow(tx: Tx, { userId, rail }: { userId: string; rail: PayoutRail }): Promise<void> {
  await idRow.queryIn(
    tx,
    Prisma.sql`SELECT id FROM seller_account WHERE user_id = ${userId} AND rail = ${rail} FOR UPDATE`,
  );
}

/** Locks at most `limit` accounts with due payouts, which no other node has locked, and returns their ids. */
export async function lockDueRows(
  tx: Tx,
  { rail, now, limit }: { rail: PayoutRail; now: Date; limit: number },
): Promise<string[]> {
  const rows = await idRow.queryIn(
    tx,
    Prisma.sql`SELECT id FROM seller_account WHERE next_at <= ${now} AND payouts_enabled AND rail = ${rail}
      ORDER BY next_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
  return rows.map(({ id }) => id);
}

/** Returns the time of the next scheduled payouts on a rail; null for none. */
export function nextScheduledAt(rail: PayoutRail): Promise<Date | null> {
  const statement = 'SELECT min(next_at) AS due FROM seller_account WHERE payouts_enabled AND rail = $1';
  return selectDue('payouts-next-scheduled', statement, [rail]);
}
