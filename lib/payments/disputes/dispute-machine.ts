import { ParleyError } from '../../platform/errors';
import { DAY_MS } from '../../platform/time';
import { DISPUTE_AGREEMENT_DAYS, DISPUTE_ANSWER_DAYS, DISPUTE_DECISION_DAYS, DISPUTE_REFUND_CHECK_MS } from '../limits';
import type { DisputeAction, DisputeRole, DisputeState, DisputeView } from '../schema-disputes';
import type { DisputeRecord } from '../store/disputes/dispute-rows';

/** The states of a dispute, each with the states that may follow it. */
const transitions: Record<DisputeState, readonly DisputeState[]> = {
  open: ['answered', 'review', 'refunding', 'closed'],
  answered: ['review', 'refunding', 'closed'],
  review: ['refunding', 'closed'],
  refunding: ['closed', 'failed'],
  // The refund of an order failed: the money is still held, and a moderator decides again.
  failed: ['refunding', 'closed'],
  closed: [],
};

/** Returns true if a dispute may move from one state to the other. */
export function mayFollow(from: DisputeState, to: DisputeState): boolean {
  return transitions[from].includes(to);
}

/** The time within which something must happen in each state, milliseconds; null without a deadline. */
const deadlines: Record<DisputeState, number | null> = {
  open: DISPUTE_ANSWER_DAYS * DAY_MS,
  answered: DISPUTE_AGREEMENT_DAYS * DAY_MS,
  review: DISPUTE_DECISION_DAYS * DAY_MS,
  refunding: DISPUTE_REFUND_CHECK_MS,
  failed: DISPUTE_DECISION_DAYS * DAY_MS,
  closed: null,
};

/** Returns the deadline of a state that begins at `at`; null if it has none. */
export function deadlineOf(state: DisputeState, at: Date): Date | null {
  const ms = deadlines[state];
  return ms === null ? null : new Date(at.getTime() + ms);
}

/** The states in which the parties can still agree. */
const agreeing: readonly DisputeState[] = ['open', 'answered', 'review'];

/** Returns what a role may do in a dispute. */
export function actionsOf({ state, proposedBy }: DisputeRecord, role: DisputeRole): DisputeView['actions'] {
  if (role === 'moderator') return state === 'review' || state === 'failed' ? ['decide'] : [];
  if (!agreeing.includes(state)) return [];
  const accepts: DisputeAction[] = proposedBy !== null && proposedBy !== role ? ['accept'] : [];
  const own: DisputeAction[] = role === 'buyer' ? ['withdraw'] : ['refund'];
  const asks: DisputeAction[] = state === 'answered' ? ['escalate'] : [];
  return ['message', 'propose', ...accepts, ...own, ...asks];
}

/**
 * Requires that the role may do this now.
 * @throws {ParleyError} `conflict`
 */
export function requireAction(dispute: DisputeRecord, role: DisputeRole, action: DisputeView['actions'][number]): void {
  if (!actionsOf(dispute, role).includes(action)) throw notPossible(dispute);
}

/** Returns the error for what is not possible in the state of a dispute. */
export function notPossible({ state }: Pick<DisputeRecord, 'state'>): ParleyError {
  return new ParleyError('conflict', `This is not possible: the dispute is now ${state}. Load it again.`, {
    data: { state },
  });
}
