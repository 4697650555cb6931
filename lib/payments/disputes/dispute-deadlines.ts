import { inTransaction, type Tx } from '../../platform/db/tx';
import { errorFields, log } from '../../platform/runtime/log';
import { DISPUTE_BATCH_SIZE, DISPUTE_REMINDER_MS } from '../limits';
import { addEntry } from '../store/disputes/dispute-entries';
import { queueNotice } from '../store/disputes/dispute-notices';
import { type DisputeRecord, findDueDisputes, moveDispute, nextDisputeDue } from '../store/disputes/dispute-rows';
import { findRefund } from '../store/order-details';
import { escalateDispute, extend } from './change-dispute';
import { type LockedDispute, lockDispute, settleDisputedRefund } from './close-dispute';
import { deadlineOf } from './dispute-machine';

/**
 * Gives disputes whose deadline has passed to the moderators, and reminds the parties a day before. Safe to run on any
 * number of nodes.
 */
export async function runDisputeDeadlines(now: Date): Promise<void> {
  const remindBefore = new Date(now.getTime() + DISPUTE_REMINDER_MS);
  for (const found of await findDueDisputes({ now, remindBefore }, DISPUTE_BATCH_SIZE)) {
    try {
      await inTransaction((tx) => runDeadline(tx, found, now));
    } catch (error) {
      log.warn('disputes.deadline_failed', { disputeId: found.id, ...errorFields(error) });
    }
  }
}

/** Returns the time of the next deadline or reminder; null for none. */
export function nextDisputeDeadline(): Promise<Date | null> {
  return nextDisputeDue(DISPUTE_REMINDER_MS);
}

async function runDeadline(tx: Tx, found: DisputeRecord, now: Date): Promise<void> {
  const locked = await lockDispute(tx, found);
  const { dispute } = locked;
  // Another node or a party was first.
  if (dispute.version !== found.version || dispute.dueAt === null) return;
  if (dispute.dueAt > now) return remind(tx, dispute, now);
  switch (dispute.state) {
    case 'open':
    case 'answered':
      await addEntry(tx, {
        disputeId: dispute.id,
        author: 'parley',
        kind: 'escalated',
        text: '',
        amount: null,
        at: now,
      });
      return escalateDispute(tx, locked, now);
    case 'review':
    case 'failed':
      return extend(tx, locked, { state: dispute.state, at: now });
    case 'refunding':
      return checkRefund(tx, locked, now);
    case 'closed':
      return;
  }
}

async function remind(tx: Tx, dispute: DisputeRecord, at: Date): Promise<void> {
  if (!(await moveDispute(tx, dispute, { remindedAt: at, at }))) return;
  const parties = dispute.state === 'open' ? (['seller'] as const) : (['buyer', 'seller'] as const);
  for (const to of parties) await queueNotice(tx, dispute, { to, event: 'reminder', at });
}

/** Looks for the result of a refund that a node of an earlier release may have stored. */
async function checkRefund(tx: Tx, { dispute }: LockedDispute, at: Date): Promise<void> {
  const refund = await findRefund(dispute.refundId ?? '', tx);
  if (refund?.state === 'paid' || refund?.state === 'failed')
    return settleDisputedRefund(tx, refund, { paid: refund.state === 'paid', at });
  await moveDispute(tx, dispute, { dueAt: deadlineOf('refunding', at), at });
}
