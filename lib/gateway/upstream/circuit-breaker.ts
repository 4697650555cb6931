import { LRUCache } from 'lru-cache';
import { publish, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import {
  BREAKER_FAILURES_TO_OPEN,
  BREAKER_INITIAL_OPEN_MS,
  BREAKER_MAX_OPEN_MS,
  BREAKER_PROBE_TIMEOUT_MS,
  MAX_CACHED_AGENTS,
} from '../limits';

/** The breaker of one agent. Times are milliseconds since 1970. */
export interface BreakerState {
  /** Failures since the last success. */
  failures: number;
  /** Openings since the last success. */
  openings: number;
  /** No call is permitted before this; 0 while closed. */
  openUntil: number;
  /** When the half-open probe started; null when there is none. */
  probeSince: number | null;
}

/** How a call ended: with a response, without one, or aborted for reasons other than the agent. */
export type CallOutcome = 'answered' | 'failed' | 'given-up';

export const closedState: BreakerState = { failures: 0, openings: 0, openUntil: 0, probeSince: null };

/** The state after another node's failures. */
function openFromPeer(openings: number, openUntil: number): BreakerState {
  return { failures: BREAKER_FAILURES_TO_OPEN, openings, openUntil, probeSince: null };
}

/** Milliseconds until a call is permitted; 0 if it is now. */
export function retryAfterMs(state: BreakerState, now: number): number {
  if (state.openUntil === 0) return 0;
  if (now < state.openUntil) return state.openUntil - now;
  const probing = state.probeSince !== null && now - state.probeSince < BREAKER_PROBE_TIMEOUT_MS;
  return probing ? BREAKER_INITIAL_OPEN_MS : 0;
}

/** The state when a call is permitted: for an open breaker it is the probe. */
export function tryHalfOpen(state: BreakerState, now: number): BreakerState {
  return state.openUntil === 0 ? state : { ...state, probeSince: now };
}

/** The state after a call. Consecutive failures open it; a failed probe doubles the open time, up to the maximum. */
export function recordResult(state: BreakerState, outcome: CallOutcome, now: number): BreakerState {
  if (outcome === 'answered') return closedState;
  if (outcome === 'given-up') return { ...state, probeSince: null };
  const failures = state.failures + 1;
  const opens = state.openUntil === 0 ? failures >= BREAKER_FAILURES_TO_OPEN : state.probeSince !== null;
  if (!opens) return { ...state, failures };
  const openMs = Math.min(BREAKER_INITIAL_OPEN_MS * 2 ** state.openings, BREAKER_MAX_OPEN_MS);
  return { failures, openings: state.openings + 1, openUntil: now + openMs, probeSince: null };
}

function breakers(): LRUCache<string, BreakerState> {
  return processSingleton('agent-breakers', () => new LRUCache({ max: MAX_CACHED_AGENTS }));
}

/** Subscribes to breaker changes of other nodes. */
export function syncBreakers(): void {
  subscribe('breaker', '*', (payload, from) => from === 'elsewhere' && applyRemoteState(payload));
}

/** Applies `agentId:openings:pauseMs` from another node; a pause of 0 closes the breaker. */
function applyRemoteState(payload: string): void {
  const [agentId = '', openings, pauseMs] = payload.split(':');
  const pause = Number(pauseMs);
  setState(agentId, pause > 0 ? openFromPeer(Number(openings), Date.now() + pause) : closedState);
}

/** Shares an opened or closed breaker with other nodes. */
function publishState(agentId: string, { openings, openUntil }: BreakerState): void {
  const pauseMs = Math.max(0, openUntil - Date.now());
  publish('breaker', `${agentId}:${openings}:${pauseMs}`).catch((error) => {
    log.warn('breaker.notify_failed', { agentId, ...errorFields(error) });
  });
}

function stateOf(agentId: string): BreakerState {
  return breakers().get(agentId) ?? closedState;
}

function setState(agentId: string, state: BreakerState): void {
  const all = breakers();
  if (state === closedState) all.delete(agentId);
  else all.set(agentId, state);
}

/**
 * Returns when the agent may be called.
 * @throws {ParleyError} `agent_unreachable` with the seconds until the next probe, while the breaker is open
 */
export function requireReachable(agentId: string, now: Date): void {
  const wait = retryAfterMs(stateOf(agentId), now.getTime());
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const text = `The agent failed several times in a row and is left alone for now. Try again in ${retryAfter} s.`;
  throw new ParleyError('agent_unreachable', text, { retryAfter });
}

/**
 * Permits one call; returns a function that records its outcome, of which the first counts.
 * @throws what {@link requireReachable} throws
 */
export function acquireCallPermit(agentId: string, now: Date): (outcome: CallOutcome) => void {
  requireReachable(agentId, now);
  const current = stateOf(agentId);
  const admitted = tryHalfOpen(current, now.getTime());
  if (admitted !== current) setState(agentId, admitted);
  let recorded = false;
  return (outcome) => {
    if (recorded) return;
    recorded = true;
    const state = stateOf(agentId);
    if (state === closedState && outcome !== 'failed') return;
    const next = recordResult(state, outcome, Date.now());
    setState(agentId, next);
    if (next.openUntil !== state.openUntil) publishState(agentId, next);
  };
}

/** For Parley's own probes, which need no permit: a response closes the breaker; a failure is ignored. */
export function recordProbe(agentId: string): (outcome: CallOutcome) => void {
  return (outcome) => {
    if (outcome !== 'answered' || stateOf(agentId) === closedState) return;
    setState(agentId, closedState);
    publishState(agentId, closedState);
  };
}

/** True for the breaker's error: the agent was not called. */
export function isBreakerOpen({ code, retryAfter }: ParleyError): boolean {
  return code === 'agent_unreachable' && retryAfter !== undefined;
}
