import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db';
import type { Position } from '../cursor';
import type { OrderRecord } from '../record';
import type { SalesFilter, SalesPage } from '../schema';
import { inDays, isOrderId, selectOrders } from './orders';

/** Orders `o` of the seller's agents whose money was held at least. */
function ofSeller(sellerId: string): Prisma.Sql {
  return Prisma.sql`o.authorized > 0 AND o.agent_id IN (SELECT a.id FROM agent a WHERE a.owner_id = ${sellerId})`;
}

/** A sale of one of the seller's own agents; foreign and unknown are alike null. */
export async function findSale({ sellerId }: { sellerId: string }, id: string): Promise<OrderRecord | null> {
  if (!isOrderId(id)) return null;
  const [found] = await selectOrders(Prisma.sql`WHERE o.id = ${id} AND ${ofSeller(sellerId)}`);
  return found ?? null;
}

function conditions(sellerId: string, filter: SalesFilter, agentId: string | undefined): Prisma.Sql[] {
  return [ofSeller(sellerId), ...(agentId ? [Prisma.sql`o.agent_id = ${agentId}`] : []), ...inDays(filter)];
}

/** The seller's sales, newest first. `agentId` stands for the filter's agent. */
export function findSales(
  sellerId: string,
  filter: SalesFilter,
  { agentId, before, limit }: { agentId?: string; before: Position | null; limit: number },
): Promise<OrderRecord[]> {
  const where = conditions(sellerId, filter, agentId);
  if (before) where.push(Prisma.sql`(o.created_at, o.id) < (${before.createdAt}, ${before.id})`);
  return selectOrders(
    Prisma.sql`WHERE ${Prisma.join(where, ' AND ')} ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`,
  );
}

/** What all sales of the filter add up to, for each currency; test money by itself. Only those that were paid count. */
export async function sumSales(sellerId: string, filter: SalesFilter, agentId?: string): Promise<SalesPage['sums']> {
  const where = [...conditions(sellerId, filter, agentId), Prisma.sql`o.captured > 0`];
  return db().$queryRaw<
    SalesPage['sums']
  >`SELECT currency, test, sum(captured)::float8 AS gross, sum(fee)::float8 AS fee,
      sum(refunded)::float8 AS refunded, sum(captured - fee - refunded)::float8 AS net, count(*)::int AS count
    FROM payment_order o WHERE ${Prisma.join(where, ' AND ')} GROUP BY currency, test ORDER BY test, currency`;
}

/** How many orders of an agent have had money held at least. */
export async function countSalesOf(agentId: string): Promise<number> {
  return db().paymentOrder.count({ where: { agentId, authorized: { gt: 0 } } });
}
