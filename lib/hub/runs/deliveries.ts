import type { HelloParams } from '../../protocol/hub/hub-schema';
import { type DeliveredRun, Delivery, runIdOf } from '../delivery';
import { runSource } from '../ports';
import type { WorkerSession } from '../worker-session';

interface Deliveries {
  byRunId: Map<string, Delivery>;
  onFreeCredit: (agentId: string) => void;
}

const deliveries: Deliveries = { byRunId: new Map(), onFreeCredit: () => undefined };

/** Sets the listener that is called when a delivery on this node ends, which may free a worker's credit. */
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
function deliveriesOf({ agentId, workerId }: Pick<DeliveredRun, 'agentId' | 'workerId'>): Delivery[] {
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

/** The instruction for a run that a worker still executes: resend the events after `seen`, or drop the run. */
export type ResumedRun = { runId: string; epoch: number; seen: number } | { runId: string; gone: true };

type NamedRun = HelloParams['runs'][number];

/**
 * Reattaches a returning worker to its runs, on any node. A run that the worker no longer executes is lost immediately.
 */
export async function resumeRuns(session: WorkerSession, named: NamedRun[]): Promise<ResumedRun[]> {
  const kept = new Set(named.map(({ runId }) => runId));
  for (const delivery of deliveriesOf(session.identity)) if (!kept.has(delivery.runId)) delivery.end('lost');
  const resumed = await Promise.all(named.map((run) => resumeRun(session, run)));
  return named.map(({ runId, epoch }, index) => {
    const delivery = resumed[index];
    return delivery ? { runId, epoch, seen: delivery.seen } : { runId, gone: true };
  });
}

async function resumeRun(session: WorkerSession, { runId, epoch, sent }: NamedRun): Promise<Delivery | null> {
  const delivery = (await findCurrent(session, { runId, epoch })) ?? (await takeOver(session, { runId, epoch }));
  if (!delivery) return null;
  delivery.attach(session);
  // The worker may not have received run.start. It ignores a repeated one.
  if (sent === 0) delivery.start();
  return delivery;
}

/**
 * Returns the worker's delivery of a run on this node; null if there is none, or if the worker has continued the run on
 * another node without a notification to this one.
 */
async function findCurrent(session: WorkerSession, ref: Pick<NamedRun, 'runId' | 'epoch'>): Promise<Delivery | null> {
  const delivery = findOwn(session, ref);
  if (!delivery || (await runSource().isOwn(delivery.run.taskId))) return delivery;
  delivery.end('finished');
  return null;
}

function findOwn({ identity }: WorkerSession, { runId, epoch }: Pick<NamedRun, 'runId' | 'epoch'>): Delivery | null {
  const delivery = findDelivery(runId);
  if (!delivery?.isAccepted || delivery.run.epoch !== epoch) return null;
  const { agentId, workerId } = delivery.run;
  return agentId === identity.agentId && workerId === identity.workerId ? delivery : null;
}

/** Takes over a run from another node, which may have died. */
async function takeOver(
  session: WorkerSession,
  { runId, epoch }: Pick<NamedRun, 'runId' | 'epoch'>,
): Promise<Delivery | null> {
  const [taskId = '', turnSeq = ''] = runId.split(':');
  const { agentId, workerId } = session.identity;
  const run = await runSource().takeOver({ taskId, turnSeq: Number(turnSeq), agentId, workerId, epoch });
  if (!run) return null;
  // This node may have claimed the run from the dead node in the meantime.
  const claimed = findOwn(session, { runId, epoch });
  if (claimed) return claimed;
  const delivery = openDelivery(run, { session: null, accepted: true });
  void runSource().execute(delivery);
  return delivery;
}
