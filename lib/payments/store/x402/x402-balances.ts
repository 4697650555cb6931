import { bool, int8, nullable, type RowOf, row, text, timestamptz } from '../../../platform/db/rows';

const owedRow = row({
  paymentId: text(),
  principal: text(),
  payer: text(),
  network: text(),
  currency: text(),
  test: bool(),
  amount: int8(),
  usableUntil: nullable(timestamptz()),
});

/** Money of a payer that no work captured. Until `usableUntil`, the payer can still use it for a message. */
export type OwedRefund = RowOf<typeof owedRow>;

/** Returns the money of payers that was paid and not captured, or was refunded by sellers, oldest payment first. */
export function findOwedRefunds(): Promise<OwedRefund[]> {
  return owedRow.query(
    'x402-owed',
    `SELECT p.id AS "paymentId", p.principal, p.payer, p.network, l.currency, l.test, l.balance AS amount,
       (SELECT max(a.expires_at) FROM price_approval a WHERE a.user_id = p.principal AND a.ended_at IS NULL) AS "usableUntil"
     FROM ledger_account l JOIN LATERAL (SELECT * FROM x402_payment x WHERE x.principal = l.owner AND x.state = 'settled'
       ORDER BY x.created_at DESC LIMIT 1) p ON true
     WHERE l.kind = 'wallet' AND l.owner LIKE 'pyr\\_%' AND l.balance > 0 ORDER BY p.created_at, p.id`,
  );
}

const sellerRow = row({ sellerId: text(), email: nullable(text()), currency: text(), test: bool(), amount: int8() });

/** What a seller can have paid out in an asset, minor units. */
export type OwedPayout = RowOf<typeof sellerRow>;

/** Returns what sellers can have paid out in assets, which no job pays. */
export function findOwedPayouts(assets: string[]): Promise<OwedPayout[]> {
  return sellerRow.query(
    'x402-payouts',
    `SELECT l.owner AS "sellerId", u.email, l.currency, l.test, l.balance AS amount
     FROM ledger_account l LEFT JOIN "user" u ON u.id = l.owner
     WHERE l.kind = 'available' AND l.currency = ANY($1) AND l.balance <> 0 ORDER BY l.currency, l.owner`,
    [assets],
  );
}

const unclearRow = row({
  id: text(),
  payer: text(),
  network: text(),
  currency: text(),
  test: bool(),
  amount: int8(),
  reason: nullable(text()),
  createdAt: timestamptz(),
});

/** A payment of which nobody knows whether it was taken. */
export type UnclearPayment = RowOf<typeof unclearRow>;

/** Returns the payments of which nobody knows whether they were taken, oldest first. */
export function findUnclearPayments(): Promise<UnclearPayment[]> {
  return unclearRow.query(
    'x402-unclear',
    `SELECT id, payer, network, currency, test, amount, reason, created_at AS "createdAt" FROM x402_payment
     WHERE state = 'unclear' ORDER BY created_at`,
  );
}
