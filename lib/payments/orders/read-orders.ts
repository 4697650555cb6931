import { z } from 'zod';
import { authorize } from '../../identity';
import { publishLocally } from '../../platform/bus';
import type { Call, Ctx } from '../../platform/context';
import { cursorTime, defineCursor, readPages } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import { viewOfAcceptance } from '../acceptance/acceptance-rules';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, RECHECK_INTERVAL_MS } from '../limits';
import type { OrderRecord, RefundRecord } from '../record';
import type { OrderDetail, OrderFilter, OrderPage, OrderView, PaymentView, ReceiptView, RefundView } from '../schema';
import { agentIdOfFilter, toAgentName, toAgentNames } from '../sellers/agent-names';
import { findMonthOf } from '../spending/read-sums';
import { approvalMethodOf, findUsedApproval } from '../store/approvals';
import { findAcceptances } from '../store/earnings/acceptance-rows';
import { findOrderDetails, findOrderSteps, findReceipts, type OrderDetails } from '../store/order-details';
import { findConversations } from '../store/order-tasks';
import { findOrder, findOrderAgents, findOrders } from '../store/orders';
import { enqueueRetrieval } from '../store/outbox';
import { reasonOf, voidEndedOffers } from './end-offers';

/**
 * Returns the user's own order, after voiding the user's ended offers.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' orders)
 */
export async function loadOwnOrder(ctx: Ctx, id: string): Promise<OrderRecord> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  await voidEndedOffers({ userId }, ctx.now);
  const order = await findOrder({ userId }, id);
  if (!order) throw orderNotFound();
  return order;
}

/**
 * Returns the user's order with its state changes. While the order awaits an action on Stripe's page, a call schedules
 * a retrieval from Stripe, so that a returning buyer sees the result within seconds even if the webhook event is lost.
 * @throws {ParleyError} as {@link loadOwnOrder}
 */
export async function getOrder({ ctx, input }: Call<{ id: string }>): Promise<OrderDetail> {
  const order = await loadOwnOrder(ctx, input.id);
  if (order.state === 'action_required') {
    const { id } = order;
    if (await enqueueRetrieval({ orderId: id }, new Date(ctx.now.getTime() - RECHECK_INTERVAL_MS), ctx.now))
      publishLocally('order', id);
  }
  return { order: await toOrderView(order, ctx.now), steps: await findOrderSteps(order.id) };
}

/**
 * Returns the evidence of a payment: the approval, the merchant's confirmation, and Parley's receipt.
 * @throws {ParleyError} as {@link loadOwnOrder}
 */
export async function getReceipt({ ctx, input }: Call<{ id: string }>): Promise<ReceiptView> {
  const order = await loadOwnOrder(ctx, input.id);
  const receipts = await findReceipts(order.id);
  const own = receipts.find(({ kind }) => kind === 'parley');
  const merchant = receipts.find(({ kind }) => kind === 'merchant');
  const approval = await findUsedApproval(order.id);
  return {
    order: await toOrderView(order, ctx.now),
    token: own?.token ?? null,
    object: own ? { ...own.content } : null,
    // Only receipts with a valid signature and reference are stored.
    merchantReceipt: merchant ? { token: merchant.token, verified: true, orderId: order.merchantOrderId } : null,
    approval: approval && {
      text: approval.text,
      method: approvalMethodOf(approval),
      at: approval.usedAt.toISOString(),
    },
  };
}

/**
 * Lists the user's own orders, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for an invalid cursor
 */
export async function listOrders({ ctx, input }: Call<OrderFilter>): Promise<OrderPage> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const { agent, month, cursor, limit = DEFAULT_PAGE_SIZE } = input;
  const agentId = await agentIdOfFilter(agent);
  await voidEndedOffers({ userId }, ctx.now);
  const before = cursor ? orderCursor.decode(cursor) : null;
  const approvedIn = month ? await findMonthOf(userId, { month, now: ctx.now }) : undefined;
  const found = await findOrders(userId, input, { agentId, approvedIn, before, limit: limit + 1 });
  const { rows, nextCursor } = orderCursor.pageOf(found, limit);
  return { items: await toOrderViews(rows, ctx.now), nextCursor };
}

/**
 * Streams all of the user's orders that match the filter.
 * @throws {ParleyError} as {@link listOrders}
 */
export function readOrders({ ctx, input }: Call<OrderFilter>): AsyncGenerator<OrderView> {
  return readPages((page) => listOrders({ ctx, input: { ...input, ...page } }), MAX_PAGE_SIZE);
}

/**
 * Lists the agents from which the user has orders, by name.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listOrderAgents({ ctx }: { ctx: Ctx }): Promise<OrderView['agent'][]> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return toAgentNames(await findOrderAgents(userId));
}

/** Returns the same error for unknown orders and for other users' orders. */
export function orderNotFound(): ParleyError {
  return new ParleyError('not_found', 'Order not found.');
}

/** Returns the buyer's view of an order. */
export async function toOrderView(order: OrderRecord, now: Date): Promise<OrderView> {
  const [view] = await toOrderViews([order], now);
  if (!view) throw new Error('one order makes one view');
  return view;
}

/** Returns the buyer's view of orders, in the given order. */
async function toOrderViews(orders: OrderRecord[], now: Date): Promise<OrderView[]> {
  const details = await findOrderDetails(orders.map(({ id }) => id));
  const conversations = await findConversations(orders);
  const acceptances = await findAcceptances(orders.filter(hasAcceptance).map(({ id }) => id));
  return Promise.all(
    orders.map((order) => {
      const { id: conversationId = null, title: conversationTitle = null } = conversations.get(order.taskId) ?? {};
      const acceptance = viewOfAcceptance(acceptances.get(order.id), now);
      return toView(order, { conversationId, conversationTitle, acceptance, ...details.get(order.id) });
    }),
  );
}

/** Returns true if the order was captured with acceptance terms. */
function hasAcceptance({ captured, offer }: OrderRecord): boolean {
  return captured > 0 && offer?.acceptance !== undefined;
}

async function toView(
  order: OrderRecord,
  details: Partial<OrderDetails> & Pick<OrderView, 'conversationId' | 'conversationTitle' | 'acceptance'>,
): Promise<OrderView> {
  const { id, state, code, version, taskId, contextId, sourceKind, sourceId, sourcePart } = order;
  const { offer, checks, merchantOrderId, redirectUrl } = order;
  return {
    id,
    state,
    code,
    reason: reasonOf(order),
    version,
    agent: await toAgentName(order.agentId),
    source: { taskId, contextId, kind: sourceKind, id: sourceId, part: sourcePart },
    conversationId: details.conversationId,
    conversationTitle: details.conversationTitle,
    offer,
    checks,
    payment: toPaymentView(order),
    approval: details.approval ?? null,
    standingId: order.standingId,
    standingFailure: order.standingFailure,
    merchantOrderId,
    redirectUrl,
    receipts: details.receipts ?? [],
    refund: details.refund ? toRefundView(details.refund) : null,
    acceptance: details.acceptance,
    createdAt: order.createdAt.toISOString(),
    updatedAt: order.updatedAt.toISOString(),
  };
}

function toPaymentView({ method, test, authorized, captured, refunded }: OrderRecord): PaymentView | null {
  return method && { method, test, authorized, captured, refunded };
}

/** Returns the view of a refund for buyer and seller. */
export function toRefundView({ id, amount, reason, state, createdAt }: RefundRecord): RefundView {
  return { id, amount, reason, state, createdAt: createdAt.toISOString() };
}

/** The cursors of orders and of sales, newest first. */
export const orderCursor = defineCursor({
  list: 'orders',
  position: z.object({ createdAt: cursorTime, id: z.string().regex(/^ord_[0-9a-z]{1,30}$/) }),
});
