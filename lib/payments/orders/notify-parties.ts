import { findAgentById } from '../../catalog';
import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import { isTerminal } from '../../protocol/a2a/core/model';
import { toMoneyText } from '../../protocol/ap2/money';
import { receiptIdOfOutcome, signReceipts } from '../ap2/sign-receipts';
import { DECLINE_NOTIFICATION_TIMEOUT_MS } from '../limits';
import { dataParts, type SendToMerchant, toMerchantMessage } from '../merchants/send-to-merchant';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';
import { spendingEmail } from '../spending/alerts';
import { findTaskState } from '../store/ended-offers';
import { awaitsDigest } from '../store/limits-and-alerts';
import type { StoredReceipt } from '../store/order-details';

interface NotifyDeps {
  now: Date;
  signal: AbortSignal;
  send: SendToMerchant;
}

/**
 * Notifies both parties of an order's outcome: the merchant by a signed receipt on the task, the buyer by email. Each
 * announcement has one message id. The email is sent after the merchant was notified, or if that is impossible.
 * @throws if the merchant is unreachable, so that the job is retried
 */
export async function notifyParties(order: OrderRecord, outcome: OrderOutcome, deps: NotifyDeps): Promise<void> {
  if (outcome.event === 'declined') return notifyDecline(order, outcome.credentialId, deps);
  if (outcome.event === 'spending') {
    const mail = spendingEmail(order, outcome.alerts);
    return notifyPerson({ ctx: deps, input: { userId: order.userId, kind: 'spending', mail } });
  }
  const receipt = pickReceipt(await signReceipts(order.id, deps.now), outcome);
  if (receipt) await sendReceipt(order, { ...receipt, notice: notices[outcome.event] }, deps);
  await emailOutcome(order, outcome, deps);
}

/** Emails the outcome, except that of an automatic payment which a daily email will report. */
async function emailOutcome(order: OrderRecord, outcome: EmailedOutcome, { now }: NotifyDeps): Promise<void> {
  const { id, userId, standingId } = order;
  const ends = outcome.event === 'captured' || outcome.event === 'ended';
  if (ends && standingId !== null && (await awaitsDigest(id))) return;
  const agent = await findAgentById(order.agentId);
  const mail = orderEmail(order, outcome, agent?.slug ?? order.agentId);
  await notifyPerson({ ctx: { now }, input: { userId, kind: 'orders', mail } });
}

function pickReceipt(receipts: StoredReceipt[], outcome: OrderOutcome): StoredReceipt | undefined {
  const id = receiptIdOfOutcome(outcome);
  return receipts.find((receipt) => (id === null ? receipt.kind === 'parley' : receipt.id === id));
}

const notices = {
  captured: 'receipt',
  ended: 'payment_failure',
  refunded: 'refund',
  'refund-failed': 'refund_failure',
} as const satisfies Record<EmailedOutcome['event'], Notice>;

async function sendReceipt(
  order: OrderRecord,
  { id, token, content, notice }: StoredReceipt & { notice: Notice },
  { now, signal, send }: NotifyDeps,
): Promise<void> {
  const parts = dataParts([{ 'ap2.PaymentReceipt': token }, { 'ap2.PaymentReceipt': content }]);
  const message = await toMerchantMessage(order, { notice, topic: id, parts, now, signal });
  const sent = message && (await send(message));
  if (sent?.kind === 'unreachable') throw new Error('the merchant was not reached with a receipt');
}

/**
 * Sends the decline on the offer's task, on behalf of the buyer. Sends nothing for a finished task, because that would
 * open a new task.
 */
async function notifyDecline(
  order: OrderRecord,
  credentialId: string,
  { now, signal, send }: NotifyDeps,
): Promise<void> {
  if (now.getTime() - order.updatedAt.getTime() > DECLINE_NOTIFICATION_TIMEOUT_MS) return;
  const taskState = await findTaskState(order.taskId);
  if (taskState === null || isTerminal(taskState)) return;
  const text = `I decline this offer (cart ${order.offer?.cartId ?? order.id}).`;
  // With this metadata, Parley's UI displays one line instead of the text.
  const metadata = { 'parley.outcome': 'declined', 'parley.order': order.id };
  const parts = [{ kind: 'text' as const, text, metadata }];
  const message = await toMerchantMessage(order, {
    notice: 'decline',
    topic: 'declined',
    parts,
    credentialId,
    now,
    signal,
  });
  const sent = message && (await send(message));
  if (sent?.kind === 'unreachable') throw new Error('the agent was not reached with a decline');
}

/** Outcomes that are emailed to the buyer. A decline is not, because it is the buyer's own action. */
type EmailedOutcome = Exclude<OrderOutcome, { event: 'declined' | 'spending' }>;

/**
 * Returns the email to the buyer: plain ASCII, without any text from the merchant, which could be misleading. It links
 * to the details.
 */
function orderEmail(order: OrderRecord, outcome: EmailedOutcome, slug: string): { subject: string; lines: string[] } {
  const { subject, intro } = contentFor(order, outcome);
  const credits = order.test ? ['', 'This order was paid with test credits. No real money was charged.'] : [];
  const link = `${env().APP_URL}/orders/${order.id}`;
  return {
    subject,
    lines: [
      ...intro,
      ...credits,
      '',
      `Agent: ${slug}`,
      `Order: ${order.id}`,
      '',
      'View the order and its receipt:',
      '',
      link,
    ],
  };
}

function contentFor(order: OrderRecord, outcome: EmailedOutcome): { subject: string; intro: string[] } {
  const { currency, amount, captured, standingId } = order;
  if (outcome.event === 'captured') {
    const paid = toMoneyText({ currency, minor: captured });
    const how = standingId === null ? 'You paid' : 'Your standing approval paid';
    return {
      subject: `Your receipt from Parley: ${paid}`,
      intro: [`${how} ${paid}. The seller has confirmed the order.`],
    };
  }
  if (outcome.event === 'refunded') {
    const refunded = toMoneyText({ currency, minor: outcome.refund.amount });
    return { subject: `Refund of ${refunded}`, intro: [`The seller refunded ${refunded} of your order.`] };
  }
  if (outcome.event === 'refund-failed') {
    const returned = toMoneyText({ currency, minor: outcome.refund.amount });
    return {
      subject: `Your refund of ${returned} failed`,
      intro: [
        `Your bank rejected the refund of ${returned}, so the amount was returned to the seller.`,
        'Request the refund again on the order page, or ask the seller to pay you back another way.',
      ],
    };
  }
  const total = toMoneyText({ currency, minor: amount });
  return {
    subject: `Your order of ${total} was not paid`,
    intro: [`Your order of ${total} was not completed. You were not charged, and any hold was released.`],
  };
}
