import type { AcceptanceRecord } from '../record';
import type { AcceptanceState, AcceptanceView, DisputeReason } from '../schema-disputes';

/** What the state of an acceptance follows from. */
export type AcceptanceFacts = Pick<
  AcceptanceRecord,
  'acceptBy' | 'acceptedAt' | 'gross' | 'refunded' | 'disputeId' | 'isDisputeOver'
>;

/**
 * Returns the state of an acceptance. An acceptance by the buyer is final. Before the end of the time, a dispute and a
 * full refund end it; a withdrawn dispute does not.
 */
export function acceptanceStateOf(facts: AcceptanceFacts, now: Date): AcceptanceState {
  if (facts.acceptedAt !== null) return 'accepted';
  if (facts.disputeId !== null) return facts.isDisputeOver ? 'settled' : 'disputed';
  if (facts.refunded >= facts.gross) return 'refunded';
  return facts.acceptBy <= now ? 'accepted_by_itself' : 'awaiting';
}

/** Returns the acceptance as its parties and moderators see it. */
export function toAcceptanceView(found: AcceptanceRecord, now: Date): AcceptanceView {
  const state = acceptanceStateOf(found, now);
  const acceptedAt = state === 'accepted_by_itself' ? found.acceptBy : found.acceptedAt;
  return {
    terms: found.terms,
    state,
    acceptBy: found.acceptBy.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
  };
}

/** Like {@link toAcceptanceView}; null for a sale without acceptance terms. */
export function viewOfAcceptance(found: AcceptanceRecord | undefined | null, now: Date): AcceptanceView | null {
  return found ? toAcceptanceView(found, now) : null;
}

/** The reasons for which an accepted result can no longer be disputed. */
const closed: Partial<Record<AcceptanceState, readonly DisputeReason[]>> = {
  accepted: ['not_as_agreed', 'not_delivered'],
  // The buyer has not said that anything was delivered.
  accepted_by_itself: ['not_as_agreed'],
};

/** Returns the reasons for which a sale can no longer be disputed, because its result is accepted. */
export function closedReasonsOf(state: AcceptanceState): readonly DisputeReason[] {
  return closed[state] ?? [];
}
