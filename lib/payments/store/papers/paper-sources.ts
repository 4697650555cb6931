import type { PricePlan } from '../../../catalog/schema-prices';
import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import { bool, float8, json, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import type { EarningRecord, OrderRecord, SaleKind } from '../../record';
import { selectEarnings } from '../earnings/earning-rows';

const sourceRow = row({
  transactionId: text(),
  kind: text<'capture' | 'refund' | 'refund-returned'>(),
  at: timestamptz(),
  amount: float8(),
  earningId: text(),
  saleKind: text<SaleKind>(),
  saleId: text(),
  sellerId: text(),
  agentId: text(),
  currency: text(),
  test: bool(),
  capturedAt: timestamptz(),
  buyerId: nullable(text()),
  offer: nullable(json<NonNullable<OrderRecord['offer']>>()),
  plan: nullable(json<PricePlan>()),
  units: nullable(float8()),
});

/**
 * A movement of a sale in the ledger that has no paper yet. `amount` is what the buyer paid or got back, minor units:
 * the sum of what the seller and the platform got or gave.
 */
export type PaperSource = RowOf<typeof sourceRow>;

/** A position in the ledger. */
export interface LedgerPosition {
  at: Date;
  id: string;
}

/**
 * Returns movements of sales after a position that have no paper, in the order of the ledger. The key of a movement
 * begins with its sale: `order:<id>:` or `charge:<id>:`. Sales without an earning are left out, until one is added.
 */
export function findPaperSources(after: LedgerPosition, limit: number): Promise<PaperSource[]> {
  return sourceRow.queryIn(
    db(),
    Prisma.sql`SELECT t.id AS "transactionId", t.kind, t.at, abs((SELECT sum(n.amount) FROM ledger_entry n
          JOIN ledger_account a ON a.id = n.account_id WHERE n.transaction_id = t.id
          AND a.kind IN ('merchant', 'available', 'reserve', 'fees', 'processor', 'tax')))::float8 AS amount,
        e.id AS "earningId", e.sale_kind AS "saleKind", e.sale_id AS "saleId", e.seller_id AS "sellerId",
        e.agent_id AS "agentId", e.currency, e.test, e.captured_at AS "capturedAt",
        coalesce(o.user_id, c.user_id) AS "buyerId", o.offer, c.plan, c.units::float8 AS units
      FROM ledger_transaction t
      JOIN earning e ON e.sale_kind = split_part(t.key, ':', 1) AND e.sale_id = split_part(t.key, ':', 2)
      LEFT JOIN payment_order o ON e.sale_kind = 'order' AND o.id = e.sale_id
      LEFT JOIN task_charge c ON e.sale_kind = 'charge' AND c.id = e.sale_id
      WHERE t.kind IN ('capture', 'refund', 'refund-returned') AND (t.at, t.id) > (${after.at}, ${after.id})
        AND NOT EXISTS (SELECT FROM paper p WHERE p.transaction_id = t.id)
      ORDER BY t.at, t.id LIMIT ${limit}`,
  );
}

/** Returns earnings, and locks them in the order of their ids, so that two nodes cannot deadlock. */
export function lockEarnings(tx: Db, ids: string[]): Promise<EarningRecord[]> {
  return selectEarnings(Prisma.sql`WHERE e.id = ANY(${ids}) ORDER BY e.id FOR UPDATE`, tx);
}

/** Sets the tax that was kept of a sale and not returned, minor units. */
export async function setEarningTax(tx: Db, { id, tax }: Pick<EarningRecord, 'id' | 'tax'>): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE earning SET tax = ${BigInt(tax)} WHERE id = ${id}`);
}
