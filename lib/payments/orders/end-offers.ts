import { LRUCache } from 'lru-cache';
import { type AgentStatus, isCallable } from '../../catalog/schema';
import { inTransaction } from '../../platform/db/tx';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { isInterrupted } from '../../protocol/a2a/core/model';
import { MAX_CACHED_PAYABLE_OFFERS } from '../limits';
import { paymentsPort } from '../ports';
import type { OrderRecord } from '../record';
import { moveOrder } from '../store/move-order';
import { toSourceId } from '../store/offers';
import {
  findDeliveredOfEndedTasks,
  findEndedOffers,
  findOffersOfCompleted,
  type OfferScope,
  type OpenOffer,
} from '../store/order-tasks';
import { cancelHeldOrder } from './apply-merchant-reply';

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
 * new task. Returns false if the conversation continued after the offer and the task was then completed without a
 * payment.
 */
async function completedWithOffer({ userId, taskId, sourceId }: OrderRecord): Promise<boolean> {
  let offered = false;
  let continued = false;
  for await (const { event } of paymentsPort.operations().readTaskEvents({ principal: userId, id: taskId })) {
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

/** Reasons why an offer ends before its approval. Stored as the order's code and displayed as a sentence. */
type OfferEndCode =
  | 'offer_expired'
  | 'task_canceled'
  | 'task_failed'
  | 'task_rejected'
  | 'task_completed'
  | 'seller_unavailable';

const codeByTaskState: Partial<Record<string, OfferEndCode>> = {
  canceled: 'task_canceled',
  failed: 'task_failed',
  rejected: 'task_rejected',
  completed: 'task_completed',
};

/**
 * Returns the code for the end of an offer. The task's end takes precedence, because it is the most specific reason.
 */
function offerEndCode(found: {
  taskState: string | null;
  agentStatus: AgentStatus | null;
  isExpired: boolean;
}): OfferEndCode {
  const byTask = codeByTaskState[found.taskState ?? ''];
  if (byTask && byTask !== 'task_completed') return byTask;
  if (found.agentStatus !== null && !isCallable(found.agentStatus)) return 'seller_unavailable';
  return found.isExpired ? 'offer_expired' : (byTask ?? 'offer_expired');
}

/** Returns the code of the check that fails if the task of an offer has ended; null while the task is open. */
export function taskEndCode(taskState: string | null): OfferEndCode | null {
  return codeByTaskState[taskState ?? ''] ?? null;
}

/** Reasons why orders end or cannot be paid, as sentences for the buyer, with the cause and the next step. */
const reasons: Record<string, string> = {
  offer_expired: 'The offer has expired. You were not charged; ask the agent for a new one.',
  superseded: 'The agent has made a newer offer, which replaces this one. You were not charged.',
  declined_by_buyer: 'You declined the offer. You were not charged.',
  insufficient_funds: 'Your wallet balance is too low. Top it up and ask the agent for a new offer.',
  card_refused: 'The card processor declined this payment. You were not charged; try paying from your wallet.',
  payment_differs:
    'The amount held on your card is not the amount you approved. The hold was released and you were not charged.',
  payment_expired: 'The payment was not completed in time. You were not charged; ask the agent for a new offer.',
  paid_too_late: 'The card was confirmed after the offer had expired. The hold was released and you were not charged.',
  task_canceled: 'The task was canceled, so its offer is no longer valid. You were not charged.',
  task_failed: 'The task failed, so its offer is no longer valid. You were not charged.',
  task_rejected: 'The agent declined the task, so its offer is no longer valid. You were not charged.',
  task_completed:
    'The agent completed the task without a payment, so its offer is no longer valid. You were not charged.',
  seller_unavailable: 'The agent is no longer available, so its offer is no longer valid. You were not charged.',
  authorization_lapsed: 'The hold on your payment had expired. You were not charged.',
  capture_failed: 'The card processor could not charge the amount it held. You were not charged.',
  merchant_silent: 'The agent did not confirm the payment in time. The hold was released and you were not charged.',
};

const merchantRejected = 'The agent did not accept the payment. The hold was released and you were not charged.';

/** Returns the order's code as a sentence; null if there is no code or no sentence for it. */
export function reasonOf({ code, checks, state }: OrderRecord): string | null {
  if (code === null) return null;
  const failed = checks.find((check) => check.code === code && !check.ok) ?? checks.find((check) => !check.ok);
  if (failed && state === 'rejected') return failed.text;
  return (state === 'merchant_rejected' ? merchantRejected : reasons[code]) ?? null;
}

/** Returns the sentence for a code that ends an offer. */
export function reasonOfCode(code: OfferEndCode): string {
  return reasons[code] ?? 'The offer is no longer valid. You were not charged.';
}
