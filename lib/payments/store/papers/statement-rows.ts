import { bool, float8, int4, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';
import { openPayoutStates } from '../../schema-payouts';

/**
 * The seller's accounts, and the entries that are the seller's: all of the accounts of the seller, and of `merchant`
 * those of the seller's own sales, because an agent may have had several owners. The key of a transaction names its
 * sale or earning; one that names neither belongs to the agent's owner. $1 is the seller.
 */
const ownEntries = `accounts AS (
  SELECT a.id, a.kind, a.owner, a.currency, a.test, a.balance FROM ledger_account a
  WHERE (a.kind IN ('available', 'reserve', 'transit') AND a.owner = $1)
    OR (a.kind = 'merchant' AND a.owner IN (SELECT e.agent_id FROM earning e WHERE e.seller_id = $1
      UNION SELECT g.id FROM agent g WHERE g.owner_id = $1))
), own AS (
  SELECT n.transaction_id, a.kind AS account, a.currency, a.test, n.amount, t.kind, t.at
  FROM accounts a JOIN ledger_entry n ON n.account_id = a.id JOIN ledger_transaction t ON t.id = n.transaction_id
  WHERE a.kind <> 'merchant' OR $1 = coalesce(
    (SELECT e.seller_id FROM earning e WHERE e.id = split_part(t.key, ':', 2)),
    (SELECT e.seller_id FROM earning e
      WHERE e.sale_kind = split_part(t.key, ':', 1) AND e.sale_id = split_part(t.key, ':', 2)),
    (SELECT g.owner_id FROM agent g WHERE g.id = a.owner))
)`;

const movementRow = row({
  within: bool(),
  currency: text(),
  test: bool(),
  kind: text(),
  own: float8(),
  fees: float8(),
  tax: float8(),
  count: int4(),
});

/**
 * The sum of some ledger transactions of one kind that changed a seller's money, minor units: what the seller's accounts
 * got (pending, available, reserve and transit), and what the platform got as fee and tax. `within` is false for
 * transactions before the period.
 */
export type LedgerMovement = RowOf<typeof movementRow>;

/**
 * Returns the movements of the seller's money before the end of a period, by kind, currency and mode (test or live).
 * One statement, so that they are of one moment. What moves no money of the seller, such as a refund of nothing but the
 * fee, is left out.
 */
export function sumMovements(sellerId: string, { from, to }: { from: Date; to: Date }): Promise<LedgerMovement[]> {
  return movementRow.query(
    'statement-movements',
    `WITH ${ownEntries}, moved AS (
       SELECT o.transaction_id, o.currency, o.test, o.kind, o.at, sum(o.amount) AS amount FROM own o WHERE o.at < $3
       GROUP BY o.transaction_id, o.currency, o.test, o.kind, o.at)
     SELECT m.at >= $2 AS within, m.currency, m.test, m.kind, sum(m.amount)::float8 AS own,
       coalesce(sum(p.fees), 0)::float8 AS fees, coalesce(sum(p.tax), 0)::float8 AS tax, count(*)::int AS count
     FROM moved m LEFT JOIN LATERAL (
       SELECT sum(n.amount) FILTER (WHERE a.kind = 'fees') AS fees, sum(n.amount) FILTER (WHERE a.kind = 'tax') AS tax
       FROM ledger_entry n JOIN ledger_account a ON a.id = n.account_id
       WHERE n.transaction_id = m.transaction_id AND a.kind IN ('fees', 'tax')) p ON m.kind IN ('capture', 'refund', 'refund-returned')
     GROUP BY 1, 2, 3, 4`,
    [sellerId, from, to],
  );
}

const differenceRow = row({ what: text(), currency: text(), test: bool(), expected: float8(), found: float8() });

/** Two amounts that should be equal, minor units. */
export interface LedgerDifference {
  what: string;
  currency: string;
  test: boolean;
  expected: number;
  found: number;
}

/**
 * Compares the seller's ledger with what it is about, to the minor unit, now: each balance with its entries, each
 * transaction with zero, pending money with the earnings that are not released, money in transit with the open payouts,
 * and what was paid with the paid payouts. Returns the differences. One statement, so that all of it is of one moment.
 */
export function findDifferences(sellerId: string): Promise<LedgerDifference[]> {
  return differenceRow.query(
    'statement-differences',
    `WITH ${ownEntries}, compared AS (
       SELECT 'balance of ' || a.kind || ' ' || a.id AS what, a.currency, a.test, a.balance::numeric AS expected,
         (SELECT coalesce(sum(n.amount), 0) FROM ledger_entry n WHERE n.account_id = a.id) AS found
       FROM accounts a
       UNION ALL
       SELECT 'transaction ' || o.transaction_id, o.currency, o.test, 0,
         (SELECT sum(n.amount) FROM ledger_entry n WHERE n.transaction_id = o.transaction_id)
       FROM (SELECT DISTINCT transaction_id, currency, test FROM own) o
       UNION ALL
       SELECT 'pending', w.currency, w.test,
         (SELECT coalesce(sum(e.gross - e.fee - e.tax - e.refunded + e.fee_refunded), 0) FROM earning e
           WHERE e.seller_id = $1 AND e.released_at IS NULL AND e.currency = w.currency AND e.test = w.test),
         (SELECT coalesce(sum(o.amount), 0) FROM own o
           WHERE o.account = 'merchant' AND o.currency = w.currency AND o.test = w.test)
       FROM (SELECT DISTINCT currency, test FROM accounts) w
       UNION ALL
       SELECT 'in transit', w.currency, w.test,
         (SELECT coalesce(sum(p.amount), 0) FROM payout p WHERE p.seller_id = $1 AND p.state = ANY($2)
           AND p.currency = w.currency AND p.test = w.test),
         (SELECT coalesce(sum(o.amount), 0) FROM own o
           WHERE o.account = 'transit' AND o.currency = w.currency AND o.test = w.test)
       FROM (SELECT DISTINCT currency, test FROM accounts) w
       UNION ALL
       SELECT 'paid out', w.currency, w.test,
         (SELECT coalesce(sum(p.amount), 0) FROM payout p WHERE p.seller_id = $1 AND p.state = 'paid'
           AND p.currency = w.currency AND p.test = w.test),
         (SELECT coalesce(-sum(o.amount), 0) FROM own o WHERE o.kind IN ('payout-paid', 'payout-unpaid')
           AND o.currency = w.currency AND o.test = w.test)
       FROM (SELECT DISTINCT currency, test FROM accounts) w)
     SELECT what, currency, test, expected::float8 AS expected, found::float8 AS found FROM compared
     WHERE expected <> found ORDER BY what LIMIT 20`,
    [sellerId, openPayoutStates],
  );
}

const firstRow = row({ at: nullable(timestamptz()) });

/** Returns the time of the seller's first sale; null without one. */
export async function findFirstSale(sellerId: string): Promise<Date | null> {
  const statement = 'SELECT min(captured_at) AS at FROM earning WHERE seller_id = $1';
  return (await firstRow.queryFirst('statement-first-sale', statement, [sellerId]))?.at ?? null;
}
