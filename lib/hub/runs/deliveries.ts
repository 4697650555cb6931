import { type DeliveredRun, Delivery, runIdOf } from '../delivery';
import type { WorkerSession } from '../worker-session';

interface Deliveries {
  byRunId: Map<string, Delivery>;
  onFreeCredit: (agentId: string) => void;
}

const deliveries: Deliveries = { byRunId: new Map(), onFreeCredit: () => undefined };

/** Sets the listener that is called when a worker of this node has a free credit. */
export function onFreeCredit(listener: (agentId: string) => void): void {
  deliveries.onFreeCredit = listener;
}

/** Finds the delivery of a run on this node; null if there is none. */
export function findDelivery(runId: string): Delivery | null {
  return deliveries.byRunId.get(runId) ?? null;
}

/** Finds the delivery of the task's current run on this node; null if there is none. */
export function findDeliveryOfTask(taskId: string): Delivery | null {
  for (const delivery of deliveries.byRunId.values()) if (delivery.run.taskId === taskId) return delivery;
  return null;
}

/** Returns the runs of a worker that this node delivers, connected or not. */
export function deliveriesOf({ agentId, workerId }: Pick<DeliveredRun, 'agentId' | 'workerId'>): Delivery[] {
  const found: Delivery[] = [];
  for (const delivery of deliveries.byRunId.values()) {
    if (delivery.run.workerId === workerId && delivery.run.agentId === agentId) found.push(delivery);
  }
  return found;
}

/**
 * Starts the delivery of a run on this node. `session` is the worker to which it is offered, or null for an accepted
 * run that waits for its worker to reconnect.
 */
export function openDelivery(
  run: DeliveredRun,
  { session, accepted }: { session: WorkerSession | null; accepted: boolean },
): Delivery {
  const { byRunId } = deliveries;
  byRunId.get(runIdOf(run))?.end('finished');
  const onEnd = (ended: Delivery): void => {
    if (byRunId.get(ended.runId) === ended) byRunId.delete(ended.runId);
    deliveries.onFreeCredit(run.agentId);
  };
  const delivery = new Delivery(run, { session, accepted }, onEnd);
  byRunId.set(delivery.runId, delivery);
  return delivery;
}
