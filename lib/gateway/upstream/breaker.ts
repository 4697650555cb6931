import { ParleyError } from '../../platform/errors';
import { shared } from '../../platform/registry';
import { afterCall, type BreakerState, closedBreaker, letThrough, type Outcome, waitOf } from './breaker-policy';

const maxKept = 10_000;

function breakers(): Map<string, BreakerState> {
  return shared('agent-breakers', () => new Map());
}

function stateOf(agentId: string): BreakerState {
  return breakers().get(agentId) ?? closedBreaker;
}

function keep(agentId: string, state: BreakerState): void {
  const all = breakers();
  all.delete(agentId);
  if (state === closedBreaker) return;
  all.set(agentId, state);
  const oldest = all.keys().next().value;
  if (all.size > maxKept && oldest !== undefined) all.delete(oldest);
}

/**
 * Passes when the agent may be called.
 * @throws {ParleyError} `agent_unreachable` with the seconds until it is tried again, while it is known to be down
 */
export function requireReachable(agentId: string, now: Date): void {
  const wait = waitOf(stateOf(agentId), now.getTime());
  if (wait === 0) return;
  const retryAfter = Math.ceil(wait / 1000);
  const text = `The agent failed several times in a row and is left alone for now. Try again in ${retryAfter} s.`;
  throw new ParleyError('agent_unreachable', text, { retryAfter });
}

/**
 * Lets one call through; answers the way to tell how it went, of which the first word counts.
 * @throws what {@link requireReachable} throws
 */
export function enterBreaker(agentId: string, now: Date): (outcome: Outcome) => void {
  requireReachable(agentId, now);
  const known = stateOf(agentId);
  const entered = letThrough(known, now.getTime());
  if (entered !== known) keep(agentId, entered);
  let told = false;
  return (outcome) => {
    if (told) return;
    told = true;
    const state = stateOf(agentId);
    if (state !== closedBreaker || outcome === 'failed') keep(agentId, afterCall(state, outcome, Date.now()));
  };
}
