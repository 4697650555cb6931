import type { Tx } from '../../platform/db/tx';
import { endDisputeHold } from '../earnings/dispute-holds';
import type { EarningRecord } from '../record';
import { refundCharge } from '../refunds/charge-refunds';
import { grantRefund } from '../refunds/order-refunds';
import { notRefundable } from '../refunds/refund-rules';
import type { DisputeOutcome } from '../schema-disputes';
import { addEntry } from '../store/disputes/dispute-entries';
import { queueNotice } from '../store/disputes/dispute-notices';
import { type DisputeRecord, findDispute, findDisputeOfRefund, moveDispute } from '../store/disputes/dispute-rows';
import { findAcceptance } from '../store/earnings/acceptance-rows';
import { lockEarning } from '../store/earnings/earning-rows';
import { findOrderById } from '../store/orders';
import { deadlineOf, mayFollow, notPossible } from './dispute-machine';

/** A dispute and its earning, both locked by the transaction. */
export interface LockedDispute {
  dispute: DisputeRecord;
  earning: EarningRecord;
}

/** Locks the earning of a dispute, which orders all changes of both, and reads the dispute again. */
export async function lockDispute(tx: Tx, { id, saleKind, saleId }: DisputeRecord): Promise<LockedDispute> {
  const earning = await lockEarning(tx, saleKind, saleId);
  const dispute = await findDispute('all', id, tx);
  if (!earning || !dispute) throw new Error(`the dispute ${id} has no earning`);
  return { dispute, earning };
}

/** How a dispute ends: the amount that goes back to the buyer, minor units, of which 0 is nothing. */
interface Ending {
  outcome: DisputeOutcome;
  amount: number;
  at: Date;
}

/**
 * Ends a dispute in one transaction with its refund. A charge is refunded, and the hold ends. An order's refund is
 * enqueued; its money stays held until it is paid.
 * @throws {ParleyError} `conflict` if the dispute has ended, or more than what is wanted or left would be refunded
 */
export async function endDispute(
  tx: Tx,
  { dispute, earning }: LockedDispute,
  { outcome, amount, at }: Ending,
): Promise<void> {
  const left = Math.min(dispute.wanted, earning.gross - earning.refunded);
  if (amount > left) throw notRefundable({ amount, left, currency: dispute.currency });
  const isOrderRefund = amount > 0 && dispute.saleKind === 'order';
  const state = isOrderRefund ? 'refunding' : 'closed';
  if (!mayFollow(dispute.state, state)) throw notPossible(dispute);
  if (!isOrderRefund) await endHold(tx, { dispute, earning }, { outcome, at });
  const refundId = amount > 0 ? await giveRefund(tx, { dispute, earning }, { amount, at }) : null;
  const end = isOrderRefund ? { dueAt: deadlineOf('refunding', at) } : { closedAt: at, dueAt: null };
  if (!(await moveDispute(tx, dispute, { state, outcome, awarded: amount, refundId, ...end, at })))
    throw notPossible(dispute);
  if (isOrderRefund) return;
  for (const to of ['buyer', 'seller'] as const) await queueNotice(tx, dispute, { to, event: 'closed', at });
}

const refundReason = 'Refunded after a dispute.';

async function giveRefund(
  tx: Tx,
  { dispute, earning }: LockedDispute,
  { amount, at }: { amount: number; at: Date },
): Promise<string> {
  if (dispute.saleKind === 'charge')
    return refundCharge(tx, earning, { buyerId: dispute.userId, amount, reason: refundReason, at });
  const order = await findOrderById(dispute.saleId, tx);
  if (!order) throw new Error(`the order ${dispute.saleId} of a dispute is gone`);
  return grantRefund(tx, order, { decision: { amount, reason: refundReason }, at });
}

async function endHold(
  tx: Tx,
  { dispute, earning }: LockedDispute,
  { outcome, at }: Pick<Ending, 'outcome' | 'at'>,
): Promise<void> {
  const { id, priorHold: hold, priorAvailableAt: availableAt } = dispute;
  const prior = outcome === 'withdrawn' ? { hold, availableAt } : await priorWithoutAcceptance(tx, dispute);
  await endDisputeHold(tx, earning, { id, prior, at });
}

/** Returns the hold before the dispute; once the dispute has a result, nobody waits for an acceptance. */
async function priorWithoutAcceptance(
  tx: Tx,
  { saleKind, saleId, priorHold: hold, priorAvailableAt: availableAt }: DisputeRecord,
): Promise<Pick<EarningRecord, 'hold' | 'availableAt'>> {
  const found = hold === 'acceptance' ? await findAcceptance(saleKind, saleId, tx) : null;
  return found ? { hold: found.priorHold, availableAt: found.priorAvailableAt } : { hold, availableAt };
}

/**
 * Closes the dispute whose refund is paid, in the transaction that posts the refund and before it. Does nothing for
 * other refunds. After a failed refund, the money stays held, and a moderator decides again.
 */
export async function settleDisputedRefund(
  tx: Tx,
  refund: { id: string },
  { paid, at }: { paid: boolean; at: Date },
): Promise<void> {
  const found = await findDisputeOfRefund(tx, refund.id);
  if (found?.state !== 'refunding') return;
  const locked = await lockDispute(tx, found);
  const { dispute } = locked;
  if (dispute.state !== 'refunding' || dispute.refundId !== refund.id) return;
  const { id: disputeId, awarded: amount } = dispute;
  const change = paid
    ? { state: 'closed' as const, closedAt: at, dueAt: null }
    : { state: 'failed' as const, outcome: null, awarded: null, refundId: null, dueAt: deadlineOf('failed', at) };
  if (!(await moveDispute(tx, dispute, { ...change, at }))) return;
  if (paid) await endHold(tx, locked, { outcome: dispute.outcome ?? 'decided', at });
  await addEntry(tx, {
    disputeId,
    author: 'parley',
    kind: paid ? 'refund_paid' : 'refund_failed',
    text: '',
    amount,
    at,
  });
  const event = paid ? 'closed' : 'escalated';
  for (const to of ['buyer', 'seller'] as const) await queueNotice(tx, dispute, { to, event, at });
}
