import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { feeGivenBy, refundKey, returnedMovement } from '../ledger-movements';
import type { OrderRecord, RefundRecord } from '../record';
import { findMovement, postMovement } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import { findRefunds, moveRefund } from '../store/refunds';
import { chargeOf, type StepResult, type Tools } from './job';

/**
 * Asks whether what was given back has arrived: a bank may send it back days later. The first refund that did not is taken
 * back, in the order and in the ledger, and both sides are told; then the rest is looked at anew.
 */
export async function recheckRefunds(order: OrderRecord, { now }: Tools): Promise<StepResult> {
  const paid = (await findRefunds([order.id])).filter(({ state }) => state === 'paid');
  for (const refund of paid) {
    const { kind } = await chargeOf(order).refund(order, refund);
    if (kind !== 'failed') continue;
    await takeBack(order, refund, now());
    return { again: now() };
  }
  return 'done';
}

async function takeBack(order: OrderRecord, refund: RefundRecord, at: Date): Promise<void> {
  const { id, state: from, version } = order;
  const refunded = order.refunded - refund.amount;
  const to = refunded === 0 ? 'captured' : 'partially_refunded';
  const outbox = [{ kind: 'announce' as const, dueAt: at, payload: { event: 'refund-failed', refundId: refund.id } }];
  log.warn('payments.refund_returned', { orderId: id, refundId: refund.id });
  await inTransaction(async (tx) => {
    const given = await findMovement(refundKey(refund), tx);
    if (!given) throw new Error(`the refund ${refund.id} is not in the ledger`);
    const set = { refunded, fee: order.fee + feeGivenBy(given) };
    if (!(await moveOrder(tx, { id, from, version, to, code: 'refund_failed', at, set, outbox }))) return;
    await moveRefund(tx, refund, { state: 'failed', at });
    await postMovement(tx, returnedMovement(given), at);
  });
}
