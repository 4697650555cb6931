import { LRUCache } from 'lru-cache';
import { subscribe } from '../../platform/bus';
import { errorFields, log } from '../../platform/runtime/log';
import { type Delivery, FIRST_EPOCH, type OfferedRun } from '../delivery';
import { DISPATCH_INTERVAL_MS, REMEMBERED_CONTEXTS } from '../limits';
import { runSource } from '../ports';
import type { WorkerSession } from '../worker-session';
import { onFreeCredit, openDelivery } from './deliveries';
import { connectedAgents, countCredits, doRunsWait, sessionsOf, setRunsWait } from './sessions';

interface Dispatcher {
  /** Agents whose waiting runs are being claimed; `again` is true if there was a change in the meantime. */
  active: Map<string, { again: boolean }>;
  stopped: boolean;
  stop: () => void;
}

const dispatcher: Dispatcher = { active: new Map(), stopped: false, stop: () => undefined };

/** Starts offering waiting runs to the workers of this node, on each notification and periodically. */
export function startDispatching(): void {
  const unsubscribe = subscribe('hub', '*', dispatchSoon);
  onFreeCredit((agentId) => {
    if (doRunsWait(agentId)) dispatchSoon(agentId);
  });
  const timer = setInterval(() => {
    dispatchAll().catch((error) => log.warn('hub.dispatch_failed', errorFields(error)));
  }, DISPATCH_INTERVAL_MS);
  timer.unref();
  dispatcher.stop = () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** Stops claiming runs. For shutdown. */
export function stopDispatching(): void {
  dispatcher.stopped = true;
  dispatcher.stop();
}

async function dispatchAll(): Promise<void> {
  const agents = connectedAgents().filter((agentId) => countCredits(agentId) > 0);
  if (agents.length === 0) return;
  for (const agentId of await runSource().findWaiting(agents)) dispatchSoon(agentId);
}

/** Offers waiting runs of the agent to the workers of this node that have credits. */
export function dispatchSoon(agentId: string): void {
  const { active, stopped } = dispatcher;
  if (stopped) return;
  if (countCredits(agentId) === 0) {
    setRunsWait(agentId, true);
    return;
  }
  const running = active.get(agentId);
  if (running) {
    running.again = true;
    return;
  }
  const state = { again: false };
  active.set(agentId, state);
  dispatch(agentId, state)
    .catch((error) => log.warn('hub.dispatch_failed', { agentId, ...errorFields(error) }))
    .finally(() => active.delete(agentId));
}

async function dispatch(agentId: string, state: { again: boolean }): Promise<void> {
  for (;;) {
    state.again = false;
    const credits = countCredits(agentId);
    if (credits === 0 || dispatcher.stopped) return;
    const runs = await runSource().claim(agentId, credits);
    const released = runs.filter((run) => !offer(run));
    setRunsWait(agentId, released.length > 0 || runs.length === credits);
    for (const run of released) await runSource().release(run);
    if (!state.again && runs.length < credits) return;
  }
}

/** Offers a run. Returns false if no worker has a credit. */
function offer(run: OfferedRun): boolean {
  const delivery = deliverToChosen(run);
  if (delivery) void runSource().execute(delivery);
  return delivery !== null;
}

/**
 * Acquires a worker's credit on this node for the first offer of a new run, before the run is written; null if none is
 * free, or if runs wait for one. The caller must execute the run or end the delivery.
 */
export function reserveWorker(run: Omit<OfferedRun, 'epoch' | 'seen'>): Delivery | null {
  if (dispatcher.stopped || doRunsWait(run.agentId)) return null;
  return deliverToChosen({ ...run, epoch: FIRST_EPOCH, seen: 0 });
}

function deliverToChosen(run: OfferedRun): Delivery | null {
  const session = chooseSession(run.agentId, run.contextId);
  return session && openDelivery({ ...run, workerId: session.identity.workerId }, { session, accepted: false });
}

/** The last worker of a context, by `contextOf`. */
const lastWorkers = new LRUCache<string, string>({ max: REMEMBERED_CONTEXTS });

/**
 * Chooses the worker for a run: the context's last one if it has a credit, otherwise the one with the lowest load, at
 * random among equals. Returns null if none has a credit.
 */
function chooseSession(agentId: string, contextId: string): WorkerSession | null {
  const now = performance.now();
  const free = sessionsOf(agentId).filter((session) => session.credits(now) > 0);
  const lastWorker = lastWorkers.get(contextOf(agentId, contextId));
  const last = free.find(({ identity }) => identity.workerId === lastWorker);
  const chosen = last ?? leastLoaded(free);
  if (chosen) lastWorkers.set(contextOf(agentId, contextId), chosen.identity.workerId);
  return chosen;
}

function leastLoaded(free: WorkerSession[]): WorkerSession | null {
  const loadOf = ({ deliveries, capacity }: WorkerSession): number => deliveries.size / capacity;
  const lowest = Math.min(...free.map(loadOf));
  const candidates = free.filter((session) => loadOf(session) === lowest);
  return candidates[Math.floor(Math.random() * candidates.length)] ?? null;
}

function contextOf(agentId: string, contextId: string): string {
  return `${agentId} ${contextId}`;
}
