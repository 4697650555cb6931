import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db/db';
import { bool, float8, int4, int8, type RowOf, row, text } from '../../platform/db/rows';
import { MAX_ORDER_AGENTS } from '../limits';
import type { OrderRecord } from '../record';
import type { SalesFilter, SalesPage } from '../schema';
import { inDays, isOrderId, type OrderPosition, selectOrders } from './orders';

/** Returns a condition for orders of the seller's agents whose payment was authorized. */
function ofSeller(sellerId: string): Prisma.Sql {
  return Prisma.sql`o.authorized > 0 AND o.agent_id IN (SELECT a.id FROM agent a WHERE a.owner_id = ${sellerId})`;
}

/** Finds a sale of one of the seller's own agents, otherwise null. */
export async function findSale({ sellerId }: { sellerId: string }, id: string): Promise<OrderRecord | null> {
  if (!isOrderId(id)) return null;
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id} AND ${ofSeller(sellerId)}`);
  return found ?? null;
}

function salesConditions(sellerId: string, filter: SalesFilter, agentId: string | undefined): Prisma.Sql[] {
  const { q } = filter;
  return [
    ofSeller(sellerId),
    ...(agentId ? [Prisma.sql`o.agent_id = ${agentId}`] : []),
    ...(q ? [Prisma.sql`(o.id = ${q} OR o.cart_id = ${q} OR o.merchant_order_id = ${q})`] : []),
    ...inDays(filter),
  ];
}

/** Returns the seller's sales that match the filter, newest first. `agentId` replaces the filter's `agent`. */
export function findSales(
  sellerId: string,
  filter: SalesFilter,
  { agentId, before, limit }: { agentId?: string; before: OrderPosition | null; limit: number },
): Promise<OrderRecord[]> {
  const where = salesConditions(sellerId, filter, agentId);
  if (before) where.push(Prisma.sql`(o.created_at, o.id) < (${before.createdAt}, ${before.id})`);
  return selectOrders(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`,
  );
}

const sumRow = row({
  currency: text(),
  test: bool(),
  gross: float8(),
  fee: float8(),
  refunded: float8(),
  net: float8(),
  count: int4(),
});

/** Returns the sums of the captured sales that match the filter, per currency and mode (test or live). */
export async function sumSales(sellerId: string, filter: SalesFilter, agentId?: string): Promise<SalesPage['sums']> {
  const where = [...salesConditions(sellerId, filter, agentId), Prisma.sql`o.captured > 0`];
  return sumRow.queryIn(
    db(),
    Prisma.sql`SELECT currency, test, sum(captured)::float8 AS gross, sum(fee)::float8 AS fee,
        sum(refunded)::float8 AS refunded, sum(captured - fee - refunded)::float8 AS net, count(*)::int AS count
      FROM payment_order o WHERE ${Prisma.join(where, ' AND ')} GROUP BY currency, test ORDER BY test, currency`,
  );
}

const slotRow = row({ slot: int4(), currency: text(), test: bool(), gross: float8(), count: int4() });

/** A period divided into slots of time. */
export interface SalesPeriod {
  from: Date;
  to: Date;
  slotMs: number;
}

/** Returns the seller's captured sales in a period, per slot, currency and mode (test or live). */
export async function sumSalesPerSlot(
  sellerId: string,
  { from, to, slotMs }: SalesPeriod,
  agentId?: string,
): Promise<RowOf<typeof slotRow>[]> {
  const where = [
    ...salesConditions(sellerId, {}, agentId),
    Prisma.sql`o.captured > 0 AND o.created_at >= ${from} AND o.created_at < ${to}`,
  ];
  return slotRow.queryIn(
    db(),
    Prisma.sql`SELECT floor(extract(epoch FROM o.created_at - ${from}) * 1000 / ${slotMs}::float8)::int AS slot,
        currency, test, sum(captured)::float8 AS gross, count(*)::int AS count
      FROM payment_order o WHERE ${Prisma.join(where, ' AND ')} GROUP BY 1, 2, 3 ORDER BY test, currency, 1`,
  );
}

const saleAgentRow = row({ agentId: text() });

/** Returns the ids of the seller's agents that have sales. */
export async function findSaleAgents(sellerId: string): Promise<string[]> {
  const rows = await saleAgentRow.queryIn(
    db(),
    Prisma.sql`SELECT DISTINCT o.agent_id AS "agentId" FROM payment_order o WHERE ${ofSeller(sellerId)} LIMIT ${MAX_ORDER_AGENTS}`,
  );
  return rows.map(({ agentId }) => agentId);
}

const countRow = row({ count: int8() });

/** Returns the number of an agent's orders whose payment was authorized. */
export async function countSalesOf(agentId: string): Promise<number> {
  const found = await countRow.queryFirst(
    'payments-count-sales',
    'SELECT count(*) AS count FROM payment_order WHERE agent_id = $1 AND authorized > 0',
    [agentId],
  );
  return found?.count ?? 0;
}
