import type { Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { log } from '../../platform/runtime/log';
import { translationFor } from '../../texts/sent-texts';
import {
  captureTransaction,
  EXTERNAL_ACCOUNT,
  heldAccountOf,
  orderTransaction,
  refundTransaction,
  walletAccountOf,
} from '../charges/ledger-transactions';
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
} from '../charges/stripe';
import { StripeRejectedError } from '../charges/stripe-client';
import { isCardCurrency, isTestMode } from '../charges/stripe-mode';
import { feeOf } from '../fees/fees';
import {
  MAX_CHECKOUT_LABEL_LENGTH,
  MAX_CHECKOUT_SESSION_MS,
  MIN_CHECKOUT_SESSION_MS,
  REPEATED_PAYMENT_MS,
} from '../limits';
import type { Charge, ChargeResult, Hold } from '../ports';
import type { OrderRecord } from '../record';
import { type SpendingKey, saveAlerts } from '../store/limits-and-alerts';
import { moveOrder } from '../store/move-order';
import { findConversations } from '../store/order-tasks';
import { findCredit, hasPaidAgent } from '../store/orders';
import { findDigestTime } from '../store/outbox';
import { findSubjectName } from '../store/spending-sums';
import { countAutomaticPayments } from '../store/spending-usage';
import { alertsOf, alertText, emailedAlerts } from './alerts';
import { reserveSpending } from './reserve';

interface ChargeStart {
  order: OrderRecord;
  method: 'wallet' | 'card';
  /** The session or access token that approved the order. */
  credentialId: string;
  /** The standing approval that pays it. */
  standingId?: string;
  at: Date;
}

/**
 * Starts the charge of an order in `awaiting_approval`, in the transaction that stores the approval by this credential.
 * After the commit, any node authorizes the payment. Returns false and writes nothing if the order has changed, in
 * which case the caller must roll back.
 * @throws {ParleyError} `conflict` if the order's currency cannot be paid by card; `spending_limit_exceeded`
 */
export async function startCharge(
  tx: Tx,
  { order, method, credentialId, standingId, at }: ChargeStart,
): Promise<boolean> {
  if (method === 'card' && !isCardCurrency(order.currency)) {
    throw new ParleyError(
      'conflict',
      `An order in ${order.currency} cannot be paid by card here. Pay from your wallet.`,
    );
  }
  const { origin, limits } = await reserveSpending(tx, { order, credentialId, now: at });
  const { userId, currency } = order;
  const test = isTestMode();
  const balance = method === 'wallet' ? await findCredit(tx, { userId, currency, test }) : null;
  const fee = await feeOf({ currency, amount: order.amount, at }, tx);
  const isFirstAtAgent = !(await hasPaidAgent(tx, order));
  const nameOf = async (limit: SpendingKey): Promise<string> => (await findSubjectName(userId, limit, tx)) ?? '';
  const isAutomatic = standingId !== undefined;
  const after = new Date(at.getTime() - REPEATED_PAYMENT_MS);
  const recentPayments = isAutomatic ? await countAutomaticPayments(tx, { id: standingId, after }) : 0;
  const alerts = await alertsOf({ order, limits, nameOf, isFirstAtAgent, isAutomatic, recentPayments, balance });
  const emailed = emailedAlerts(alerts);
  // Nodes of the previous release read only `text`.
  const text = emailed.map((alert) => alertText(alert, currency, translationFor('en'))).join('\n');
  const payload = { event: 'spending', text, alerts: JSON.stringify(emailed) };
  const announcement = { kind: 'announce' as const, dueAt: at, payload };
  const moved = await moveOrder(tx, {
    id: order.id,
    from: 'awaiting_approval',
    version: order.version,
    to: 'approved',
    at,
    set: { method, test, fee, approvedAt: at, ...origin, standingId },
    outbox: [{ kind: 'authorize', dueAt: at }, ...(emailed.length > 0 ? [announcement] : [])],
  });
  if (!moved) return false;
  const digestAt = isAutomatic ? await findDigestTime(tx, userId, at) : null;
  await saveAlerts(tx, { userId, orderId: order.id, at, digestAt }, alerts);
  return true;
}

/** Returns the payment method of an order. */
export function chargeOf(order: OrderRecord): Charge {
  return order.method === 'card' ? cardCharge : walletCharge;
}

/** Payment from the wallet. Changes only the ledger, in the transaction that moves the order to its next state. */
const walletCharge: Charge = {
  authorize: async ({ amount }) => ({ kind: 'held', amount }),
  retrieve: async () => ({ kind: 'pending' }),
  capture: async () => ({ kind: 'done' }),
  release: async () => {},
  refund: async () => ({ kind: 'done' }),
  transactions: {
    hold: (order) =>
      orderTransaction(order, 'hold', { from: walletAccountOf(order.userId), to: heldAccountOf(order.userId) }),
    capture: (order) => captureTransaction(order, heldAccountOf(order.userId)),
    release: (order) =>
      orderTransaction(order, 'release', { from: heldAccountOf(order.userId), to: walletAccountOf(order.userId) }),
    refund: (order, refund, seller) => refundTransaction(order, refund, { seller, to: walletAccountOf(order.userId) }),
  },
};

/** Payment by card with Stripe Checkout. Trusts only objects that are retrieved from Stripe. */
const cardCharge: Charge = {
  async authorize(order) {
    try {
      const { id, url } = await createCheckoutSession(await draftOf(order));
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
    refund: (order, refund, seller) => refundTransaction(order, refund, { seller, to: EXTERNAL_ACCOUNT }),
  },
};

async function draftOf(order: OrderRecord): Promise<Parameters<typeof createCheckoutSession>[0]> {
  const { id, amount, currency, attempt, updatedAt, expiresAt, agentId, cartHash, offer } = order;
  const conversation = (await findConversations([order])).get(order.taskId);
  // A retry must send the same parameters with its idempotency key, so they must not depend on the current time.
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
    returnUrl: `${env().APP_URL}${conversation ? `/chat/${conversation.id}?order=${id}` : `/orders/${id}`}`,
    expiresAt: new Date(Math.min(until, from + MAX_CHECKOUT_SESSION_MS)),
  };
}

function hasExpired({ expiresAt }: OrderRecord, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Returns the hold that a Checkout Session represents; declined if the session or payment does not match the order. */
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

/** Returns true if amount, currency, mode and reference of the session and the payment match the order. */
function matchesOrder({ id, amount, currency }: OrderRecord, { payment, ...session }: CheckoutSession): boolean {
  if (session.reference !== id || session.amount !== amount || session.currency !== currency) return false;
  if (session.live === isTestMode()) return false;
  if (!payment) return true;
  const fullyHeld = payment.status !== 'requires_capture' || payment.capturable === amount;
  return fullyHeld && payment.reference === id && payment.amount === amount && payment.currency === currency;
}

/** Captures the payment, or retrieves it if Stripe rejects the capture. */
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
