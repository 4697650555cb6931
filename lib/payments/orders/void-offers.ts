import { LRUCache } from 'lru-cache';
import { inTransaction } from '../../platform/db/tx';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { isInterrupted } from '../../protocol/a2a/core/model';
import { MAX_CACHED_PAYABLE_OFFERS } from '../limits';
import { paymentsPort } from '../ports';
import type { OrderRecord } from '../record';
import {
  findDeliveredOfEndedTasks,
  findEndedOffers,
  findOffersOfCompleted,
  type OfferScope,
  type OpenOffer,
} from '../store/ended-offers';
import { moveOrder } from '../store/move-order';
import { toSourceId } from '../store/offers';
import { cancelHeldOrder } from './apply-merchant-reply';
import { offerEndCode, taskEndCode } from './end-reasons';

/** Cached ids of orders whose offer was made in the turn that completed the task. */
const payable = new LRUCache<string, true>({ max: MAX_CACHED_PAYABLE_OFFERS });

/**
 * Ends each unapproved offer in scope that expired, whose task ended without a payment, or whose agent may not sell.
 * Also ends each delivered order whose task ended in a state other than completed before the merchant confirmed, and
 * releases its hold. Approving and ending an order compare-and-set the same row, so that exactly one of them succeeds.
 */
export async function voidEndedOffers(scope: OfferScope, now: Date): Promise<void> {
  for (const offer of await findEndedOffers(scope, now)) await voidOffer(offer, now);
  for (const offer of await findOffersOfCompleted(scope, [...payable.keys()], now)) {
    if (await completedWithOffer(offer)) payable.set(offer.id, true);
    else await voidOffer(offer, now);
  }
  for (const order of await findDeliveredOfEndedTasks(scope)) {
    const code = taskEndCode(order.taskState);
    if (code !== null) await cancelHeldOrder(order, code, now);
  }
}

/** Returns true if the offer of a completed task was checked and remains payable. */
export function isPayableAfterCompletion(orderId: string): boolean {
  return payable.has(orderId);
}

async function voidOffer(
  { id, state: from, version, taskState, agentStatus, expiresAt }: OpenOffer,
  at: Date,
): Promise<void> {
  const code = offerEndCode({ taskState, agentStatus, isExpired: expiresAt !== null && expiresAt <= at });
  const to = code === 'offer_expired' ? 'expired' : 'canceled';
  await inTransaction((tx) => moveOrder(tx, { id, from, version, to, code, at }));
}

/**
 * Returns true if the task was completed in the turn that made the offer, because such agents expect the payment on a
 * new task. False if the conversation continued after the offer and the task was then completed without a payment.
 */
async function completedWithOffer({ taskId, sourceId }: OrderRecord): Promise<boolean> {
  let offered = false;
  let continued = false;
  for await (const { event } of paymentsPort.operations().readTaskEvents(taskId)) {
    if (isSource(event, sourceId)) {
      offered = true;
      continued = false;
    }
    if (offered && continuesExchange(event)) continued = true;
  }
  return !continued;
}

function isSource(event: TaskEvent, sourceId: string): boolean {
  if (event.type === 'artifact') return toSourceId(event.artifact.artifactId) === sourceId;
  const message = event.type === 'status' ? event.status.message : event.type === 'reply' ? event.message : undefined;
  return message !== undefined && toSourceId(message.messageId) === sourceId;
}

function continuesExchange(event: TaskEvent): boolean {
  if (event.type === 'message') return true;
  return event.type === 'status' && isInterrupted(event.status.state);
}
