import type Stripe from 'stripe';
import { moveBalance, PLATFORM } from './balances';
import { amountOf, invalid, metadataOf, type Params, textOf } from './params';
import { found, newStripeId, type State, sample } from './state';
import { reverseTransfersOf } from './transfers';

/** Refunds part of a payment, reversing its transfers on request. */
export function createRefund(state: State, params: Params): Stripe.Refund {
  const intent = found(state.intents, textOf(params, 'payment_intent') ?? '', 'payment_intent');
  const charge = found(state.charges, String(intent.latest_charge), 'charge');
  if (!charge.captured) throw invalid('This PaymentIntent has not been captured.', 'charge_not_captured');
  const remaining = charge.amount_captured - charge.amount_refunded;
  if (remaining === 0) throw invalid('The charge has already been refunded.', 'charge_already_refunded');
  const amount = amountOf(params, 'amount', remaining);
  if (amount > remaining)
    throw invalid(`Refund amount is greater than unrefunded amount.`, 'amount_too_large', 'amount');
  const refund: Stripe.Refund = Object.assign(sample('refund'), {
    id: newStripeId('re'),
    amount,
    charge: charge.id,
    payment_intent: intent.id,
    currency: intent.currency,
    metadata: metadataOf(params),
    created: state.now(),
    status: 'succeeded',
  });
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount_captured;
  state.refunds.set(refund.id, refund);
  moveBalance(state, { owner: PLATFORM, currency: refund.currency, amount: -amount, type: 'refund', source: refund });
  if (textOf(params, 'reverse_transfer') === 'true') reverseTransfersOf(state, charge.id, amount);
  state.emit('refund.created', refund);
  state.emit('charge.refunded', charge);
  return refund;
}

/** The bank returns a refund: it fails days after it succeeded. */
export function returnRefund(state: State, refundId: string): void {
  const refund = found(state.refunds, refundId, 'refund');
  const charge = found(state.charges, String(refund.charge), 'charge');
  Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  const { amount, currency } = refund;
  moveBalance(state, { owner: PLATFORM, currency, amount, type: 'refund_failure', source: refund });
  charge.amount_refunded -= amount;
  charge.refunded = false;
  state.emit('refund.failed', refund);
}
