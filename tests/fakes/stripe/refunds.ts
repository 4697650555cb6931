import type Stripe from 'stripe';
import { amountOf, invalid, metadataOf, type Params, textOf } from './params';
import { found, newStripeId, type State, sample } from './state';

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
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  state.emit('refund.failed', refund);
}

export function createTransfer(state: State, params: Params): Stripe.Transfer {
  const destination = textOf(params, 'destination') ?? '';
  found(state.accounts, destination, 'account');
  const transfer: Stripe.Transfer = Object.assign(sample('transfer'), {
    id: newStripeId('tr'),
    amount: amountOf(params, 'amount'),
    currency: textOf(params, 'currency') ?? 'usd',
    destination,
    source_transaction: textOf(params, 'source_transaction'),
    transfer_group: textOf(params, 'transfer_group'),
    metadata: metadataOf(params),
    created: state.now(),
    amount_reversed: 0,
    reversed: false,
  });
  state.transfers.set(transfer.id, transfer);
  return transfer;
}

export function reverseTransfer(state: State, transfer: Stripe.Transfer, params: Params): Stripe.TransferReversal {
  const remaining = transfer.amount - transfer.amount_reversed;
  const amount = amountOf(params, 'amount', remaining);
  if (amount > remaining)
    throw invalid('The reversal is more than is left of the transfer.', 'amount_too_large', 'amount');
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  return Object.assign(sample('transfer_reversal'), {
    id: newStripeId('trr'),
    amount,
    transfer: transfer.id,
    created: state.now(),
  });
}

function reverseTransfersOf(state: State, chargeId: string, amount: number): void {
  const transfer = [...state.transfers.values()].find(({ source_transaction: source }) => source === chargeId);
  if (!transfer) return;
  const remaining = transfer.amount - transfer.amount_reversed;
  reverseTransfer(state, transfer, { amount: String(Math.min(amount, remaining)) });
}
