import { LRUCache } from 'lru-cache';
import { keepInterest } from '../../platform/bus';
import { HUB_CLOSE } from '../../protocol/hub/errors';
import { REMEMBERED_CONTEXTS } from '../limits';
import type { WorkerIdentity, WorkerSession } from '../worker-session';

/** The workers of one agent. */
interface AgentWorkers {
  sessions: Set<WorkerSession>;
  /** Unsubscribes from the agent's waiting runs. */
  endInterest: () => void;
  /** True if no worker had a credit for a run of the agent, which may still wait. */
  runsWait: boolean;
}

interface Sessions {
  byAgent: Map<string, AgentWorkers>;
  /** The last worker of a context, by `contextOf`. */
  lastWorkers: LRUCache<string, string>;
}

const sessions: Sessions = {
  byAgent: new Map(),
  lastWorkers: new LRUCache({ max: REMEMBERED_CONTEXTS }),
};

/** Returns the workers of an agent that are connected to this node. */
export function sessionsOf(agentId: string): WorkerSession[] {
  return [...(sessions.byAgent.get(agentId)?.sessions ?? [])];
}

/** Returns the agents with a worker on this node. */
export function connectedAgents(): string[] {
  return [...sessions.byAgent.keys()];
}

/**
 * Closes the connection of a worker of this node, if any, so that it reconnects and resends the events of its runs that
 * were not persisted.
 */
export function reconnectWorker({ agentId, workerId }: Pick<WorkerIdentity, 'agentId' | 'workerId'>): void {
  for (const session of sessionsOf(agentId))
    if (session.identity.workerId === workerId) session.close(HUB_CLOSE.restart, 'Reconnect to continue your runs.');
}

export function addSession(session: WorkerSession): void {
  const { byAgent } = sessions;
  const { agentId } = session.identity;
  const workers = byAgent.get(agentId) ?? {
    sessions: new Set(),
    endInterest: keepInterest('hub', agentId),
    runsWait: true,
  };
  workers.sessions.add(session);
  byAgent.set(agentId, workers);
}

export function removeSession(session: WorkerSession): void {
  const { byAgent } = sessions;
  const { agentId } = session.identity;
  const workers = byAgent.get(agentId);
  workers?.sessions.delete(session);
  if (workers?.sessions.size !== 0) return;
  workers.endInterest();
  byAgent.delete(agentId);
}

/** Returns true if runs of the agent may wait for a credit of its workers here, which new runs must not overtake. */
export function doRunsWait(agentId: string): boolean {
  return sessions.byAgent.get(agentId)?.runsWait ?? false;
}

export function setRunsWait(agentId: string, runsWait: boolean): void {
  const workers = sessions.byAgent.get(agentId);
  if (workers) workers.runsWait = runsWait;
}

/** Returns the number of runs of the agent that workers on this node can accept now. */
export function countCredits(agentId: string): number {
  const now = performance.now();
  let credits = 0;
  for (const session of sessions.byAgent.get(agentId)?.sessions ?? []) credits += session.credits(now);
  return credits;
}

/**
 * Chooses the worker for a run: the context's last one if it has a credit, otherwise the one with the lowest load, at
 * random among equals. Returns null if none has a credit.
 */
export function chooseSession(agentId: string, contextId: string): WorkerSession | null {
  const now = performance.now();
  const free = sessionsOf(agentId).filter((session) => session.credits(now) > 0);
  const lastWorker = sessions.lastWorkers.get(contextOf(agentId, contextId));
  const last = free.find(({ identity }) => identity.workerId === lastWorker);
  const chosen = last ?? leastLoaded(free);
  if (chosen) sessions.lastWorkers.set(contextOf(agentId, contextId), chosen.identity.workerId);
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
