import type Stripe from 'stripe';
import { amountOf, invalid, metadataOf, objectOf, type Params, textOf } from './params';
import { newStripeId, type State, sample } from './state';

const shortestSeconds = 30 * 60;
const maxSeconds = 24 * 3_600;
/** Allows for clock skew between two machines. */
const slackSeconds = 5;

/** Opens a hosted page; the payment starts when the user pays there. */
export function createSession(state: State, params: Params, base: string): Stripe.Checkout.Session {
  const items = Object.values(objectOf(params, 'line_items')).filter(
    (item): item is Params => typeof item === 'object',
  );
  if (items.length === 0) throw invalid('Missing required param: line_items.', 'parameter_missing', 'line_items');
  const currency = textOf(objectOf(items[0] ?? {}, 'price_data'), 'currency');
  const total = items.reduce(
    (sum, item) => sum + amountOf(objectOf(item, 'price_data'), 'unit_amount') * amountOf(item, 'quantity', 1),
    0,
  );
  const expiresAt = Number(textOf(params, 'expires_at') ?? state.now() + maxSeconds);
  const life = expiresAt - state.now();
  if (life < shortestSeconds - slackSeconds || life > maxSeconds + slackSeconds) {
    const message = 'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from now.';
    throw invalid(message, 'parameter_invalid_integer', 'expires_at');
  }
  const id = newStripeId('cs_test');
  const session: Stripe.Checkout.Session = Object.assign(sample('checkout.session'), {
    id,
    url: `${base}/pay/${id}`,
    mode: textOf(params, 'mode') ?? 'payment',
    ui_mode: textOf(params, 'ui_mode') ?? 'hosted_page',
    client_reference_id: textOf(params, 'client_reference_id'),
    amount_subtotal: total,
    amount_total: total,
    currency,
    created: state.now(),
    expires_at: expiresAt,
    metadata: metadataOf(params),
    success_url: textOf(params, 'success_url'),
    cancel_url: textOf(params, 'cancel_url'),
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    customer_details: null,
  });
  const draft = objectOf(params, 'payment_intent_data');
  const capture = textOf(draft, 'capture_method') === 'manual' ? 'manual' : 'automatic';
  state.drafts.set(id, { capture, metadata: metadataOf(draft) });
  state.sessions.set(id, session);
  return session;
}

export function expireSession(state: State, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.status !== 'open') {
    throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.', 'checkout_session_not_open');
  }
  state.expire(session);
  return session;
}

/** Expires the session and its payment, according to the payment's state. */
export function completeSession(state: State, session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent): void {
  session.status = 'complete';
  session.url = null;
  session.payment_status = intent.status === 'succeeded' ? 'paid' : 'unpaid';
  state.emit('checkout.session.completed', session);
}

/** The payment of a session, created on first use. */
export function draftOf(state: State, session: Stripe.Checkout.Session): Params {
  const { capture, metadata } = state.drafts.get(session.id) ?? { capture: 'automatic', metadata: {} };
  const currency = session.currency ?? 'usd';
  return { amount: String(session.amount_total), currency, capture_method: capture, metadata };
}
