import { publish, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/log';
import { NewestMap } from '../../platform/newest-map';
import { shared } from '../../platform/registry';
import {
  afterCall,
  type BreakerState,
  closedBreaker,
  letThrough,
  type Outcome,
  openedElsewhere,
  waitOf,
} from './breaker-policy';

const maxKept = 10_000;

function breakers(): Map<string, BreakerState> {
  return shared('agent-breakers', () => new NewestMap(maxKept));
}

/** Begins to hear what other nodes find out about agents. */
export function watchBreakers(): void {
  subscribe('breaker', '*', (notice, from) => from === 'elsewhere' && hear(notice));
}

/** What another node found out: `agentId:openings:pauseMs`; without a pause the agent is back. */
function hear(notice: string): void {
  const [agentId = '', openings, pauseMs] = notice.split(':');
  const pause = Number(pauseMs);
  keep(agentId, pause > 0 ? openedElsewhere(Number(openings), Date.now() + pause) : closedBreaker);
}

/** Other nodes need not find out by themselves that an agent is down, or back. */
function tell(agentId: string, { openings, openUntil }: BreakerState): void {
  const pauseMs = Math.max(0, openUntil - Date.now());
  publish('breaker', `${agentId}:${openings}:${pauseMs}`).catch((error) => {
    log.warn('breaker.not_told', { agentId, ...errorFields(error) });
  });
}

function stateOf(agentId: string): BreakerState {
  return breakers().get(agentId) ?? closedBreaker;
}

function keep(agentId: string, state: BreakerState): void {
  const all = breakers();
  if (state === closedBreaker) all.delete(agentId);
  else all.set(agentId, state);
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
    if (state === closedBreaker && outcome !== 'failed') return;
    const next = afterCall(state, outcome, Date.now());
    keep(agentId, next);
    if (next.openUntil !== state.openUntil) tell(agentId, next);
  };
}

/** For a probe of ours, which asks nobody: an answer ends the time for which the agent is left alone; a failure says nothing. */
export function noteProbe(agentId: string): (outcome: Outcome) => void {
  return (outcome) => {
    if (outcome !== 'answered' || stateOf(agentId) === closedBreaker) return;
    keep(agentId, closedBreaker);
    tell(agentId, closedBreaker);
  };
}

/** True for the error that the breaker throws: the agent was not called. */
export function isBreakerOpen({ code, retryAfter }: ParleyError): boolean {
  return code === 'agent_unreachable' && retryAfter !== undefined;
}
