import { authorize } from '../../identity';
import { publish } from '../../platform/bus';
import type { Call, Ctx } from '../../platform/context';
import { readPages } from '../../platform/db/cursor';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../limits';
import type { OrderRecord, RefundRecord } from '../record';
import type { OrderView, RefundDecision, RefundRequest, SalesFilter, SalesPage, SaleView } from '../schema';
import { agentIdOfFilter, toAgentName, toAgentNames } from '../sellers/agent-names';
import { createRefund, findRefunds, moveRefund } from '../store/order-details';
import { findOrder } from '../store/orders';
import { enqueueJob } from '../store/outbox';
import {
  countSalesOf,
  findSale,
  findSaleAgents,
  findSales,
  type SalesPeriod,
  sumSales,
  sumSalesPerSlot,
} from '../store/sale-rows';
import { orderCursor, orderNotFound, toOrderView, toRefundView } from './read-orders';

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
async function toSaleView(order: OrderRecord): Promise<SaleView> {
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

const defaultReason = 'Refunded by the seller.';

/**
 * Requests a full or partial refund, which the seller approves or declines.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' orders); `conflict`
 *   if the amount is not refundable, or a refund is in progress
 */
export async function requestRefund({ ctx, input }: Call<RefundRequest & { id: string }>): Promise<OrderView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const order = await findOrder({ userId }, input.id);
  if (!order) throw orderNotFound();
  const amount = refundableAmount(order, input.amount);
  const draft = { id: newId('rfd'), orderId: order.id, amount, reason: input.reason, createdAt: ctx.now };
  await inTransaction(async (tx) => {
    if (!(await createRefund(tx, { ...draft, state: 'requested' }))) throw refundInProgress();
  });
  return toOrderView(order);
}

/**
 * Refunds a sale on behalf of the seller, with or without a request, or refuses a requested refund. A granted refund is
 * enqueued when the function returns.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other sellers' sales);
 *   `conflict` if the amount is not refundable, there is no request to refuse, or a refund is in progress
 */
export async function decideRefund({ ctx, input }: Call<RefundDecision & { id: string }>): Promise<SaleView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const order = await findSale({ sellerId: userId }, input.id);
  if (!order) throw new ParleyError('not_found', 'Sale not found.');
  await inTransaction(async (tx) => {
    const open = (await findRefunds([order.id], tx)).find(({ state }) => state === 'requested' || state === 'approved');
    if (open?.state === 'approved') throw refundInProgress();
    if (input.give) await grantRefund(tx, order, { requested: open, decision: input, at: ctx.now });
    else await refuseRefund(tx, open, ctx.now);
  });
  await publish('order', order.id);
  return toSaleView(order);
}

interface RefundDecisionContext {
  requested: RefundRecord | undefined;
  decision: RefundDecision;
  at: Date;
}

async function grantRefund(
  tx: Tx,
  order: OrderRecord,
  { requested, decision, at }: RefundDecisionContext,
): Promise<void> {
  const amount = refundableAmount(order, decision.amount ?? requested?.amount);
  const refundId = requested?.id ?? newId('rfd');
  if (requested) {
    if (!(await moveRefund(tx, requested, { state: 'approved', at, amount }))) throw refundInProgress();
  } else {
    const draft = { id: refundId, orderId: order.id, amount, reason: decision.reason ?? defaultReason, createdAt: at };
    if (!(await createRefund(tx, { ...draft, state: 'approved' }))) throw refundInProgress();
  }
  await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId } }, at, tx);
}

async function refuseRefund(tx: Tx, requested: RefundRecord | undefined, at: Date): Promise<void> {
  if (requested && (await moveRefund(tx, requested, { state: 'refused', at }))) return;
  throw new ParleyError('conflict', 'No refund was requested for this sale.');
}

/** Returns the amount to refund: `amount`, or the whole remainder. Throws `conflict` if it exceeds the remainder. */
function refundableAmount({ captured, refunded, currency }: OrderRecord, amount: number = captured - refunded): number {
  const left = captured - refunded;
  if (amount > 0 && amount <= left) return amount;
  const found = `At most ${left} minor units of ${currency} of this order can be refunded; found ${amount}.`;
  throw new ParleyError('conflict', found, { data: { refundable: left } });
}

function refundInProgress(): ParleyError {
  return new ParleyError('conflict', 'A refund of this order is already in progress.');
}
