import { type AgentStatus, isCallable } from '../../catalog/schema';
import type { OrderRecord } from '../record';

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
export function offerEndCode(found: {
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
