import type Stripe from 'stripe';
import { moveBalance, PLATFORM } from './balances';
import { ApiError, amountOf, invalid, metadataOf, type Params, textOf } from './params';
import { newStripeId, type State, sample } from './state';

/** Cards the double supports, by the names of Stripe's test payment methods, and their outcome. */
export const cards = {
  pm_card_visa: 'success',
  pm_card_visa_chargeDeclined: 'generic_decline',
  pm_card_visa_chargeDeclinedInsufficientFunds: 'insufficient_funds',
  pm_card_threeDSecureRequired: 'three_d_secure',
  pm_card_processing: 'processing',
  pm_card_captureFails: 'capture_fails',
} as const;
export type CardName = keyof typeof cards;

export function isCardName(name: string): name is CardName {
  return Object.hasOwn(cards, name);
}

const weekSeconds = 7 * 24 * 3_600;

/** A new, unattempted payment. */
export function createIntent(state: State, params: Params): Stripe.PaymentIntent {
  const currency = textOf(params, 'currency');
  if (currency === null) throw invalid('Missing required param: currency.', 'parameter_missing', 'currency');
  const capture = textOf(params, 'capture_method') === 'manual' ? 'manual' : 'automatic';
  const intent: Stripe.PaymentIntent = Object.assign(sample('payment_intent'), {
    id: newStripeId('pi'),
    amount: amountOf(params, 'amount'),
    currency,
    capture_method: capture,
    metadata: metadataOf(params),
    transfer_group: textOf(params, 'transfer_group'),
    created: state.now(),
    last_payment_error: null,
    next_action: null,
    processing: null,
    transfer_data: null,
    status: 'requires_payment_method',
  });
  intent.client_secret = `${intent.id}_secret_${newStripeId('s')}`;
  state.intents.set(intent.id, intent);
  state.emit('payment_intent.created', intent);
  const method = textOf(params, 'payment_method');
  if (method !== null) intent.payment_method = method;
  return textOf(params, 'confirm') === 'true' ? confirmIntent(state, intent, textOf(params, 'return_url')) : intent;
}

/** Charges the payment's card; a declined card throws. */
export function confirmIntent(
  state: State,
  intent: Stripe.PaymentIntent,
  returnUrl: string | null = null,
): Stripe.PaymentIntent {
  const name = String(intent.payment_method);
  if (!isCardName(name)) throw invalid(`No such PaymentMethod: '${name}'`, 'resource_missing', 'payment_method');
  const outcome = cards[name];
  if (outcome === 'generic_decline' || outcome === 'insufficient_funds') throw decline(state, intent, outcome);
  if (outcome === 'three_d_secure') {
    intent.status = 'requires_action';
    intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url: '', return_url: returnUrl } };
    state.emit('payment_intent.requires_action', intent);
    return intent;
  }
  if (outcome === 'processing') {
    intent.status = 'processing';
    state.emit('payment_intent.processing', intent);
    return intent;
  }
  return authorizeIntent(state, intent);
}

/** The bank approves: the amount is authorized, or captured. */
export function authorizeIntent(state: State, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  const charge: Stripe.Charge = Object.assign(sample('charge'), {
    id: newStripeId('ch'),
    amount: intent.amount,
    currency: intent.currency,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    created: state.now(),
    metadata: intent.metadata,
    transfer_data: null,
  });
  const { card } = charge.payment_method_details ?? {};
  if (card && intent.capture_method === 'manual') card.capture_before = state.now() + weekSeconds;
  state.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  intent.next_action = null;
  if (intent.capture_method === 'manual') {
    intent.status = 'requires_capture';
    intent.amount_capturable = intent.amount;
    state.emit('payment_intent.amount_capturable_updated', intent);
  } else {
    take(state, intent, intent.amount);
  }
  return intent;
}

function take(state: State, intent: Stripe.PaymentIntent, amount: number): void {
  intent.status = 'succeeded';
  intent.amount_capturable = 0;
  intent.amount_received = amount;
  const charge = state.charges.get(String(intent.latest_charge));
  if (charge) Object.assign(charge, { captured: true, amount_captured: amount });
  moveBalance(state, { owner: PLATFORM, currency: intent.currency, amount, type: 'charge', source: charge ?? intent });
  state.emit('payment_intent.succeeded', intent);
}

export function captureIntent(state: State, intent: Stripe.PaymentIntent, params: Params): Stripe.PaymentIntent {
  if (intent.status !== 'requires_capture') throw unexpected(intent, 'captured');
  if (intent.payment_method === 'pm_card_captureFails') {
    throw new ApiError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      message: 'The capture was declined.',
      payment_intent: intent,
    });
  }
  const amount = amountOf(params, 'amount_to_capture', intent.amount_capturable);
  if (amount > intent.amount_capturable) throw invalid('The amount is more than can be captured.', 'amount_too_large');
  take(state, intent, amount);
  return intent;
}

export function cancelIntent(state: State, intent: Stripe.PaymentIntent): Stripe.PaymentIntent {
  if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
    throw unexpected(intent, 'canceled');
  state.cancel(intent, 'requested_by_customer');
  return intent;
}

function unexpected(intent: Stripe.PaymentIntent, done: string): ApiError {
  const message = `This PaymentIntent could not be ${done} because it has a status of ${intent.status}.`;
  return new ApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: intent,
  });
}

/** The bank declines; the payment waits for another card. */
export function decline(state: State, intent: Stripe.PaymentIntent, declineCode: string): ApiError {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.next_action = null;
  state.emit('payment_intent.payment_failed', intent);
  return new ApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    decline_code: declineCode,
    message: 'Your card was declined.',
    payment_intent: structuredClone(intent),
  });
}
