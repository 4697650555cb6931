import { failpoint } from '../../platform/failpoint';
import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { feeAfterRefund } from '../charges/ledger-transactions';
import { releaseSteps } from '../mandates/apply-merchant-reply';
import { hasEndedUnpaid } from '../orders/order-states';
import type { OrderOutcome } from '../ports';
import type { OrderRecord, RefundRecord } from '../record';
import { postTransaction } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import type { OutboxJob } from '../store/outbox';
import { findRefund, moveRefund } from '../store/refunds';
import { chargeOf, type JobDeps, type JobHandler, type JobResult, nextAttempt } from './job';

/** Takes the money of an order that its merchant confirmed. */
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
    if (await moveOrder(tx, step)) await postTransaction(tx, charge.transactions.capture(order), at);
  });
  return 'done';
};

/** Lets go of the money of an order that ended without a sale. */
export const release: JobHandler = async (order, { now }) => {
  if (!hasEndedUnpaid(order.state)) return 'done';
  const charge = chargeOf(order);
  await charge.release(order);
  failpoint('release.called');
  const transaction = charge.transactions.release(order);
  if (transaction) await inTransaction((tx) => postTransaction(tx, transaction, now()));
  return 'done';
};

/** Gives money back that the seller agreed to give back. */
export const refund: JobHandler = async (order, deps, { payload, attempts }) => {
  const wanted = await findRefund(payload.refundId ?? '');
  if (wanted?.state !== 'approved') return 'done';
  if (wanted.amount > order.captured - order.refunded) return failRefund(wanted, deps.now());
  const result = await chargeOf(order).refund(order, wanted);
  failpoint('refund.called');
  if (result.kind === 'pending') return { retryAt: nextAttempt(attempts, deps.now()) };
  if (result.kind === 'failed') {
    log.error('payments.refund_failed', { orderId: order.id, refundId: wanted.id, code: result.code });
    return failRefund(wanted, deps.now());
  }
  return saveRefund(order, { ...wanted, paymentId: result.paymentId ?? null }, deps);
};

async function failRefund(refund: RefundRecord, at: Date): Promise<'done'> {
  await inTransaction((tx) => moveRefund(tx, refund, { state: 'failed', at }));
  return 'done';
}

async function saveRefund(order: OrderRecord, refund: RefundRecord, { now }: JobDeps): Promise<JobResult> {
  const { id, state: from, version, captured } = order;
  const at = now();
  const refunded = order.refunded + refund.amount;
  const to = refunded === captured ? 'refunded' : 'partially_refunded';
  const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'refunded', refundId: refund.id } }];
  const saved = await inTransaction(async (tx) => {
    const set = { refunded, fee: feeAfterRefund(order, refund.amount) };
    if (!(await moveOrder(tx, { id, from, version, to, at, set, outbox }))) return false;
    await moveRefund(tx, refund, { state: 'paid', paymentId: refund.paymentId, at });
    await postTransaction(tx, chargeOf(order).transactions.refund(order, refund), at);
    return true;
  });
  return saved ? 'done' : { retryAt: at };
}

/** Tells both sides how the order went. */
export const announce: JobHandler = async (order, { ports, now, signal }, { payload }) => {
  const outcome = await outcomeOf(payload);
  if (outcome) await ports.notify(order, outcome, { now: now(), signal });
  failpoint('announce.called');
  return 'done';
};

async function outcomeOf({ event, refundId, credentialId = '' }: OutboxJob['payload']): Promise<OrderOutcome | null> {
  if (event === 'declined') return { event, credentialId };
  if (event === 'captured' || event === 'ended') return { event };
  const refund = await findRefund(refundId ?? '');
  return refund && { event: event === 'refund-failed' ? event : 'refunded', refund };
}
