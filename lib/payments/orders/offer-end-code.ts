/** How an offer ends before anyone approves it; stored as the code of the order and shown with its reason. */
export type OfferEndCode =
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

/** The code for what ended an offer. What the task says comes first: it tells the person the most. */
export function offerEndCode(found: {
  taskState: string | null;
  agentStatus: string | null;
  isExpired: boolean;
}): OfferEndCode {
  const byTask = codeByTaskState[found.taskState ?? ''];
  if (byTask && byTask !== 'task_completed') return byTask;
  if (found.agentStatus !== null && found.agentStatus !== 'active' && found.agentStatus !== 'deprecated') {
    return 'seller_unavailable';
  }
  return found.isExpired ? 'offer_expired' : (byTask ?? 'offer_expired');
}

/** The check that fails when the task of an offer has ended; null while the task is open. */
export function taskEndCode(taskState: string | null): OfferEndCode | null {
  return codeByTaskState[taskState ?? ''] ?? null;
}
