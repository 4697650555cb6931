/** What is known of an agent that may be down. Times are milliseconds since 1970. */
export interface BreakerState {
  /** Failures since the last success. */
  failures: number;
  /** How often it opened since the last success. */
  openings: number;
  /** No call is let through before this; 0 while it is closed. */
  openUntil: number;
  /** When the call was let through that finds out whether the agent is back; null when none is under way. */
  probeSince: number | null;
}

/** How a call ended: with an answer, without one, or by being given up for reasons that are not the agent's. */
export type CallOutcome = 'answered' | 'failed' | 'given-up';

export const closedState: BreakerState = { failures: 0, openings: 0, openUntil: 0, probeSince: null };

const failuresToOpen = 5;
const initialOpenMs = 5_000;
const maxOpenMs = 60_000;
/** A probe that has not been heard of for this long is no longer waited for. */
const probeTimeoutMs = 60_000;

/** The state that another node's failures have led to. */
export function openFromPeer(openings: number, openUntil: number): BreakerState {
  return { failures: failuresToOpen, openings, openUntil, probeSince: null };
}

/** Milliseconds until a call may be let through; 0 when it may now. */
export function retryAfterMs(state: BreakerState, now: number): number {
  if (state.openUntil === 0) return 0;
  if (now < state.openUntil) return state.openUntil - now;
  const probing = state.probeSince !== null && now - state.probeSince < probeTimeoutMs;
  return probing ? initialOpenMs : 0;
}

/** The state when a call is let through: of an open breaker it is the one probe. */
export function tryHalfOpen(state: BreakerState, now: number): BreakerState {
  return state.openUntil === 0 ? state : { ...state, probeSince: now };
}

/** The state after a call: five failures in a row open it, a failed probe for twice as long as before (to a minute). */
export function recordResult(state: BreakerState, outcome: CallOutcome, now: number): BreakerState {
  if (outcome === 'answered') return closedState;
  if (outcome === 'given-up') return { ...state, probeSince: null };
  const failures = state.failures + 1;
  const opens = state.openUntil === 0 ? failures >= failuresToOpen : state.probeSince !== null;
  if (!opens) return { ...state, failures };
  const openMs = Math.min(initialOpenMs * 2 ** state.openings, maxOpenMs);
  return { failures, openings: state.openings + 1, openUntil: now + openMs, probeSince: null };
}
