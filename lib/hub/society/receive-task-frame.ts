import { parseParams } from '../../protocol/hub/frames';
import { artifactParams, statusParams } from '../../protocol/hub/society';
import type { JsonObject } from '../../protocol/json';
import type { Delivery } from '../delivery';
import { findDeliveryOfTask } from '../runs/deliveries';
import type { WorkerSession } from '../worker-session';
import { SocietyAnswer } from './answer';

/** The answers in progress. They are kept after a disconnect, because a client that reconnects may finish its run. */
const answers = new WeakMap<Delivery, SocietyAnswer>();

interface TaskFrame {
  /** `task.status`, `task.artifact` or `task.complete`. */
  method: string;
  params: JsonObject;
  /** Size of the frame. */
  bytes: number;
}

/**
 * Queues a client's frame about its run. Returns null and drops the frame if the run has ended or belongs to another
 * client.
 * @throws {ProtocolError} `invalid_params`
 */
export function receiveTaskFrame(session: WorkerSession, { method, params, bytes }: TaskFrame): Delivery | null {
  if (method === 'task.artifact') {
    const artifact = parseParams(artifactParams, params);
    return queue(session, { taskId: artifact.task_id, bytes }, (answer) => answer.receiveArtifact(artifact));
  }
  const status = parseParams(statusParams, params);
  return queue(session, { taskId: status.task_id, bytes }, (answer) =>
    method === 'task.complete' ? answer.complete(status) : answer.receiveStatus(status),
  );
}

function queue(
  session: WorkerSession,
  { taskId, bytes }: { taskId: string; bytes: number },
  read: (answer: SocietyAnswer) => JsonObject[],
): Delivery | null {
  const delivery = findOwn(session, taskId);
  if (!delivery) return null;
  const answer = answers.get(delivery) ?? new SocietyAnswer(delivery.run.turnSeq);
  answers.set(delivery, answer);
  const items = read(answer);
  if (items.length > 0) delivery.append(items, bytes);
  return delivery;
}

/** Finds a run of this connection, or a run without a connection that continues here. */
function findOwn(session: WorkerSession, taskId: string): Delivery | null {
  const delivery = findDeliveryOfTask(taskId);
  if (!delivery || delivery.run.agentId !== session.identity.agentId) return null;
  if (session.deliveries.has(delivery)) return delivery;
  if (!delivery.isDetached) return null;
  delivery.attach(session);
  return delivery;
}
