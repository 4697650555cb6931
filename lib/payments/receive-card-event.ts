import { publish } from '../platform/bus';
import { log } from '../platform/log';
import { inTransaction } from '../platform/tx';
import { isTestMoney } from './money-mode';
import { findOrderById } from './store/orders';
import { enqueue } from './store/outbox';
import { keepEvent } from './store/stripe-events';
import { findTopUp } from './store/top-ups';
import type { CardEvent } from './stripe';

/**
 * Takes a notice of the card processor whose signature was right: what it is about is asked for anew, once for each notice,
 * by whichever node comes first. Of what it says nothing else is believed. Notices about what is not ours change nothing.
 */
export async function receiveCardEvent(event: CardEvent, now: Date): Promise<void> {
  const { id, type, live, reference } = event;
  const work = reference === null || live === isTestMoney() ? null : await workFor(reference);
  if (reference === null || !work) return log.info('payments.event_ignored', { eventId: id, type, live, reference });
  const isNew = await inTransaction(async (tx) => {
    if (!(await keepEvent(tx, { id, type, reference, at: now }))) return false;
    await enqueue(work, now, tx);
    return true;
  });
  log.info('payments.notice', { eventId: id, type, reference, isNew });
  if (isNew) await publish('order', reference);
}

type Work = { orderId: string; kind: 'retrieve' } | { topUpId: string; kind: 'retrieve' };

async function workFor(reference: string): Promise<Work | null> {
  if (await findOrderById(reference)) return { orderId: reference, kind: 'retrieve' };
  return (await findTopUp(reference)) && { topUpId: reference, kind: 'retrieve' };
}
