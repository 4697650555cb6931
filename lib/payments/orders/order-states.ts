import type { OrderState } from '../schema';

/** Allowed transitions from each state (docs/payments.md). */
const transitions: Record<OrderState, readonly OrderState[]> = {
  rejected: [],
  verified: ['awaiting_approval', 'expired', 'superseded', 'canceled'],
  awaiting_approval: ['approved', 'canceled', 'expired', 'superseded'],
  superseded: [],
  expired: [],
  canceled: [],
  approved: ['payment_pending', 'authorized', 'declined', 'canceled', 'expired'],
  payment_pending: ['action_required', 'authorized', 'declined', 'expired', 'canceled'],
  action_required: ['authorized', 'declined', 'expired', 'canceled'],
  declined: [],
  authorized: ['mandate_delivered', 'merchant_confirmed', 'merchant_rejected', 'delivery_timeout', 'canceled'],
  mandate_delivered: ['merchant_confirmed', 'merchant_rejected', 'delivery_timeout', 'canceled'],
  merchant_rejected: [],
  delivery_timeout: [],
  merchant_confirmed: ['captured', 'canceled'],
  captured: ['partially_refunded', 'refunded'],
  // Back to the previous state when the bank returns a refund.
  partially_refunded: ['partially_refunded', 'refunded', 'captured'],
  refunded: ['partially_refunded', 'captured'],
};

/** True when an order may move from one state to the other. */
export function mayMove(from: OrderState, to: OrderState): boolean {
  return transitions[from].includes(to);
}

/** True for orders that ended without a capture. */
export function hasEndedUnpaid(state: OrderState): boolean {
  return endedUnpaidStates.includes(state);
}

export const endedUnpaidStates: readonly OrderState[] = [
  'superseded',
  'declined',
  'expired',
  'canceled',
  'merchant_rejected',
  'delivery_timeout',
];
