import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { readPages } from '../../platform/db/cursor';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../limits';
import type { OrderRecord, RefundRecord } from '../record';
import type { SalesFilter, SalesPage, SaleView } from '../schema';
import { agentIdOfFilter, toAgentName, toAgentNames } from '../sellers/agent-names';
import { findRefunds } from '../store/order-details';
import {
  countSalesOf,
  findSaleAgents,
  findSales,
  type SalesPeriod,
  sumSales,
  sumSalesPerSlot,
} from '../store/sale-rows';
import { orderCursor, toRefundView } from './read-orders';

/**
 * Lists the sales of the user's agents, newest first, with their sums. Buyers stay anonymous.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listSales({ ctx, input }: Call<SalesFilter>): Promise<SalesPage> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const { agent, cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const agentId = await agentIdOfFilter(agent);
  const before = cursor ? orderCursor.decode(cursor) : null;
  const found = await findSales(userId, input, { agentId, before, limit: limit + 1 });
  const { rows, nextCursor } = orderCursor.pageOf(found, limit);
  return { items: await toSaleViews(rows), sums: await sumSales(userId, input, agentId), nextCursor };
}

/**
 * Lists the user's agents that have sales, by name.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSaleAgents({ ctx }: { ctx: Ctx }): Promise<SaleView['agent'][]> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return toAgentNames(await findSaleAgents(userId));
}

/**
 * Streams all sales that match the filter.
 * @throws {ParleyError} as {@link listSales}
 */
export function readSales({ ctx, input }: Call<SalesFilter>): AsyncGenerator<SaleView> {
  return readPages((page) => listSales({ ctx, input: { ...input, ...page } }), MAX_PAGE_SIZE);
}

/**
 * Returns the captured sales of the user's agents, or of one agent, in a period, by time slot, currency and mode.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function sumSalesBySlot({
  ctx,
  input: { agent, ...period },
}: Call<SalesPeriod & { agent?: string | undefined }>): ReturnType<typeof sumSalesPerSlot> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return sumSalesPerSlot(userId, period, await agentIdOfFilter(agent));
}

/** Returns true if a payment to the agent was ever authorized. */
export async function hasSold(agentId: string): Promise<boolean> {
  return (await countSalesOf(agentId)) > 0;
}

/** Returns the seller's view of a sale. */
export async function toSaleView(order: OrderRecord): Promise<SaleView> {
  const [refund] = await findRefunds([order.id]);
  return toView(order, refund);
}

async function toSaleViews(orders: OrderRecord[]): Promise<SaleView[]> {
  const refunds = await findRefunds(orders.map(({ id }) => id));
  return Promise.all(
    orders.map((order) =>
      toView(
        order,
        refunds.find(({ orderId }) => orderId === order.id),
      ),
    ),
  );
}

async function toView(order: OrderRecord, refund: RefundRecord | undefined): Promise<SaleView> {
  const { id, state, code, currency, test, captured: gross, refunded, cartId, merchantOrderId, createdAt } = order;
  const fee = gross > 0 ? order.fee : 0;
  return {
    id,
    agent: await toAgentName(order.agentId),
    state,
    code,
    currency,
    test,
    gross,
    fee,
    refunded,
    net: gross - fee - refunded,
    cartId,
    merchantOrderId,
    refund: refund ? toRefundView(refund) : null,
    createdAt: createdAt.toISOString(),
  };
}
