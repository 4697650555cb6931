import type { DeliveredRun, Delivery, OfferedRun } from './delivery';

/** The durable runs of agents that connect to Parley. The gateway implements it. */
export interface RunSource {
  /** Claims waiting runs of an agent for this node, oldest first: each run is claimed once. */
  claim: (agentId: string, limit: number) => Promise<OfferedRun[]>;
  /** Agents among these with waiting runs. */
  findWaiting: (agentIds: string[]) => Promise<string[]>;
  /** Returns a claimed run to the waiting state, because no worker could accept it. */
  release: (run: OfferedRun) => Promise<void>;
  /** Executes a run over its delivery. Never throws. */
  execute: (delivery: Delivery) => Promise<void>;
  /** True when this node is the one that executes the task's run. */
  isOwn: (taskId: string) => Promise<boolean>;
  /**
   * Moves an accepted run to this node, because its worker reconnected here; null if it has ended or was offered again.
   */
  takeOver: (
    run: Pick<DeliveredRun, 'taskId' | 'turnSeq' | 'agentId' | 'workerId' | 'epoch'>,
  ) => Promise<DeliveredRun | null>;
}

let current: RunSource | null = null;

export function setRunSource(source: RunSource): void {
  current = source;
}

/** @throws {Error} before the node has started */
export function runSource(): RunSource {
  if (!current) throw new Error('the hub has no source of runs');
  return current;
}
