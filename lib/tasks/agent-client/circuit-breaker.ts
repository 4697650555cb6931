import { LRUCache } from 'lru-cache';
import { publish, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import {
  type BreakerState,
  type CallOutcome,
  closedState,
  openFromPeer,
  recordResult,
  retryAfterMs,
  tryHalfOpen,
} from '../../platform/http-client/breaker-state';
import { errorFields, log } from '../../platform/runtime/log';
import { MAX_CACHED_AGENTS } from '../limits';

const breakers = new LRUCache<string, BreakerState>({ max: MAX_CACHED_AGENTS });

type FailureListener = (agentId: string) => void;

const failureListeners = new Set<FailureListener>();

/** Calls `listener` with the id of each agent that this node failed to reach, once per series of failures. */
export function onFirstFailure(listener: FailureListener): void {
  failureListeners.add(listener);
}

/** Subscribes to breaker changes of other nodes. */
export function syncBreakers(): void {
  subscribe('breaker', '*', (payload, from) => from === 'elsewhere' && applyRemoteState(payload));
}

/** Applies `agentId:openings:pauseMs` from another node. A pause of 0 closes the breaker. */
function applyRemoteState(payload: string): void {
  const [agentId = '', openings, pauseMs] = payload.split(':');
  const pause = Number(pauseMs);
  setState(agentId, pause > 0 ? openFromPeer(Number(openings), Date.now() + pause) : closedState);
}

/** Publishes an opened or closed breaker to other nodes. */
function publishState(agentId: string, { openings, openUntil }: BreakerState): void {
  const pauseMs = Math.max(0, openUntil - Date.now());
  publish('breaker', `${agentId}:${openings}:${pauseMs}`).catch((error) => {
    log.warn('breaker.notify_failed', { agentId, ...errorFields(error) });
  });
}

function stateOf(agentId: string): BreakerState {
  return breakers.get(agentId) ?? closedState;
}

function setState(agentId: string, state: BreakerState): void {
  if (state === closedState) breakers.delete(agentId);
  else breakers.set(agentId, state);
}

/**
 * Requires that the agent may be called.
 * @throws {ParleyError} `agent_unreachable` with the seconds until the next probe, while the breaker is open
 */
export function requireReachable(agentId: string, now: Date): void {
  const wait = retryAfterMs(stateOf(agentId), now.getTime());
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const text = `The agent failed several times in a row, so calls to it are paused. Try again in ${retryAfter} s.`;
  throw new ParleyError('agent_unreachable', text, { retryAfter });
}

/**
 * Acquires permission for one call. Returns a function that records its outcome; only the first outcome counts.
 * @throws the errors of {@link requireReachable}
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
    if (state === closedState) for (const listener of failureListeners) listener(agentId);
    const next = recordResult(state, outcome, Date.now());
    setState(agentId, next);
    if (next.openUntil !== state.openUntil) publishState(agentId, next);
  };
}

/**
 * Records the outcome of Parley's own probes, which need no permission. A response closes the breaker; a failure is
 * ignored.
 */
export function recordProbe(agentId: string): (outcome: CallOutcome) => void {
  return (outcome) => {
    if (outcome !== 'answered' || stateOf(agentId) === closedState) return;
    setState(agentId, closedState);
    publishState(agentId, closedState);
  };
}

/** Returns true for the breaker's error, which means that the agent was not called. */
export function isBreakerOpen({ code, retryAfter }: ParleyError): boolean {
  return code === 'agent_unreachable' && retryAfter !== undefined;
}
