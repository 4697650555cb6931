import type { AgentRecord } from '../../catalog';
import type { Delivery } from '../../hub';
import { publish, subscribe } from '../../platform/bus';
import { traceHeaders } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import type { Task } from '../../protocol/a2a/core/model';
import { type AgentItem, chooseDialect, readAgentResult } from '../../protocol/a2a/dialects';
import { isObject, type JsonObject, type JsonValue } from '../../protocol/json';
import { DEFAULT_QUEUE_SECONDS, MAX_OFFERED_HISTORY_BYTES, MAX_OFFERED_MESSAGES, MAX_RUN_ATTEMPTS } from '../limits';
import { ingestItems, withCallerReferences } from '../runs/agent-output';
import type { RunSource, RunState } from '../runs/run-source';
import { findRunState, type HubRunRecord, isTurnOver, redeliverRun, releaseRun, saveSeen } from '../store/hub-runs';
import type { TaskRecord, TaskRef } from '../store/records';
import { acceptRun } from '../store/run-owners';

/** The data of a stored run that a delivery requires. */
type OfferedTurn = Pick<HubRunRecord, 'epoch' | 'attempt' | 'seen' | 'request'>;

/** The part of the hub source that does not depend on the delivery of a run. */
export const hubAgent: Pick<RunSource, 'read' | 'cancel'> = {
  // Workers send events only.
  read: () => Promise.resolve(null),
  cancel: async ({ record }) => {
    const isOpen = await cancelDelivered(record);
    return { answer: [], isHub: true, isOpen, hasNotBegun: !isOpen };
  },
};

/** Executes the turn of a run by a worker; see {@link deliverTurn}. */
export function hubRun(delivery: Delivery, run: OfferedTurn): RunSource {
  const position = { received: run.seen };
  return {
    ...hubAgent,
    perform: (state) => deliverTurn(state, { delivery, run, position }),
    cursor: {
      changeOf: (turnEnded) => (turnEnded ? { end: true } : { epoch: run.epoch, seen: position.received }),
      onCommit: () => {
        const { received } = position;
        return () => delivery.acknowledge(received);
      },
    },
  };
}

interface DeliveredTurn {
  delivery: Delivery;
  run: OfferedTurn;
  /** The number of the worker's last event that was passed to the writer. */
  position: { received: number };
}

/**
 * Offers the run, starts the worker once the acceptance is persisted, and writes its events until the turn ends. A run
 * that no worker has started waits again. A lost run may be started again if its worker declared this safe.
 * @throws {ParleyError} `worker_lost`, `agent_misbehaved`
 */
async function deliverTurn(state: RunState, turn: DeliveredTurn): Promise<void> {
  const { delivery, run } = turn;
  const { signal, normalizer, writer } = state;
  const { taskId } = delivery.run;
  const stop = onStop(signal, delivery);
  try {
    if (!delivery.isAccepted && !(await begin(state, turn))) {
      delivery.end('released');
      await releaseRun(delivery.run);
      return;
    }
    normalizer.upstreamTaskId = taskId;
    await readEvents(state, turn);
    // The last acknowledgment follows the last commit.
    await writer.drained();
    // `finished` means that another delivery on this node has the run.
    if (normalizer.turnEnded || writer.superseded || signal.aborted || delivery.ended === 'finished') return;
    if (delivery.ended === 'released' && delivery.seen === 0) return await releaseRun(delivery.run, 'accepted');
    const dueAt = new Date(Date.now() + queueSecondsOf(state.run.agent) * 1_000);
    if (await redeliverRun(delivery.run, { maxAttempts: MAX_RUN_ATTEMPTS, dueAt })) return;
    throw new ParleyError(
      'worker_lost',
      `The agent's worker disconnected and did not reconnect (attempt ${run.attempt}).`,
    );
  } finally {
    stop();
    delivery.end('finished');
  }
}

/**
 * Stops the worker after a cancel, and when another writer has ended the turn. A run that moved to another node
 * continues.
 */
function onStop(signal: RunState['signal'], delivery: Delivery): () => void {
  const { principal, taskId } = delivery.run;
  const cancel = (): void => delivery.cancel();
  const abort = (): void => {
    isTurnOver({ principal, id: taskId })
      .then((over) => over && cancel())
      .catch((error) => log.warn('hub.cancel_failed', { taskId, ...errorFields(error) }))
      .finally(() => delivery.end('finished'));
  };
  signal.addEventListener('abort', abort);
  const unsubscribe = subscribe('hub-cancel', taskId, cancel);
  return () => {
    unsubscribe();
    signal.removeEventListener('abort', abort);
  };
}

/** Returns true if the worker may start. */
async function begin(state: RunState, { delivery, run }: DeliveredTurn): Promise<boolean> {
  const { record, task, trace } = state.run;
  const contextId = record.ownContextId;
  const offer: JsonObject = {
    attempt: run.attempt,
    request: run.request,
    task: { id: record.id, contextId, history: earlierMessages(task, run.request, contextId) },
    token: await state.token(),
    trace: traceHeaders(trace),
  };
  if (!(await delivery.offer(offer))) return false;
  const { principal, taskId, epoch, workerId } = delivery.run;
  const { writer } = state;
  const { nextSegmentKey: streamKey, lastSeq } = writer;
  const accepted = await acceptRun({
    principal,
    taskId,
    epoch,
    workerId,
    redelivers: delivery.redelivers,
    lastSeq,
    streamKey,
  });
  if (!accepted) return false;
  if (accepted.hasSegment && streamKey !== undefined) writer.beginSegment(streamKey);
  delivery.start();
  return true;
}

async function readEvents(state: RunState, { delivery, position }: DeliveredTurn): Promise<void> {
  for await (const { items, n } of delivery.batches()) {
    const read = items.map((item) => readItem(item, state.run.record));
    const batch = await withCallerReferences(state, read);
    // A commit must not contain this position without these events, so there is no `await` in between, and no message
    // is held back.
    position.received = n;
    if (await ingestItems(state, batch, { holdsNothing: true })) return;
    if (state.writer.isIdle && delivery.seen < n) {
      await saveSeen(delivery.run, n);
      delivery.acknowledge(n);
    }
  }
}

/** Returns the item with our ids, so that a worker cannot refer to another task. */
function readItem(value: JsonObject, { id, ownContextId }: TaskRecord): AgentItem {
  const item = readAgentResult(value, newUuid);
  if (!item) throw new ParleyError('agent_misbehaved', 'The worker sent something that is not an A2A StreamResponse.');
  return { ...item, taskId: id, contextId: ownContextId };
}

/**
 * Returns the latest messages of the task before the one that this run answers, as many as fit into an offer, in A2A
 * 1.0, oldest first. `contextId` is our id of the context for the agent.
 */
export function earlierMessages(task: Task, request: { message?: unknown }, contextId: string): JsonValue[] {
  const { messageId: current } = Object(request.message) as { messageId?: unknown };
  const at = task.history.findLastIndex(({ messageId }) => messageId === current);
  const earlier = task.history.slice(0, at < 0 ? undefined : at).slice(-MAX_OFFERED_MESSAGES);
  if (earlier.length === 0) return [];
  const history = earlier.map((message) => ({ ...message, taskId: task.id, contextId }));
  const written = chooseDialect('GetTask', '1.0').taskResult({ ...task, history, artifacts: [] });
  const messages = isObject(written) && Array.isArray(written.history) ? written.history : [];
  let bytes = 0;
  const tooMuch = messages.findLastIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message));
    return bytes > MAX_OFFERED_HISTORY_BYTES;
  });
  return messages.slice(tooMuch + 1);
}

/** Returns the maximum time that runs of the agent wait for a worker, seconds. */
export function queueSecondsOf({ callLimits }: Pick<AgentRecord, 'callLimits'>): number {
  return callLimits.queueSeconds ?? DEFAULT_QUEUE_SECONDS;
}

/**
 * Requests that the worker of a task's run, on any node, stop and send its last status. Returns false if no worker has
 * begun.
 */
async function cancelDelivered(task: TaskRef): Promise<boolean> {
  const hasBegun = (await findRunState(task)) === 'accepted';
  if (hasBegun) await publish('hub-cancel', task.id);
  return hasBegun;
}
