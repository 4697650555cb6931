import { subscribe } from '../platform/bus';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { openDelivery } from './deliveries';
import { DISPATCH_INTERVAL_MS } from './limits';
import { runSource } from './run-source';
import { chooseSession, connectedAgents, countCredits } from './sessions';

interface Dispatcher {
  /** Agents whose waiting runs are being claimed; `again`: something changed meanwhile. */
  active: Map<string, { again: boolean }>;
  stopped: boolean;
  stop: () => void;
}

function dispatcher(): Dispatcher {
  return processSingleton('hub-dispatcher', () => ({ active: new Map(), stopped: false, stop: () => undefined }));
}

/** Starts to offer waiting runs to the workers of this node: on each notification, and periodically. */
export function startDispatching(): void {
  const unsubscribe = subscribe('hub', '*', dispatchSoon);
  const timer = setInterval(() => {
    dispatchAll().catch((error) => log.warn('hub.dispatch_failed', errorFields(error)));
  }, DISPATCH_INTERVAL_MS);
  timer.unref();
  dispatcher().stop = () => {
    clearInterval(timer);
    unsubscribe();
  };
}

/** Claims nothing more; for shutdown. */
export function stopDispatching(): void {
  dispatcher().stopped = true;
  dispatcher().stop();
}

async function dispatchAll(): Promise<void> {
  const agents = connectedAgents().filter((agentId) => countCredits(agentId) > 0);
  if (agents.length === 0) return;
  for (const agentId of await runSource().findWaiting(agents)) dispatchSoon(agentId);
}

/** Offers waiting runs of the agent to the workers of this node that have credits. */
export function dispatchSoon(agentId: string): void {
  const { active, stopped } = dispatcher();
  if (stopped || countCredits(agentId) === 0) return;
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
    if (credits === 0 || dispatcher().stopped) return;
    const runs = await runSource().claim(agentId, credits);
    for (const run of runs) {
      const session = chooseSession(agentId, run.contextId);
      if (!session) {
        await runSource().release(run);
        continue;
      }
      const { workerId } = session.identity;
      void runSource().execute(openDelivery({ ...run, workerId }, { session, accepted: false }));
    }
    if (!state.again && runs.length < credits) return;
  }
}
