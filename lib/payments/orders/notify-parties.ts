import { findAgentById } from '../../catalog';
import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import { isTerminal } from '../../protocol/a2a/core/model';
import type { MailText, Translation } from '../../texts/sent-texts';
import { receiptIdOfOutcome, signReceipts } from '../ap2/sign-receipts';
import { DECLINE_NOTIFICATION_TIMEOUT_MS } from '../limits';
import { dataParts, type SendToMerchant, toMerchantMessage } from '../merchants/send-to-merchant';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';
import { spendingEmail } from '../spending/alerts';
import { awaitsDigest } from '../store/limits-and-alerts';
import type { StoredReceipt } from '../store/order-details';
import { findTaskState } from '../store/order-tasks';

interface NotifyDeps {
  now: Date;
  signal: AbortSignal;
  send: SendToMerchant;
}

/**
 * Notifies both parties of an order's outcome: the merchant by a signed receipt on the task, the buyer by email. Each
 * announcement has one message id. The email is sent after the merchant was notified, or if the merchant cannot be
 * notified.
 * @throws if the merchant is unreachable, so that the job is retried
 */
export async function notifyParties(order: OrderRecord, outcome: OrderOutcome, deps: NotifyDeps): Promise<void> {
  if (outcome.event === 'declined') return notifyDecline(order, outcome.credentialId, deps);
  if (outcome.event === 'spending') {
    const mail = (texts: Translation): MailText => spendingEmail(order, outcome.alerts, texts);
    return notifyPerson({ ctx: deps, input: { userId: order.userId, kind: 'spending', mail } });
  }
  const receipt = pickReceipt(await signReceipts(order.id, deps.now), outcome);
  if (receipt) await sendReceipt(order, { ...receipt, notice: notices[outcome.event] }, deps);
  await emailOutcome(order, outcome, deps);
}

/** Emails the outcome, unless it is that of an automatic payment, which a daily email will report. */
async function emailOutcome(order: OrderRecord, outcome: EmailedOutcome, { now }: NotifyDeps): Promise<void> {
  const { id, userId, standingId } = order;
  const ends = outcome.event === 'captured' || outcome.event === 'ended';
  if (ends && standingId !== null && (await awaitsDigest(id))) return;
  const agent = await findAgentById(order.agentId);
  const slug = agent?.slug ?? order.agentId;
  const mail = (texts: Translation): MailText => orderEmail(order, { outcome, slug }, texts);
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
  const taskState = await findTaskState(order);
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
 * Returns the email to the buyer, with a link to the details. It contains no text from the merchant, which could be
 * misleading.
 */
function orderEmail(
  order: OrderRecord,
  { outcome, slug }: { outcome: EmailedOutcome; slug: string },
  { t, lines, mail }: Translation,
): MailText {
  const { id, currency, standingId } = order;
  const values = { amount: { currency, minor: amountOf(order, outcome) }, isAutomatic: String(standingId !== null) };
  const { subject, lines: intro } = mail(`order.${outcome.event}`, values);
  const credits = order.test ? ['', t('mail.order.testCredits')] : [];
  const details = lines('mail.order.details', { slug, id, link: `${env().APP_URL}/orders/${id}` });
  return { subject, lines: [...intro, ...credits, '', ...details] };
}

/** Returns the amount that an outcome is about, in minor units. */
function amountOf({ amount, captured }: OrderRecord, outcome: EmailedOutcome): number {
  if ('refund' in outcome) return outcome.refund.amount;
  return outcome.event === 'captured' ? captured : amount;
}
