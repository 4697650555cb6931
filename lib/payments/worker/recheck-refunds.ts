import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { refundedFeeOf, refundKey, refundReversal } from '../charges/ledger-transactions';
import type { OrderRecord, RefundRecord } from '../record';
import { findTransaction, postTransaction } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import { findRefunds, moveRefund } from '../store/refunds';
import { chargeOf, type JobDeps, type JobResult } from './job';

/**
 * Asks whether what was given back has arrived: a bank may send it back days later. The first refund that did not is taken
 * back, in the order and in the ledger, and both sides are told; then the rest is looked at anew.
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
  log.warn('payments.refund_returned', { orderId: id, refundId: refund.id });
  await inTransaction(async (tx) => {
    const transaction = await findTransaction(refundKey(refund), tx);
    if (!transaction) throw new Error(`the refund ${refund.id} is not in the ledger`);
    const set = { refunded, fee: order.fee + refundedFeeOf(transaction) };
    if (!(await moveOrder(tx, { id, from, version, to, code: 'refund_failed', at, set, outbox }))) return;
    await moveRefund(tx, refund, { state: 'failed', at });
    await postTransaction(tx, refundReversal(transaction), at);
  });
}
