import { inTransaction, type Tx } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { toAcceptanceView } from '../acceptance/acceptance-rules';
import { feeAfterRefund } from '../charges/ledger-transactions';
import { StripeRejectedError } from '../charges/stripe-client';
import { getStripeDispute, type StripeDispute, sendStripeEvidence } from '../charges/stripe-disputes';
import { cardsEnabled } from '../charges/stripe-mode';
import { readTranscript } from '../disputes/dispute-evidence';
import { refundEarning } from '../earnings/earning-accounts';
import { BANK_DISPUTE_CHECK_MS, DISPUTE_BATCH_SIZE, MAX_EVIDENCE_LENGTH, OUTBOX_LEASE_MS } from '../limits';
import { nextAttempt } from '../ports';
import type { OrderRecord } from '../record';
import {
  type BankDisputeRecord,
  claimBankDisputes,
  moveBankDispute,
  rescheduleBankDispute,
} from '../store/disputes/bank-dispute-rows';
import { findAcceptance } from '../store/earnings/acceptance-rows';
import { postTransaction } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import { findReceipts } from '../store/order-details';
import { findOrderByPayment } from '../store/orders';
import { bankDisputeTransaction } from './bank-dispute-money';

/**
 * Retrieves due disputes of card payments from Stripe, sends evidence once, and makes the ledger equal to what the bank
 * has withdrawn and not returned. Events only make a retrieval due, so that their order and number do not matter.
 */
export async function syncBankDisputes(now: Date): Promise<void> {
  if (!cardsEnabled()) return;
  const until = new Date(now.getTime() + OUTBOX_LEASE_MS);
  for (const found of await claimBankDisputes(now, until, DISPUTE_BATCH_SIZE)) {
    let dueAt: Date | null;
    try {
      dueAt = await sync(found, now);
    } catch (error) {
      log.warn('bank_disputes.sync_failed', { disputeId: found.id, ...errorFields(error) });
      dueAt = nextAttempt(found.attempts, now);
    }
    await rescheduleBankDispute(found.id, until, dueAt);
  }
}

/** Returns the time of the next retrieval; null once the dispute can no longer change. */
async function sync(found: BankDisputeRecord, now: Date): Promise<Date | null> {
  const dispute = await getStripeDispute(found.stripeId);
  failpoint('bank-dispute.called');
  const order = dispute.paymentId === null ? null : await findOrderByPayment(dispute.paymentId);
  if (order === null) log.error('bank_disputes.order_unknown', { disputeId: found.id, stripeId: found.stripeId });
  const sentAt = order && dispute.needsEvidence ? await sendEvidence(dispute, order, now) : found.evidenceSentAt;
  failpoint('bank-dispute.evidence');
  const isStored = await inTransaction((tx) => store(tx, found, { dispute, order, sentAt, now }));
  failpoint('bank-dispute.stored');
  if (!isStored) return now;
  return dispute.isOver ? null : new Date(now.getTime() + BANK_DISPUTE_CHECK_MS);
}

/** Sends the receipt and the transcript of the task. Returns the time; null if the bank no longer accepts it. */
async function sendEvidence({ id }: StripeDispute, order: OrderRecord, now: Date): Promise<Date | null> {
  const receipt = (await findReceipts(order.id)).find(({ kind }) => kind === 'parley')?.token ?? 'none';
  const task = { principal: order.userId, taskId: order.taskId };
  const { transcript } = await readTranscript(task, MAX_EVIDENCE_LENGTH / 2);
  const lines = transcript.map(
    ({ from, kind, parts }) => `${from}, ${kind}: ${parts.map(({ text, file }) => text ?? `[${file}]`).join(' ')}`,
  );
  const facts = [
    `Order: ${order.id}`,
    `Seller's order number: ${order.merchantOrderId ?? 'none'}`,
    `Receipt: ${receipt}`,
    ...(await acceptanceFacts(order, now)),
  ];
  const text = [...facts, 'Transcript of the task:', ...lines].join('\n').slice(0, MAX_EVIDENCE_LENGTH);
  try {
    await sendStripeEvidence(id, text);
    return now;
  } catch (error) {
    if (!(error instanceof StripeRejectedError)) throw error;
    log.warn('bank_disputes.evidence_refused', { stripeId: id, code: error.code });
    return null;
  }
}

/** Returns what the buyer approved and accepted, in lines for the bank. */
async function acceptanceFacts({ id }: OrderRecord, now: Date): Promise<string[]> {
  const found = await findAcceptance('order', id);
  if (!found) return [];
  const { terms, acceptedAt } = toAcceptanceView(found, now);
  return [
    `What the buyer approved: ${terms.deliverable}`,
    `How the buyer checks it: ${terms.check}`,
    `Accepted: ${acceptedAt ?? 'no'}`,
  ];
}

interface Retrieved {
  dispute: StripeDispute;
  order: OrderRecord | null;
  sentAt: Date | null;
  now: Date;
}

/** Stores what Stripe reports, and moves the money of the difference. Returns false if the order or dispute has changed. */
async function store(tx: Tx, found: BankDisputeRecord, { dispute, order, sentAt, now }: Retrieved): Promise<boolean> {
  const { currency, amount, status, reason, evidenceDueAt } = dispute;
  const mirrored = { orderId: order?.id ?? null, currency, amount, status, reason, evidenceDueAt };
  const change = { ...mirrored, evidenceSentAt: sentAt, updatedAt: now };
  const money = order === null ? found : debitOf(found, dispute.withdrawn, order);
  const { debited, debitedFee, refunded } = money;
  if (!(await moveBankDispute(tx, found, { ...change, debited, debitedFee, refunded }))) return false;
  if (order === null || debited === found.debited) return true;
  const part = { amount: refunded - found.refunded, fee: debitedFee - found.debitedFee };
  if (!(await countInOrder(tx, order, { ...part, at: now }))) throw new Error('the order has changed');
  const sale = { saleKind: 'order' as const, saleId: order.id, agentId: order.agentId };
  const seller = await refundEarning(tx, { ...sale, ...part });
  const amounts = { amount: debited - found.debited, fee: part.fee };
  await postTransaction(tx, bankDisputeTransaction(found, { order, seller, ...amounts }), now);
  log.info('bank_disputes.money_moved', { disputeId: found.id, orderId: order.id, ...amounts });
  return true;
}

/** Returns what is debited for a dispute once `withdrawn` is: the order counts at most what is not refunded. */
function debitOf(
  found: BankDisputeRecord,
  withdrawn: number,
  order: OrderRecord,
): Pick<BankDisputeRecord, 'debited' | 'debitedFee' | 'refunded'> {
  if (withdrawn === found.debited) return found;
  if (withdrawn === 0) return { debited: 0, debitedFee: 0, refunded: 0 };
  const left = order.captured - order.refunded + found.refunded;
  const refunded = Math.min(withdrawn, left);
  const before = { ...order, refunded: order.refunded - found.refunded, fee: order.fee + found.debitedFee };
  const debitedFee = refunded === 0 ? 0 : before.fee - feeAfterRefund(before, refunded);
  return { debited: withdrawn, debitedFee, refunded };
}

/** Counts the change as refunded in the order, so that the seller cannot refund the same money again. */
async function countInOrder(
  tx: Tx,
  order: OrderRecord,
  { amount, fee, at }: { amount: number; fee: number; at: Date },
): Promise<boolean> {
  if (amount === 0) return true;
  const { id, state: from, version } = order;
  const refunded = order.refunded + amount;
  const to = refunded === order.captured ? 'refunded' : refunded === 0 ? 'captured' : 'partially_refunded';
  const code = amount > 0 ? 'bank_dispute' : 'bank_dispute_won';
  return moveOrder(tx, { id, from, version, to, code, at, set: { refunded, fee: order.fee - fee } });
}
