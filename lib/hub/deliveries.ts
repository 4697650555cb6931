import { publishLocally } from '../platform/bus';
import { processSingleton } from '../platform/singleton';
import { type DeliveredRun, Delivery, runIdOf } from './delivery';
import type { WorkerSession } from './worker-session';

function deliveries(): Map<string, Delivery> {
  return processSingleton('hub-deliveries', () => new Map());
}

/** The delivery of a run on this node; null when there is none. */
export function findDelivery(runId: string): Delivery | null {
  return deliveries().get(runId) ?? null;
}

/** The delivery of the task's current run on this node; null when there is none. */
export function findDeliveryOfTask(taskId: string): Delivery | null {
  for (const delivery of deliveries().values()) if (delivery.run.taskId === taskId) return delivery;
  return null;
}

/** The runs of a worker that this node delivers, connected or not. */
export function deliveriesOf({ agentId, workerId }: Pick<DeliveredRun, 'agentId' | 'workerId'>): Delivery[] {
  return [...deliveries().values()].filter(({ run }) => run.agentId === agentId && run.workerId === workerId);
}

/**
 * Begins to deliver a run on this node. `session`: the worker that it is offered to, or null for an accepted run that
 * waits for its worker to reconnect.
 */
export function openDelivery(
  run: DeliveredRun,
  { session, accepted }: { session: WorkerSession | null; accepted: boolean },
): Delivery {
  deliveries().get(runIdOf(run))?.end('finished');
  const onEnd = (ended: Delivery): void => {
    if (deliveries().get(ended.runId) === ended) deliveries().delete(ended.runId);
    // Its worker has a free credit.
    publishLocally('hub', run.agentId);
  };
  const delivery = new Delivery(run, { session, accepted }, onEnd);
  deliveries().set(delivery.runId, delivery);
  return delivery;
}
