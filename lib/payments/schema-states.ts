/** The states of an order, each with the states that may follow it (diagram in docs/payments.md). */
const transitions = {
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
  // Moves back to the previous state if the bank returns a refund.
  partially_refunded: ['partially_refunded', 'refunded', 'captured'],
  refunded: ['partially_refunded', 'captured'],
} as const satisfies Record<string, readonly string[]>;

export type OrderState = keyof typeof transitions;
export const ORDER_STATES = Object.keys(transitions) as [OrderState, ...OrderState[]];

/** Returns true if an order may move from one state to the other. */
export function mayMove(from: OrderState, to: OrderState): boolean {
  return (transitions[from] as readonly OrderState[]).includes(to);
}

/** The states of a valid offer that is neither approved nor ended. */
export const unapprovedStates = ['verified', 'awaiting_approval'] as const satisfies readonly OrderState[];

/** The states of an approved order for which no money is held yet. */
export const statesBeforeHold = [
  'approved',
  'payment_pending',
  'action_required',
] as const satisfies readonly OrderState[];

/** The states in which the money is held and the merchant has not responded. */
export const unconfirmedStates = ['authorized', 'mandate_delivered'] as const satisfies readonly OrderState[];

/** The states of an order in progress: money is held or will be. */
export const pendingOrderStates: OrderState[] = [...statesBeforeHold, ...unconfirmedStates, 'merchant_confirmed'];

export const paidStates: OrderState[] = ['captured', 'partially_refunded', 'refunded'];

/** The states of an order that ended without a capture. Excludes carts that were never valid. */
export const endedUnpaidStates: OrderState[] = [
  'superseded',
  'declined',
  'expired',
  'canceled',
  'merchant_rejected',
  'delivery_timeout',
];

/** The states that each value of the filter for orders selects. */
export const statesOfFilter = {
  open: [...unapprovedStates, ...pendingOrderStates],
  paid: ['captured', 'partially_refunded'],
  refunded: ['partially_refunded', 'refunded'],
  ended: ['rejected', ...endedUnpaidStates],
} satisfies Record<string, OrderState[]>;

/** Returns true if the order is in one of these states. */
export function isIn<Order extends { state: OrderState }, State extends OrderState>(
  order: Order,
  states: readonly State[],
): order is Order & { state: State } {
  return (states as readonly OrderState[]).includes(order.state);
}
