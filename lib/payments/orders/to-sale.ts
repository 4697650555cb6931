import type { OrderRecord, RefundRecord } from '../record';
import type { SaleView } from '../schema';
import { findRefunds } from '../store/refunds';
import { toAgentName, toRefundView } from './to-wire';

/** A sale as its seller sees it. */
export async function toSaleView(order: OrderRecord): Promise<SaleView> {
  const [refund] = await findRefunds([order.id]);
  return toView(order, refund);
}

/** Sales as their seller sees them, in the same order. */
export async function toSaleViews(orders: OrderRecord[]): Promise<SaleView[]> {
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
