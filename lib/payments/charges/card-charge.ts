import { env } from '../../platform/runtime/env';
import { log } from '../../platform/runtime/log';
import { MAX_CHECKOUT_LABEL_LENGTH, MAX_CHECKOUT_SESSION_MS, MIN_CHECKOUT_SESSION_MS } from '../limits';
import type { Charge, ChargeResult, Hold } from '../ports';
import type { OrderRecord } from '../record';
import { captureTransaction, EXTERNAL_ACCOUNT, refundTransaction } from './ledger-transactions';
import {
  type CheckoutSession,
  cancelPayment,
  capturePayment,
  createCheckoutSession,
  expireCheckoutSession,
  getCheckoutSession,
  getPayment,
  refundPayment,
  type StripePayment,
  StripeRejectedError,
} from './stripe';
import { isTestMode } from './stripe-mode';

/** Pays by card through Stripe Checkout. Only objects retrieved from Stripe are trusted. */
export const cardCharge: Charge = {
  async authorize(order) {
    try {
      const { id, url } = await createCheckoutSession(draftOf(order));
      return { kind: 'action', sessionId: id, redirectUrl: url };
    } catch (error) {
      if (!(error instanceof StripeRejectedError)) throw error;
      log.warn('payments.card_rejected', { orderId: order.id, reason: error.message });
      return { kind: 'declined', code: 'card_refused' };
    }
  },

  async retrieve(order, now) {
    if (order.sessionId === null) return { kind: 'pending' };
    let session = await getCheckoutSession(order.sessionId);
    if (session.status === 'open' && hasExpired(order, now)) {
      await expireCheckoutSession(session.id);
      session = await getCheckoutSession(session.id);
    }
    return holdOf(order, session);
  },

  async capture(order) {
    const payment = await captureOnce(order);
    if (payment.status === 'succeeded' && payment.received === order.authorized) return { kind: 'done' };
    if (payment.status === 'canceled') return { kind: 'failed', code: 'authorization_lapsed' };
    if (payment.status === 'requires_capture') return { kind: 'failed', code: 'capture_failed' };
    throw new Error(
      `the payment of ${order.id} is ${payment.status}, ${payment.received} of ${order.authorized} taken`,
    );
  },

  async release(order) {
    if (order.sessionId === null) return;
    await expireCheckoutSession(order.sessionId);
    const { payment } = await getCheckoutSession(order.sessionId);
    if (payment) await releasePayment(order, payment);
  },

  async refund(order, refund) {
    const { id: orderId, paymentId } = order;
    if (paymentId === null) throw new Error(`${orderId} was captured without a payment`);
    const key = `order:${orderId}:refund:${refund.id}`;
    return toRefundResult(() => refundPayment({ paymentId, amount: refund.amount, orderId, refundId: refund.id, key }));
  },

  transactions: {
    hold: () => null,
    capture: (order) => captureTransaction(order, EXTERNAL_ACCOUNT),
    release: () => null,
    refund: (order, refund) => refundTransaction(order, refund, EXTERNAL_ACCOUNT),
  },
};

function draftOf(order: OrderRecord): Parameters<typeof createCheckoutSession>[0] {
  const { id, amount, currency, attempt, updatedAt, expiresAt, agentId, cartHash, offer, conversationId } = order;
  // A retry must send the same parameters under its idempotency key, so nothing depends on the current time.
  const from = updatedAt.getTime();
  const until = Math.max(expiresAt?.getTime() ?? 0, from + MIN_CHECKOUT_SESSION_MS);
  return {
    key: `order:${id}:pi:${attempt}`,
    reference: id,
    label: (offer?.merchantName ?? 'Order').slice(0, MAX_CHECKOUT_LABEL_LENGTH),
    amount,
    currency,
    hold: true,
    metadata: { order_id: id, cart_hash: cartHash, agent_id: agentId },
    returnUrl: `${env().APP_URL}${conversationId === null ? `/orders/${id}` : `/chat/${conversationId}?order=${id}`}`,
    expiresAt: new Date(Math.min(until, from + MAX_CHECKOUT_SESSION_MS)),
  };
}

function hasExpired({ expiresAt }: OrderRecord, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The hold that a Checkout Session represents; declined when session or payment do not match the order. */
function holdOf(order: OrderRecord, session: CheckoutSession): Hold {
  const { payment } = session;
  if (!matchesOrder(order, session)) {
    log.error('payments.card_mismatch', { orderId: order.id, sessionId: session.id });
    return { kind: 'declined', code: 'payment_differs' };
  }
  if (session.status === 'expired') return { kind: 'expired', code: 'payment_expired' };
  if (session.status === 'open' && session.url)
    return { kind: 'action', sessionId: session.id, redirectUrl: session.url };
  if (payment?.status === 'canceled') return { kind: 'declined', code: 'authorization_lapsed' };
  if (payment?.status !== 'requires_capture') return { kind: 'pending' };
  if (payment.authorizedAt && hasExpired(order, payment.authorizedAt))
    return { kind: 'expired', code: 'paid_too_late' };
  const { id: paymentId, capturable: amount, captureBefore } = payment;
  return { kind: 'held', amount, paymentId, ...(captureBefore && { captureBefore }) };
}

/** True when amount, currency, mode and reference of session and payment match the order. */
function matchesOrder({ id, amount, currency }: OrderRecord, { payment, ...session }: CheckoutSession): boolean {
  if (session.reference !== id || session.amount !== amount || session.currency !== currency) return false;
  if (session.live === isTestMode()) return false;
  if (!payment) return true;
  const fullyHeld = payment.status !== 'requires_capture' || payment.capturable === amount;
  return fullyHeld && payment.reference === id && payment.amount === amount && payment.currency === currency;
}

/** Captures, or retrieves the payment when Stripe rejects the capture. */
async function captureOnce({ id, paymentId, authorized }: OrderRecord): Promise<StripePayment> {
  if (paymentId === null) throw new Error(`${id} was authorized without a payment`);
  try {
    return await capturePayment(paymentId, authorized, `order:${id}:capture`);
  } catch (error) {
    if (!(error instanceof StripeRejectedError)) throw error;
    return getPayment(paymentId);
  }
}

async function releasePayment({ id }: OrderRecord, payment: StripePayment): Promise<void> {
  if (payment.status === 'canceled') return;
  if (payment.status === 'processing') throw new Error(`the payment of ${id} is still being processed`);
  if (payment.status !== 'succeeded') return cancelPayment(payment.id, `order:${id}:cancel`);
  const undo = { paymentId: payment.id, amount: payment.received, orderId: id, refundId: `undo-${id}` };
  await refundPayment({ ...undo, key: `order:${id}:undo` });
}

async function toRefundResult(request: () => ReturnType<typeof refundPayment>): Promise<ChargeResult> {
  try {
    const { id, status } = await request();
    if (status === 'failed') return { kind: 'failed', code: 'refund_failed' };
    return status === 'succeeded' ? { kind: 'done', paymentId: id } : { kind: 'pending' };
  } catch (error) {
    if (error instanceof StripeRejectedError) return { kind: 'failed', code: 'refund_refused' };
    throw error;
  }
}
