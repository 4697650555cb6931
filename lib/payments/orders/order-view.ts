import { z } from 'zod';
import { findAgent } from '../../catalog';
import { cursorTime, defineCursor } from '../../platform/db/cursor';
import { toAgentName } from '../agent-names';
import { MAX_PAGE_SIZE } from '../limits';
import type { OrderRecord, RefundRecord } from '../record';
import type { OrderView, PaymentView, RefundView } from '../schema';
import { findOrderDetails, findTitles, type OrderDetails } from '../store/order-details';
import { reasonOf } from './end-reasons';

/** Returns the buyer's view of an order. */
export async function toOrderView(order: OrderRecord): Promise<OrderView> {
  const [view] = await toOrderViews([order]);
  if (!view) throw new Error('one order makes one view');
  return view;
}

/** Returns the buyer's view of orders, in the given order. */
export async function toOrderViews(orders: OrderRecord[]): Promise<OrderView[]> {
  const details = await findOrderDetails(orders.map(({ id }) => id));
  const titles = await findTitles(orders.flatMap(({ conversationId }) => conversationId ?? []));
  return Promise.all(
    orders.map((order) => {
      const conversationTitle = (order.conversationId && titles.get(order.conversationId)) || null;
      return toView(order, { conversationTitle, ...details.get(order.id) });
    }),
  );
}

async function toView(
  order: OrderRecord,
  details: Partial<OrderDetails> & Pick<OrderView, 'conversationTitle'>,
): Promise<OrderView> {
  const { id, state, code, version, taskId, contextId, sourceKind, sourceId, sourcePart } = order;
  const { conversationId, offer, checks, merchantOrderId, redirectUrl } = order;
  return {
    id,
    state,
    code,
    reason: reasonOf(order),
    version,
    agent: await toAgentName(order.agentId),
    source: { taskId, contextId, kind: sourceKind, id: sourceId, part: sourcePart },
    conversationId,
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

/** Yields the items of all pages. They are read page by page, so that memory use stays bounded. */
export async function* readPages<Item>(
  readPage: (page: { cursor: string | undefined; limit: number }) => Promise<{
    items: Item[];
    nextCursor: string | null;
  }>,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage({ cursor, limit: MAX_PAGE_SIZE });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/**
 * Returns the agent id for a filter's `agent`, which is a slug, or the id that orders contain for a deleted agent.
 * Other texts match no order.
 */
export async function agentIdOfFilter(agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || /^agt_[0-9a-z]{1,30}$/.test(agent)) return agent;
  return (await findAgent(agent))?.id ?? 'agt_unknown';
}
