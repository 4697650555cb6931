import {
  BREAKER_FAILURES_TO_OPEN,
  BREAKER_INITIAL_OPEN_MS,
  BREAKER_MAX_OPEN_MS,
  BREAKER_PROBE_TIMEOUT_MS,
} from '../limits';

/** The state of the circuit breaker of one callee. Times are milliseconds since 1970. */
export interface BreakerState {
  /** Failures since the last success. */
  failures: number;
  /** Number of times the breaker has opened since the last success. */
  openings: number;
  /** No call is permitted before this time; 0 while closed. */
  openUntil: number;
  /** The start time of the half-open probe; null if there is none. */
  probeSince: number | null;
}

/** The result of a call: a response, no response, or aborted for a reason unrelated to the callee. */
export type CallOutcome = 'answered' | 'failed' | 'given-up';

export const closedState: BreakerState = { failures: 0, openings: 0, openUntil: 0, probeSince: null };

/** Returns the state after failures reported by another node. */
export function openFromPeer(openings: number, openUntil: number): BreakerState {
  return { failures: BREAKER_FAILURES_TO_OPEN, openings, openUntil, probeSince: null };
}

/** Returns the time until a call is permitted, milliseconds; 0 if it is permitted now. */
export function retryAfterMs(state: BreakerState, now: number): number {
  if (state.openUntil === 0) return 0;
  const waitMs = state.openUntil - now;
  // A longer wait means that the clock was set back.
  if (waitMs > 0 && waitMs <= BREAKER_MAX_OPEN_MS) return waitMs;
  const probing = state.probeSince !== null && Math.abs(now - state.probeSince) < BREAKER_PROBE_TIMEOUT_MS;
  return probing ? BREAKER_INITIAL_OPEN_MS : 0;
}

/** Returns the state when a call is permitted. If the breaker is open, the call is the probe. */
export function tryHalfOpen(state: BreakerState, now: number): BreakerState {
  return state.openUntil === 0 ? state : { ...state, probeSince: now };
}

/**
 * Returns the state after the result of a call. Consecutive failures open the breaker; a failed probe doubles the open
 * time up to the maximum.
 */
export function recordResult(state: BreakerState, outcome: CallOutcome, now: number): BreakerState {
  if (outcome === 'answered') return closedState;
  if (outcome === 'given-up') return { ...state, probeSince: null };
  const failures = state.failures + 1;
  const opens = state.openUntil === 0 ? failures >= BREAKER_FAILURES_TO_OPEN : state.probeSince !== null;
  if (!opens) return { ...state, failures };
  const openMs = Math.min(BREAKER_INITIAL_OPEN_MS * 2 ** state.openings, BREAKER_MAX_OPEN_MS);
  return { failures, openings: state.openings + 1, openUntil: now + openMs, probeSince: null };
}
