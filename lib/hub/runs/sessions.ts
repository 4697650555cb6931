import { keepInterest } from '../../platform/bus';
import { HUB_CLOSE } from '../../protocol/hub/errors';
import type { WorkerIdentity, WorkerSession } from '../worker-session';

/** The workers of one agent. */
interface AgentWorkers {
  sessions: Set<WorkerSession>;
  /** Unsubscribes from the agent's waiting runs. */
  endInterest: () => void;
  /** True if no worker had a credit for a run of the agent, which may still wait. */
  runsWait: boolean;
}

const workersByAgent = new Map<string, AgentWorkers>();

/** Returns the workers of an agent that are connected to this node. */
export function sessionsOf(agentId: string): WorkerSession[] {
  return [...(workersByAgent.get(agentId)?.sessions ?? [])];
}

/** Returns the agents with a worker on this node. */
export function connectedAgents(): string[] {
  return [...workersByAgent.keys()];
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
  const { agentId } = session.identity;
  const workers = workersByAgent.get(agentId) ?? {
    sessions: new Set(),
    endInterest: keepInterest('hub', agentId),
    runsWait: true,
  };
  workers.sessions.add(session);
  workersByAgent.set(agentId, workers);
}

export function removeSession(session: WorkerSession): void {
  const { agentId } = session.identity;
  const workers = workersByAgent.get(agentId);
  workers?.sessions.delete(session);
  if (workers?.sessions.size !== 0) return;
  workers.endInterest();
  workersByAgent.delete(agentId);
}

/** Returns true if runs of the agent may wait for a credit of its workers here, which new runs must not overtake. */
export function doRunsWait(agentId: string): boolean {
  return workersByAgent.get(agentId)?.runsWait ?? false;
}

export function setRunsWait(agentId: string, runsWait: boolean): void {
  const workers = workersByAgent.get(agentId);
  if (workers) workers.runsWait = runsWait;
}

/** Returns the number of runs of the agent that workers on this node can accept now. */
export function countCredits(agentId: string): number {
  const now = performance.now();
  let credits = 0;
  for (const session of workersByAgent.get(agentId)?.sessions ?? []) credits += session.credits(now);
  return credits;
}
