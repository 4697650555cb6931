import { BoundedMap } from '../../platform/bounded-map';
import { publish, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import {
  type BreakerState,
  type CallOutcome,
  closedState,
  openFromPeer,
  recordResult,
  retryAfterMs,
  tryHalfOpen,
} from './circuit-breaker-policy';

const maxEntries = 10_000;

function breakers(): Map<string, BreakerState> {
  return processSingleton('agent-breakers', () => new BoundedMap(maxEntries));
}

/** Begins to hear what other nodes find out about agents. */
export function syncBreakers(): void {
  subscribe('breaker', '*', (payload, from) => from === 'elsewhere' && applyRemoteState(payload));
}

/** What another node found out: `agentId:openings:pauseMs`; without a pause the agent is back. */
function applyRemoteState(payload: string): void {
  const [agentId = '', openings, pauseMs] = payload.split(':');
  const pause = Number(pauseMs);
  setState(agentId, pause > 0 ? openFromPeer(Number(openings), Date.now() + pause) : closedState);
}

/** Other nodes need not find out by themselves that an agent is down, or back. */
function publishState(agentId: string, { openings, openUntil }: BreakerState): void {
  const pauseMs = Math.max(0, openUntil - Date.now());
  publish('breaker', `${agentId}:${openings}:${pauseMs}`).catch((error) => {
    log.warn('breaker.not_told', { agentId, ...errorFields(error) });
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
 * Passes when the agent may be called.
 * @throws {ParleyError} `agent_unreachable` with the seconds until it is tried again, while it is known to be down
 */
export function requireReachable(agentId: string, now: Date): void {
  const wait = retryAfterMs(stateOf(agentId), now.getTime());
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const text = `The agent failed several times in a row and is left alone for now. Try again in ${retryAfter} s.`;
  throw new ParleyError('agent_unreachable', text, { retryAfter });
}

/**
 * Lets one call through; answers the way to tell how it went, of which the first word counts.
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

/** For a probe of ours, which asks nobody: an answer ends the time for which the agent is left alone; a failure says nothing. */
export function recordProbe(agentId: string): (outcome: CallOutcome) => void {
  return (outcome) => {
    if (outcome !== 'answered' || stateOf(agentId) === closedState) return;
    setState(agentId, closedState);
    publishState(agentId, closedState);
  };
}

/** True for the error that the breaker throws: the agent was not called. */
export function isBreakerOpen({ code, retryAfter }: ParleyError): boolean {
  return code === 'agent_unreachable' && retryAfter !== undefined;
}
