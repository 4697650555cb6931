import { faultPoint } from '../../platform/fault-point';
import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { feeAfterRefund } from '../ledger-movements';
import { hasEndedUnpaid } from '../order-states';
import type { Announcement } from '../ports';
import type { OrderRecord, RefundRecord } from '../record';
import { ending } from '../settle-delivery';
import { postMovement } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import type { OutboxJob } from '../store/outbox';
import { findRefund, moveRefund } from '../store/refunds';
import { chargeOf, nextAttempt, type Step, type StepResult, type Tools } from './job';

/** Takes the money of an order that its merchant confirmed. */
export const capture: Step = async (order, { now }, { attempts }) => {
  if (order.state !== 'merchant_confirmed') return 'done';
  const charge = chargeOf(order);
  const taken = await charge.capture(order);
  faultPoint('capture.called');
  const at = now();
  if (taken.kind === 'pending') return { again: nextAttempt(attempts, at) };
  const { id, state: from, version, authorized } = order;
  if (taken.kind === 'failed') {
    log.error('payments.capture_failed', { orderId: id, code: taken.code });
    const step = { id, from, version, to: 'canceled', code: taken.code, at } as const;
    await inTransaction((tx) => moveOrder(tx, { ...step, outbox: ending(at) }));
    return 'done';
  }
  await inTransaction(async (tx) => {
    const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'captured' } }];
    const step = { id, from, version, to: 'captured', at, set: { captured: authorized }, outbox } as const;
    if (await moveOrder(tx, step)) await postMovement(tx, charge.movements.capture(order), at);
  });
  return 'done';
};

/** Lets go of the money of an order that ended without a sale. */
export const release: Step = async (order, { now }) => {
  if (!hasEndedUnpaid(order.state)) return 'done';
  const charge = chargeOf(order);
  await charge.release(order);
  faultPoint('release.called');
  const movement = charge.movements.release(order);
  if (movement) await inTransaction((tx) => postMovement(tx, movement, now()));
  return 'done';
};

/** Gives money back that the seller agreed to give back. */
export const refund: Step = async (order, tools, { payload, attempts }) => {
  const wanted = await findRefund(payload.refundId ?? '');
  if (wanted?.state !== 'approved') return 'done';
  if (wanted.amount > order.captured - order.refunded) return failRefund(wanted, tools.now());
  const given = await chargeOf(order).refund(order, wanted);
  faultPoint('refund.called');
  if (given.kind === 'pending') return { again: nextAttempt(attempts, tools.now()) };
  if (given.kind === 'failed') {
    log.error('payments.refund_failed', { orderId: order.id, refundId: wanted.id, code: given.code });
    return failRefund(wanted, tools.now());
  }
  return keepRefund(order, { ...wanted, paymentId: given.paymentId ?? null }, tools);
};

async function failRefund(refund: RefundRecord, at: Date): Promise<'done'> {
  await inTransaction((tx) => moveRefund(tx, refund, { state: 'failed', at }));
  return 'done';
}

async function keepRefund(order: OrderRecord, refund: RefundRecord, { now }: Tools): Promise<StepResult> {
  const { id, state: from, version, captured } = order;
  const at = now();
  const refunded = order.refunded + refund.amount;
  const to = refunded === captured ? 'refunded' : 'partially_refunded';
  const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'refunded', refundId: refund.id } }];
  const kept = await inTransaction(async (tx) => {
    const set = { refunded, fee: feeAfterRefund(order, refund.amount) };
    if (!(await moveOrder(tx, { id, from, version, to, at, set, outbox }))) return false;
    await moveRefund(tx, refund, { state: 'paid', paymentId: refund.paymentId, at });
    await postMovement(tx, chargeOf(order).movements.refund(order, refund), at);
    return true;
  });
  return kept ? 'done' : { again: at };
}

/** Tells both sides how the order went. */
export const announce: Step = async (order, { ports, now, signal }, { payload }) => {
  const announcement = await announcementOf(payload);
  if (announcement) await ports.announce(order, announcement, { now: now(), signal });
  faultPoint('announce.called');
  return 'done';
};

async function announcementOf({
  event,
  refundId,
  credentialId = '',
}: OutboxJob['payload']): Promise<Announcement | null> {
  if (event === 'declined') return { event, credentialId };
  if (event === 'captured' || event === 'ended') return { event };
  const refund = await findRefund(refundId ?? '');
  return refund && { event: event === 'refund-failed' ? event : 'refunded', refund };
}
