import { Prisma } from '../../../generated/prisma/client';
import { type Db, db } from '../../../platform/db/db';
import {
  bool,
  float8,
  int4,
  json,
  nullable,
  type RowOf,
  row,
  text,
  textArray,
  timestamptz,
} from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import { selectDue } from '../../../platform/runtime/activity';
import type { AcceptanceTerms } from '../../../protocol/ap2/schema-offer';
import type { EarningRecord } from '../../record';
import { paidStates } from '../../schema-states';
import { selectEarnings } from './earning-rows';

/** The condition of earnings `e` whose hold ends by itself. */
const endsByItself = Prisma.sql`e.released_at IS NULL AND e.hold IN ('refund_window', 'new_seller', 'acceptance')`;

/** Returns earnings whose hold has ended, and locks them. Leaves out those that another node has locked. */
export function lockDueEarnings(tx: Db, now: Date, limit: number): Promise<EarningRecord[]> {
  return selectEarnings(
    Prisma.sql`WHERE ${endsByItself} AND e.available_at <= ${now} ORDER BY e.available_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED`,
    tx,
  );
}

/** Marks earnings as available. */
export async function markReleased(tx: Db, ids: string[], at: Date): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE earning SET released_at = ${at} WHERE id = ANY(${ids})`);
}

/** Returns the time at which the next earning is due; null without one. */
export function nextEarningDue(): Promise<Date | null> {
  return selectDue(
    'earnings-next-due',
    `SELECT min(available_at) AS due FROM earning
     WHERE released_at IS NULL AND hold IN ('refund_window', 'new_seller', 'acceptance')`,
  );
}

const pageRow = row({ count: int4(), lastAt: nullable(timestamptz()), orderIds: nullable(textArray()) });

/** Some sold orders in the order of their last change, and which of them have no earning, or another one. */
export interface SoldOrders {
  count: number;
  lastAt: Date | null;
  /** The orders that have no earning, or whose refunds differ from those of their earning. */
  orderIds: string[];
}

/** Compares sold orders that changed at this time or later with their earnings. */
export async function compareSoldOrders(since: Date, limit: number): Promise<SoldOrders> {
  const [page] = await pageRow.queryIn(
    db(),
    Prisma.sql`SELECT count(*)::int AS count, max(o.updated_at) AS "lastAt", array_agg(o.id) FILTER (WHERE e.id IS NULL
        OR e.refunded <> o.refunded OR e.fee - e.fee_refunded <> o.fee) AS "orderIds"
      FROM (SELECT p.* FROM unnest(${paidStates}::text[]) AS s(state) CROSS JOIN LATERAL (
          SELECT id, updated_at, refunded, fee FROM payment_order
          WHERE state = s.state AND updated_at >= ${since} ORDER BY updated_at LIMIT ${limit}) p
        ORDER BY p.updated_at LIMIT ${limit}) o
      LEFT JOIN earning e ON e.sale_kind = 'order' AND e.sale_id = o.id`,
  );
  return { count: page?.count ?? 0, lastAt: page?.lastAt ?? null, orderIds: page?.orderIds ?? [] };
}

const soldRow = row({
  saleId: text(),
  agentId: text(),
  currency: text(),
  test: bool(),
  version: int4(),
  gross: float8(),
  fee: float8(),
  refunded: float8(),
  feeLeft: float8(),
  capturedAt: timestamptz(),
  buyerId: text(),
  terms: nullable(json<AcceptanceTerms>()),
});

/** The sale of an order. `feeLeft` is the fee after refunds. */
export type SoldOrder = RowOf<typeof soldRow>;

/** Returns the sales of orders, and locks the orders. Leaves out those that are locked. */
export function lockSoldOrders(tx: Db, ids: string[]): Promise<SoldOrder[]> {
  return soldRow.queryIn(
    tx,
    Prisma.sql`SELECT o.id AS "saleId", o.agent_id AS "agentId", o.currency, o.test, o.version,
        o.captured::float8 AS gross, o.refunded::float8 AS refunded, o.fee::float8 AS "feeLeft",
        greatest(o.fee, (SELECT n.amount FROM ledger_transaction t JOIN ledger_entry n ON n.transaction_id = t.id
          JOIN ledger_account a ON a.id = n.account_id AND a.kind = 'fees'
          WHERE t.key = 'order:' || o.id || ':capture'))::float8 AS fee,
        coalesce((SELECT min(s.at) FROM payment_order_step s WHERE s.order_id = o.id AND s.state = 'captured'),
          o.updated_at) AS "capturedAt", o.user_id AS "buyerId", o.offer -> 'acceptance' AS terms
      FROM payment_order o WHERE o.id = ANY(${ids}) AND o.state = ANY(${paidStates}) ORDER BY o.id
      FOR NO KEY UPDATE OF o SKIP LOCKED`,
  );
}
