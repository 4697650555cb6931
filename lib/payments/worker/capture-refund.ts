import { inTransaction } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { log } from '../../platform/runtime/log';
import { feeAfterRefund, refundedFeeOf, refundKey, refundReversal } from '../charges/ledger-transactions';
import { settleDisputedRefund } from '../disputes/close-dispute';
import { refundEarning } from '../earnings/earning-accounts';
import { recordEarning } from '../earnings/record-earnings';
import { releaseSteps } from '../orders/apply-merchant-reply';
import { type JobDeps, type JobHandler, type JobResult, nextAttempt, type OrderOutcome } from '../ports';
import type { OrderRecord, RefundRecord } from '../record';
import type { EmailedAlert } from '../schema-spending';
import { endedUnpaidStates } from '../schema-states';
import { chargeOf } from '../spending/charge';
import { findTransaction, postTransaction } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import { findRefund, findRefunds, moveRefund } from '../store/order-details';
import type { OutboxJob } from '../store/outbox';

/** Captures the payment of an order that its merchant confirmed. */
export const capture: JobHandler = async (order, { now }, { attempts }) => {
  if (order.state !== 'merchant_confirmed') return 'done';
  const charge = chargeOf(order);
  const result = await charge.capture(order);
  failpoint('capture.called');
  const at = now();
  if (result.kind === 'pending') return { retryAt: nextAttempt(attempts, at) };
  const { id, state: from, version, authorized } = order;
  if (result.kind === 'failed') {
    log.error('payments.capture_failed', { orderId: id, code: result.code });
    const step = { id, from, version, to: 'canceled', code: result.code, at } as const;
    await inTransaction((tx) => moveOrder(tx, { ...step, outbox: releaseSteps(at) }));
    return 'done';
  }
  await inTransaction(async (tx) => {
    const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'captured' } }];
    const step = { id, from, version, to: 'captured', at, set: { captured: authorized }, outbox } as const;
    if (!(await moveOrder(tx, step))) return;
    await postTransaction(tx, charge.transactions.capture(order), at);
    const { agentId, currency, test, fee, userId: buyerId } = order;
    const terms = order.offer?.acceptance;
    await recordEarning(tx, {
      saleKind: 'order',
      saleId: id,
      agentId,
      currency,
      test,
      gross: authorized,
      fee,
      capturedAt: at,
      acceptance: terms ? { terms, buyerId } : null,
    });
  });
  return 'done';
};

/** Releases the hold of an order that ended without a sale. */
export const release: JobHandler = async (order, { now }) => {
  if (!endedUnpaidStates.includes(order.state)) return 'done';
  const charge = chargeOf(order);
  await charge.release(order);
  failpoint('release.called');
  const transaction = charge.transactions.release(order);
  if (transaction) await inTransaction((tx) => postTransaction(tx, transaction, now()));
  return 'done';
};

/** Pays a refund that the seller approved. */
export const refund: JobHandler = async (order, deps, { payload, attempts }) => {
  const approved = await findRefund(payload.refundId ?? '');
  if (approved?.state !== 'approved') return 'done';
  if (approved.amount > order.captured - order.refunded) return failRefund(approved, deps.now());
  const result = await chargeOf(order).refund(order, approved);
  failpoint('refund.called');
  if (result.kind === 'pending') return { retryAt: nextAttempt(attempts, deps.now()) };
  if (result.kind === 'failed') {
    log.error('payments.refund_failed', { orderId: order.id, refundId: approved.id, code: result.code });
    return failRefund(approved, deps.now());
  }
  return saveRefund(order, { ...approved, paymentId: result.paymentId ?? null }, deps);
};

async function failRefund(refund: RefundRecord, at: Date): Promise<'done'> {
  await inTransaction(async (tx) => {
    if (!(await moveRefund(tx, refund, { state: 'failed', at }))) return;
    await settleDisputedRefund(tx, refund, { paid: false, at });
  });
  return 'done';
}

async function saveRefund(order: OrderRecord, refund: RefundRecord, { now }: JobDeps): Promise<JobResult> {
  const { id, state: from, version, captured } = order;
  const at = now();
  const refunded = order.refunded + refund.amount;
  const to = refunded === captured ? 'refunded' : 'partially_refunded';
  const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'refunded', refundId: refund.id } }];
  const saved = await inTransaction(async (tx) => {
    const fee = feeAfterRefund(order, refund.amount);
    if (!(await moveOrder(tx, { id, from, version, to, at, set: { refunded, fee }, outbox }))) return false;
    await moveRefund(tx, refund, { state: 'paid', paymentId: refund.paymentId, at });
    await settleDisputedRefund(tx, refund, { paid: true, at });
    const change = { amount: refund.amount, fee: order.fee - fee };
    const seller = await refundEarning(tx, { saleKind: 'order', saleId: id, agentId: order.agentId, ...change });
    await postTransaction(tx, chargeOf(order).transactions.refund(order, refund, seller), at);
    return true;
  });
  return saved ? 'done' : { retryAt: at };
}

/**
 * Checks the paid refunds of an order again, because a bank may return a refund days after it was paid. Reverses the
 * first returned refund in the order and the ledger, and announces it to both parties. The others are checked on the
 * next run.
 */
export async function recheckRefunds(order: OrderRecord, { now }: JobDeps): Promise<JobResult> {
  const paid = (await findRefunds([order.id])).filter(({ state }) => state === 'paid');
  for (const refund of paid) {
    const { kind } = await chargeOf(order).refund(order, refund);
    if (kind !== 'failed') continue;
    await revertRefund(order, refund, now());
    return { retryAt: now() };
  }
  return 'done';
}

async function revertRefund(order: OrderRecord, refund: RefundRecord, at: Date): Promise<void> {
  const { id, state: from, version } = order;
  const refunded = order.refunded - refund.amount;
  const to = refunded === 0 ? 'captured' : 'partially_refunded';
  const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'refund-failed', refundId: refund.id } }];
  log.warn('payments.refund_reverted', { orderId: id, refundId: refund.id });
  await inTransaction(async (tx) => {
    const transaction = await findTransaction(refundKey(refund), tx);
    if (!transaction) throw new Error(`the refund ${refund.id} is not in the ledger`);
    const fee = refundedFeeOf(transaction);
    const set = { refunded, fee: order.fee + fee };
    if (!(await moveOrder(tx, { id, from, version, to, code: 'refund_failed', at, set, outbox }))) return;
    await moveRefund(tx, refund, { state: 'failed', at });
    const change = { amount: -refund.amount, fee: -fee };
    const seller = await refundEarning(tx, { saleKind: 'order', saleId: id, agentId: order.agentId, ...change });
    await postTransaction(tx, refundReversal(transaction, seller), at);
  });
}

/** Notifies both parties of the outcome of an order. */
export const announce: JobHandler = async (order, { ports, now, signal }, { payload }) => {
  const outcome = await outcomeOf(payload);
  if (outcome) await ports.notify(order, outcome, { now: now(), signal });
  failpoint('announce.called');
  return 'done';
};

async function outcomeOf({
  event,
  refundId,
  credentialId = '',
  text = '',
  alerts,
}: OutboxJob['payload']): Promise<OrderOutcome | null> {
  if (event === 'spending')
    return { event, alerts: alerts ? (JSON.parse(alerts) as EmailedAlert[]) : text.split('\n') };
  if (event === 'declined') return { event, credentialId };
  if (event === 'captured' || event === 'ended') return { event };
  const refund = await findRefund(refundId ?? '');
  return refund && { event: event === 'refund-failed' ? event : 'refunded', refund };
}
