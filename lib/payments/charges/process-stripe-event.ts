import { publish } from '../../platform/bus';
import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { findOrderById } from '../store/orders';
import { enqueueJob } from '../store/outbox';
import { insertStripeEvent } from '../store/stripe-events';
import { findTopUp } from '../store/top-ups';
import type { StripeEvent } from './stripe';
import { isTestMode } from './stripe-mode';

/**
 * Takes a notice of the card processor whose signature was right: what it is about is asked for anew, once for each notice,
 * by whichever node comes first. Of what it says nothing else is believed. Notices about what is not ours change nothing.
 */
export async function processStripeEvent(event: StripeEvent, now: Date): Promise<void> {
  const { id, type, live, reference } = event;
  const job = reference === null || live === isTestMode() ? null : await jobFor(reference);
  if (reference === null || !job) return log.info('payments.event_ignored', { eventId: id, type, live, reference });
  const isNew = await inTransaction(async (tx) => {
    if (!(await insertStripeEvent(tx, { id, type, reference, at: now }))) return false;
    await enqueueJob(job, now, tx);
    return true;
  });
  log.info('payments.notice', { eventId: id, type, reference, isNew });
  if (isNew) await publish('order', reference);
}

type RetrieveJob = { orderId: string; kind: 'retrieve' } | { topUpId: string; kind: 'retrieve' };

async function jobFor(reference: string): Promise<RetrieveJob | null> {
  if (await findOrderById(reference)) return { orderId: reference, kind: 'retrieve' };
  return (await findTopUp(reference)) && { topUpId: reference, kind: 'retrieve' };
}
