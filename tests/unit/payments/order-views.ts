import type { OfferView, OrderView } from '@/lib/payments/schema';
import type { OrderState } from '@/lib/payments/schema-states';

export const taskId = '3c9a3f0e-6a53-4c4e-9b2e-0d5d9c5b7a11';

/** An offer of one pizza with delivery, 18.98 euros. */
export function offerView(changes: Partial<OfferView> = {}): OfferView {
  const line = { quantity: 1, pending: false, refundDays: 14 };
  return {
    cartId: 'cart_1',
    detailsId: 'order_1',
    dialect: 'ap2-0.1',
    merchantName: 'Trattoria',
    lines: [
      { ...line, label: 'Pizza', kind: 'item', minor: 1_598 },
      { ...line, label: 'Delivery', kind: 'shipping', minor: 300 },
    ],
    total: { currency: 'EUR', minor: 1_898 },
    expiresAt: '2126-11-20T12:15:00Z',
    address: ['12 Via Roma', 'Florence'],
    ...changes,
  };
}

/** An order in a state, with matching members. */
export function orderView(state: OrderState, changes: Partial<OrderView> = {}): OrderView {
  return {
    id: 'ord_1',
    state,
    code: null,
    reason: null,
    version: 1,
    agent: { slug: 'pizzeria', name: 'Pizzeria agent' },
    source: { taskId, contextId: 'c', kind: 'artifact', id: 'cart', part: 0 },
    conversationId: 'cnv_1',
    conversationTitle: 'One pizza',
    offer: offerView(),
    checks: [],
    payment: null,
    approval: null,
    standingId: null,
    standingFailure: null,
    merchantOrderId: null,
    redirectUrl: null,
    receipts: [],
    refund: null,
    acceptance: null,
    createdAt: '2026-11-20T12:00:00Z',
    updatedAt: '2026-11-20T12:00:00Z',
    ...changes,
  };
}

/** An order that was paid with test credits. */
export function paidOrder(changes: Partial<OrderView> = {}): OrderView {
  return orderView('captured', {
    payment: { method: 'wallet', test: true, authorized: 1_898, captured: 1_898, refunded: 0 },
    approval: { at: '2026-11-20T12:01:00Z', method: 'passkey' },
    receipts: [{ id: 'rcp_1', kind: 'parley', at: '2026-11-20T12:02:00Z' }],
    merchantOrderId: 'P-1',
    ...changes,
  });
}
