import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { DEFAULT_PAGE_SIZE } from '../limits';
import type { OrderRecord, RefundRecord } from '../record';
import type { SalesFilter, SalesPage, SaleView } from '../schema-sales';
import { findRefunds } from '../store/refund-rows';
import {
  countSalesOf,
  findSaleAgents,
  findSales,
  type SalesPeriod,
  sumSales,
  sumSalesPerSlot,
} from '../store/sale-rows';
import { agentIdOfFilter, orderCursor, readPages } from './order-pages';
import { toAgentName, toAgentNames, toRefundView } from './order-view';

/**
 * The sales of the user's agents, newest first, with their sums. Buyers stay anonymous.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listSales({ ctx, input }: { ctx: Ctx; input: SalesFilter }): Promise<SalesPage> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const { agent, cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const agentId = await agentIdOfFilter(agent);
  const before = cursor ? orderCursor.decode(cursor) : null;
  const found = await findSales(userId, input, { agentId, before, limit: limit + 1 });
  const { rows, nextCursor } = orderCursor.pageOf(found, limit);
  return { items: await toSaleViews(rows), sums: await sumSales(userId, input, agentId), nextCursor };
}

/**
 * The user's agents that have sales, by name.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSaleAgents({ ctx }: { ctx: Ctx }): Promise<SaleView['agent'][]> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return toAgentNames(await findSaleAgents(userId));
}

/**
 * All sales that match the filter.
 * @throws {ParleyError} as {@link listSales}
 */
export function readSales({ ctx, input }: { ctx: Ctx; input: SalesFilter }): AsyncGenerator<SaleView> {
  return readPages((page) => listSales({ ctx, input: { ...input, ...page } }));
}

/**
 * The captured sales of the user's agents, or of one of them, in a period, per slot of time, currency and mode.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function sumSalesBySlot({
  ctx,
  input: { agent, ...period },
}: {
  ctx: Ctx;
  input: SalesPeriod & { agent?: string | undefined };
}): ReturnType<typeof sumSalesPerSlot> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  return sumSalesPerSlot(userId, period, await agentIdOfFilter(agent));
}

/** True when a payment to the agent was ever authorized. */
export async function hasSold(agentId: string): Promise<boolean> {
  return (await countSalesOf(agentId)) > 0;
}

/** The seller's view of a sale. */
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
