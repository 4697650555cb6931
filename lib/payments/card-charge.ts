import { env } from '../platform/env';
import { log } from '../platform/log';
import { captureMovement, OUTSIDE, refundMovement } from './ledger-movements';
import { isTestMoney } from './money-mode';
import type { Charge, Hold, MoneyMove } from './ports';
import type { OrderRecord } from './record';
import {
  type CardPage,
  type CardPayment,
  CardRefusal,
  cancelPayment,
  capturePayment,
  closePage,
  getPage,
  getPayment,
  openPage,
  refundPayment,
} from './stripe';

/** Pages live at least half an hour; ours get more, because the first attempt to open one may fail. */
const shortestPageMs = 3_600_000;
const longestPageMs = 23 * 3_600_000;

/** Pays by card: the money is held where the card processor says so, and nothing is believed but what it answers when asked. */
export const cardCharge: Charge = {
  async authorize(order) {
    try {
      const { id, url } = await openPage(draftOf(order));
      return { kind: 'action', sessionId: id, redirectUrl: url };
    } catch (error) {
      if (!(error instanceof CardRefusal)) throw error;
      log.warn('payments.card_refused', { orderId: order.id, reason: error.message });
      return { kind: 'declined', code: 'card_refused' };
    }
  },

  async retrieve(order, now) {
    if (order.sessionId === null) return { kind: 'pending' };
    let page = await getPage(order.sessionId);
    if (page.status === 'open' && isOver(order, now)) {
      await closePage(page.id);
      page = await getPage(page.id);
    }
    return holdOf(order, page);
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
    await closePage(order.sessionId);
    const { payment } = await getPage(order.sessionId);
    if (payment) await letGo(order, payment);
  },

  async refund(order, refund) {
    const { id: orderId, paymentId } = order;
    if (paymentId === null) throw new Error(`${orderId} was captured without a payment`);
    const key = `order:${orderId}:refund:${refund.id}`;
    return toMove(() => refundPayment({ paymentId, amount: refund.amount, orderId, refundId: refund.id, key }));
  },

  movements: {
    hold: () => null,
    capture: (order) => captureMovement(order, OUTSIDE),
    release: () => null,
    refund: (order, refund) => refundMovement(order, refund, OUTSIDE),
  },
};

function draftOf(order: OrderRecord): Parameters<typeof openPage>[0] {
  const { id, amount, currency, attempt, updatedAt, expiresAt, agentId, cartHash, offer, conversationId } = order;
  // Of a repeated request every word must be as before, so nothing is taken from the clock.
  const from = updatedAt.getTime();
  const until = Math.max(expiresAt?.getTime() ?? 0, from + shortestPageMs);
  return {
    key: `order:${id}:pi:${attempt}`,
    reference: id,
    label: (offer?.merchantName ?? 'Order').slice(0, 200),
    amount,
    currency,
    hold: true,
    metadata: { order_id: id, cart_hash: cartHash, agent_id: agentId },
    returnUrl: `${env().APP_URL}${conversationId === null ? `/orders/${id}` : `/chat/${conversationId}?order=${id}`}`,
    expiresAt: new Date(Math.min(until, from + longestPageMs)),
  };
}

function isOver({ expiresAt }: OrderRecord, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** What the page and its payment mean for the order, if they are what the order says. */
function holdOf(order: OrderRecord, page: CardPage): Hold {
  const { payment } = page;
  if (!isOurs(order, page)) {
    log.error('payments.card_differs', { orderId: order.id, sessionId: page.id });
    return { kind: 'declined', code: 'payment_differs' };
  }
  if (page.status === 'expired') return { kind: 'expired', code: 'payment_expired' };
  if (page.status === 'open' && page.url) return { kind: 'action', sessionId: page.id, redirectUrl: page.url };
  if (payment?.status === 'canceled') return { kind: 'declined', code: 'authorization_lapsed' };
  if (payment?.status !== 'requires_capture') return { kind: 'pending' };
  if (payment.authorizedAt && isOver(order, payment.authorizedAt)) return { kind: 'expired', code: 'paid_too_late' };
  const { id: paymentId, capturable: amount, captureBefore } = payment;
  return { kind: 'held', amount, paymentId, ...(captureBefore && { captureBefore }) };
}

/** Amount, currency, mode and reference are those of the order, on the page and in the payment. */
function isOurs({ id, amount, currency }: OrderRecord, { payment, ...page }: CardPage): boolean {
  if (page.reference !== id || page.amount !== amount || page.currency !== currency) return false;
  if (page.live === isTestMoney()) return false;
  if (!payment) return true;
  const held = payment.status !== 'requires_capture' || payment.capturable === amount;
  return held && payment.reference === id && payment.amount === amount && payment.currency === currency;
}

/** Captures, or finds how the payment stands when that cannot be done (any more). */
async function captureOnce({ id, paymentId, authorized }: OrderRecord): Promise<CardPayment> {
  if (paymentId === null) throw new Error(`${id} was authorised without a payment`);
  try {
    return await capturePayment(paymentId, authorized, `order:${id}:capture`);
  } catch (error) {
    if (!(error instanceof CardRefusal)) throw error;
    return getPayment(paymentId);
  }
}

async function letGo({ id }: OrderRecord, payment: CardPayment): Promise<void> {
  if (payment.status === 'canceled') return;
  if (payment.status === 'processing') throw new Error(`the payment of ${id} is still being processed`);
  if (payment.status !== 'succeeded') return cancelPayment(payment.id, `order:${id}:cancel`);
  const undo = { paymentId: payment.id, amount: payment.received, orderId: id, refundId: `undo-${id}` };
  await refundPayment({ ...undo, key: `order:${id}:undo` });
}

async function toMove(ask: () => ReturnType<typeof refundPayment>): Promise<MoneyMove> {
  try {
    const { id, status } = await ask();
    if (status === 'failed') return { kind: 'failed', code: 'refund_failed' };
    return status === 'succeeded' ? { kind: 'done', paymentId: id } : { kind: 'pending' };
  } catch (error) {
    if (error instanceof CardRefusal) return { kind: 'failed', code: 'refund_refused' };
    throw error;
  }
}
