import type { OrderState, OrderView } from '@/lib/payments/schema';

/** What an order asks of the person: `refused` cannot be paid, `open` can, `ended` came to nothing after the approval. */
export type OrderPhase = 'refused' | 'open' | 'processing' | 'action' | 'paid' | 'ended';

interface StateLook {
  phase: OrderPhase;
  label: string;
  tone: 'neutral' | 'accent' | 'good' | 'warn' | 'danger';
}

const looks: Record<OrderState, StateLook> = {
  rejected: { phase: 'refused', label: 'Not valid', tone: 'danger' },
  verified: { phase: 'open', label: 'Verified', tone: 'good' },
  awaiting_approval: { phase: 'open', label: 'Verified', tone: 'good' },
  superseded: { phase: 'refused', label: 'Replaced', tone: 'neutral' },
  expired: { phase: 'refused', label: 'Expired', tone: 'warn' },
  canceled: { phase: 'ended', label: 'Called off', tone: 'danger' },
  approved: { phase: 'processing', label: 'Processing', tone: 'accent' },
  payment_pending: { phase: 'processing', label: 'Processing', tone: 'accent' },
  action_required: { phase: 'action', label: 'Action needed', tone: 'warn' },
  declined: { phase: 'ended', label: 'Payment declined', tone: 'danger' },
  authorized: { phase: 'processing', label: 'Processing', tone: 'accent' },
  mandate_delivered: { phase: 'processing', label: 'Processing', tone: 'accent' },
  merchant_rejected: { phase: 'ended', label: 'Refused by the merchant', tone: 'danger' },
  delivery_timeout: { phase: 'ended', label: 'No answer of the merchant', tone: 'danger' },
  merchant_confirmed: { phase: 'processing', label: 'Processing', tone: 'accent' },
  captured: { phase: 'paid', label: 'Paid', tone: 'good' },
  partially_refunded: { phase: 'paid', label: 'Partly refunded', tone: 'neutral' },
  refunded: { phase: 'paid', label: 'Refunded', tone: 'neutral' },
};

export function phaseOf(order: Pick<OrderView, 'state' | 'code'>): OrderPhase {
  return isDeclined(order) ? 'refused' : looks[order.state].phase;
}

/** True for an offer that the person turned down. */
export function isDeclined({ state, code }: Pick<OrderView, 'state' | 'code'>): boolean {
  return state === 'canceled' && code === 'declined_by_buyer';
}

/** The state in a word or two, for a badge. */
export function lookOf({ state, code }: Pick<OrderView, 'state' | 'code'>): Pick<StateLook, 'label' | 'tone'> {
  if (isUnsigned({ state, code })) return { label: 'Unsigned', tone: 'warn' };
  if (isDeclined({ state, code })) return { label: 'Declined', tone: 'neutral' };
  return looks[state];
}

/** True for a cart that nobody signed; UCP has a code of its own for it. */
export function isUnsigned({ state, code }: Pick<OrderView, 'state' | 'code'>): boolean {
  return state === 'rejected' && (code === 'missing_signature' || code === 'merchant_authorization_missing');
}

const reasons: Partial<Record<OrderState, string>> = {
  rejected: 'The cart did not pass Parley’s checks.',
  superseded: 'The agent has sent a newer cart, which takes the place of this one.',
  expired: 'The offer has expired. Ask the agent for a new one.',
  canceled: 'It was called off. Nothing was charged.',
  approved: 'The payment is being prepared.',
  payment_pending: 'The payment is being prepared.',
  action_required: 'The payment waits for you at the page of the payment provider.',
  declined: 'The payment was declined. Nothing was charged.',
  authorized: 'The money is held. The merchant is being told.',
  mandate_delivered: 'The money is held. The merchant has not confirmed yet.',
  merchant_rejected: 'The merchant did not take the payment. The money that was held is released.',
  delivery_timeout: 'The merchant did not confirm in time. The money that was held is released.',
  merchant_confirmed: 'The merchant has confirmed. The money is being collected.',
};

/** Where the order stands, as a sentence; null when there is nothing to explain. */
export function reasonOf({ state, reason }: Pick<OrderView, 'state' | 'reason'>): string | null {
  return reason ?? reasons[state] ?? null;
}
