import { processSingleton } from '../../platform/singleton';
import { inTransaction } from '../../platform/tx';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { toSourceId } from '../ingest/source-id';
import { cancelHeldOrder } from '../mandates/apply-merchant-reply';
import type { OrderRecord } from '../record';
import {
  findDeliveredOfEndedTasks,
  findEndedOffers,
  findOffersOfCompleted,
  type OfferScope,
  type OpenOffer,
} from '../store/ended-offers';
import { moveOrder } from '../store/move-order';
import { offerEndCode, taskEndCode } from './offer-end-code';

/** Reads the events of a task, first to last. */
export type ReadTaskEvents = (taskId: string) => AsyncIterable<{ event: TaskEvent }>;

/** Offers known to have come with the completion of their task, so that they are checked once; oldest are dropped. */
const maxRemembered = 10_000;

interface VoidingState {
  readTaskEvents: ReadTaskEvents | null;
  /** Ids of orders whose task was completed in the very turn that made the offer. */
  payable: Set<string>;
}

function voidingState(): VoidingState {
  return processSingleton('payments-endings', () => ({ readTaskEvents: null, payable: new Set() }));
}

/** Sets how the events of a task are read. Payments cannot import the gateway, which is above it. */
export function setTaskEventReader(read: ReadTaskEvents): void {
  voidingState().readTaskEvents = read;
}

/**
 * Ends every unapproved offer in the scope that can no longer be paid: it expired, its task was canceled, failed, was
 * rejected or was completed without a payment, or its agent may not sell anymore. An approved order ends as long as its
 * merchant has not confirmed it, when its task was canceled, failed or was rejected; its held money is released. Approval
 * and ending compare-and-set the same row, so exactly one of them wins.
 */
export async function voidEndedOffers(scope: OfferScope, now: Date): Promise<void> {
  for (const offer of await findEndedOffers(scope, now)) await voidOffer(offer, now);
  const { payable } = voidingState();
  for (const offer of await findOffersOfCompleted(scope, [...payable], now)) {
    if (await completedWithOffer(offer)) rememberPayable(offer.id);
    else await voidOffer(offer, now);
  }
  for (const order of await findDeliveredOfEndedTasks(scope)) {
    const code = taskEndCode(order.taskState);
    if (code !== null) await cancelHeldOrder(order, code, now);
  }
}

/** True when the offer of a completed task was checked and may be paid all the same. */
export function isPayableAfterCompletion(orderId: string): boolean {
  return voidingState().readTaskEvents === null || voidingState().payable.has(orderId);
}

async function voidOffer(
  { id, state: from, version, taskState, agentStatus, expiresAt }: OpenOffer,
  at: Date,
): Promise<void> {
  const code = offerEndCode({ taskState, agentStatus, isExpired: expiresAt !== null && expiresAt <= at });
  const to = code === 'offer_expired' ? 'expired' : 'canceled';
  await inTransaction((tx) => moveOrder(tx, { id, from, version, to, code, at }));
}

function rememberPayable(orderId: string): void {
  const { payable } = voidingState();
  payable.add(orderId);
  const oldest = payable.size > maxRemembered ? payable.values().next().value : undefined;
  if (oldest !== undefined) payable.delete(oldest);
}

/**
 * Agents that answer with a cart and complete the task at the same time want to be paid on the next one. An agent that
 * asked, or was answered, after its offer and then completed the task has moved on without a payment.
 */
async function completedWithOffer({ taskId, sourceId }: OrderRecord): Promise<boolean> {
  const read = voidingState().readTaskEvents;
  if (read === null) return true;
  let offered = false;
  let movedOn = false;
  for await (const { event } of read(taskId)) {
    if (isSource(event, sourceId)) {
      offered = true;
      movedOn = false;
    }
    if (offered && continuesExchange(event)) movedOn = true;
  }
  return !movedOn;
}

function isSource(event: TaskEvent, sourceId: string): boolean {
  if (event.type === 'artifact') return toSourceId(event.artifact.artifactId) === sourceId;
  const message = event.type === 'status' ? event.status.message : event.type === 'reply' ? event.message : undefined;
  return message !== undefined && toSourceId(message.messageId) === sourceId;
}

function continuesExchange(event: TaskEvent): boolean {
  if (event.type === 'message') return true;
  return event.type === 'status' && (event.status.state === 'input-required' || event.status.state === 'auth-required');
}
