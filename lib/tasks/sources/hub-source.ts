import { findAgentById } from '../../catalog';
import { type DeliveredRun, type Delivery, type HubRuns, openDelivery, reconnectWorker } from '../../hub';
import { batchWrites } from '../../platform/batches';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { withClaimLock } from '../active/active-runs';
import { EXPIRED_RUN_BATCH, MAX_TAKEN_OVER_RUNS } from '../limits';
import type { RunSource } from '../runs/run-source';
import { startRun } from '../runs/run-task';
import {
  claimExpiredRuns,
  claimRuns,
  deleteEndedRuns,
  findOwnRun,
  findOwnRuns,
  findWaitingAgents,
  type HubRunRecord,
  releaseRun,
} from '../store/hub-runs';
import type { TaskRecord } from '../store/records';
import { type AcceptedRun, selectOwnTasks, takeOverRuns } from '../store/run-owners';
import { settleSegments } from '../store/stream/settle-segments';
import { loadTask } from '../store/task-events';
import { hubAgent, hubRun } from './deliver-turn';
import { admitToQueue, agentOffline, releaseSlotsOf } from './queue-run';

/**
 * Returns true if this node runs the task. Concurrent checks share a statement, because many workers reconnect at the
 * same time.
 */
const isOwnRun = batchWrites(areOwn, MAX_TAKEN_OVER_RUNS);

async function areOwn(taskIds: string[]): Promise<boolean[]> {
  const own = new Set(await selectOwnTasks(taskIds));
  return taskIds.map((id) => own.has(id));
}

/** Moves an accepted run to this node, together with others; null if it has ended or was offered again. */
const takeOverRun = batchWrites(takeOverAll, MAX_TAKEN_OVER_RUNS);

/**
 * Moves accepted runs to this node. Serialized with the claims of dead nodes' runs on this node, so that only one of
 * the two delivers a run.
 */
function takeOverAll(wanted: AcceptedRun[]): Promise<(DeliveredRun | null)[]> {
  return withClaimLock(async () => {
    const tasks = await takeOverRuns(wanted);
    await settleSegments(tasks);
    // Read after the previous nodes were fenced off and can no longer persist events.
    const own = new Map((await findOwnRuns(tasks)).map((run) => [run.record.id, run]));
    return wanted.map((one) => {
      const run = own.get(one.taskId);
      return run && isSameRun(run, one) ? toDelivered(run, one) : null;
    });
  });
}

function toDelivered({ record, seen }: HubRunRecord, run: AcceptedRun): DeliveredRun {
  return { ...run, principal: record.principal, contextId: record.contextId, seen };
}

function isSameRun({ record, runState, turnSeq, workerId, epoch }: HubRunRecord, wanted: AcceptedRun): boolean {
  return (
    runState === 'accepted' &&
    record.agentId === wanted.agentId &&
    turnSeq === wanted.turnSeq &&
    workerId === wanted.workerId &&
    epoch === wanted.epoch
  );
}

/**
 * Executes the turns of agents that connect to Parley. A run that no delivery executes fails, because no worker
 * accepted it.
 */
export const hubSource: RunSource = {
  ...hubAgent,
  admit: admitToQueue,
  perform: () => Promise.reject(agentOffline(true)),
  cursor: { changeOf: () => ({ end: true }), onCommit: () => () => undefined },
  recover,
};

/** The runs of agents that connect to Parley, for the hub. */
export const hubRuns: HubRuns = {
  claim: async (agentId, limit) => (await claimRuns(agentId, limit)).map((run) => ({ ...run, seen: 0 })),
  findWaiting: findWaitingAgents,
  release: (run) => releaseRun(run),
  execute: async (delivery) => {
    const { principal, taskId } = delivery.run;
    try {
      const run = await findOwnRun({ principal, id: taskId });
      if (run) await start(run, hubRun(delivery, run));
      else delivery.end('finished');
    } catch (error) {
      log.error('run.resume_failed', { taskId, ...errorFields(error) });
      delivery.end('finished');
    }
  },
  isOwn: isOwnRun,
  takeOver: takeOverRun,
};

async function start(run: HubRunRecord, source: RunSource): Promise<void> {
  const { record } = run;
  const agent = await findAgentById(record.agentId);
  if (!agent) return;
  const { task, seq } = await loadTask(record);
  const handle = startRun({ record: { ...record, lastSeq: seq }, agent, task, requestId: newId('req'), source });
  const release = releaseSlotsOf(record.id);
  if (release) handle.onEnd(release);
}

/**
 * Continues a run of a dead node, or of this node after it lost the database: an accepted run waits for its worker, and
 * any other run is offered again. A worker that is still connected to this node reconnects.
 */
async function recover(record: TaskRecord): Promise<void> {
  const run = await findOwnRun(record);
  if (!run || run.runState === 'waiting') return;
  const { turnSeq, epoch, workerId, seen } = run;
  const { principal, id: taskId, agentId, contextId } = record;
  if (run.runState === 'offered' || workerId === null) return releaseRun({ principal, taskId, epoch, agentId });
  const delivered = { principal, taskId, turnSeq, agentId, contextId, workerId, epoch, seen };
  const delivery: Delivery = openDelivery(delivered, { session: null, accepted: true });
  reconnectWorker(delivered);
  await hubRuns.execute(delivery);
}

/** Ends the turns that no worker accepted in time, and deletes runs that other writers ended. */
export async function expireHubRuns(): Promise<void> {
  for (const { principal, taskId } of await claimExpiredRuns(EXPIRED_RUN_BATCH)) {
    const run = await findOwnRun({ principal, id: taskId });
    if (run) await start(run, hubSource);
  }
  await deleteEndedRuns();
}
