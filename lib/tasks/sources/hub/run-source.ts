import { findAgentById } from '../../../catalog';
import { type DeliveredRun, type Delivery, openDelivery, type RunSource } from '../../../hub';
import { batchWrites } from '../../../platform/batches';
import { publish } from '../../../platform/bus';
import { newId } from '../../../platform/ids';
import { errorFields, log } from '../../../platform/runtime/log';
import { EXPIRED_RUN_BATCH, MAX_TAKEN_OVER_RUNS } from '../../limits';
import { withClaimLock } from '../../runs/active-runs';
import { startRun } from '../../runs/run-task';
import {
  claimExpiredRuns,
  claimRuns,
  deleteEndedRuns,
  findOwnRun,
  findOwnRuns,
  findRunState,
  findWaitingAgents,
  type HubRunRecord,
  releaseRun,
} from '../../store/hub-runs';
import type { TaskRecord } from '../../store/records';
import { type AcceptedRun, selectOwnTasks, takeOverRuns } from '../../store/run-owners';
import { loadTask } from '../../store/task-events';
import { hubRun } from './deliver-turn';
import { agentOffline, releaseSlotsOf } from './queue-run';

/**
 * True if this node runs the task. Concurrent checks share a statement, because many workers reconnect at the same
 * time.
 */
const isOwnRun = batchWrites(areOwn, MAX_TAKEN_OVER_RUNS);

async function areOwn(taskIds: string[]): Promise<boolean[]> {
  const own = new Set(await selectOwnTasks(taskIds));
  return taskIds.map((id) => own.has(id));
}

/** Moves an accepted run to this node, together with others; null if it has ended or was offered again. */
const takeOverRun = batchWrites(takeOverAll, MAX_TAKEN_OVER_RUNS);

/** Serialized with the claims of runs of dead nodes on this node, so that only one of the two delivers a run. */
function takeOverAll(wanted: AcceptedRun[]): Promise<(DeliveredRun | null)[]> {
  return withClaimLock(async () => {
    await takeOverRuns(wanted);
    // Read after the previous nodes were fenced off and can no longer persist events.
    const own = new Map((await findOwnRuns(wanted.map(({ taskId }) => taskId))).map((run) => [run.record.id, run]));
    return wanted.map((one) => {
      const run = own.get(one.taskId);
      return run && isSameRun(run, one) ? { ...one, contextId: run.record.contextId, seen: run.seen } : null;
    });
  });
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

/** The runs of agents that connect to Parley, for the hub. */
export const hubRuns: RunSource = {
  claim: async (agentId, limit) => (await claimRuns(agentId, limit)).map((run) => ({ ...run, seen: 0 })),
  findWaiting: findWaitingAgents,
  release: (run) => releaseRun(run),
  execute: async (delivery) => {
    const { taskId } = delivery.run;
    try {
      const run = await findOwnRun(taskId);
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

async function start(run: HubRunRecord, hub: ReturnType<typeof hubRun>): Promise<void> {
  const { record } = run;
  const agent = await findAgentById(record.agentId);
  if (!agent) return;
  const { task, seq } = await loadTask(record);
  const handle = startRun({ record: { ...record, lastSeq: seq }, agent, task, requestId: newId('req'), hub });
  const release = releaseSlotsOf(record.id);
  if (release) handle.onEnd(release);
}

/**
 * Continues a run of a dead node, or of this node after it lost the database: an accepted run waits for its worker, and
 * any other run is offered again.
 */
export async function resumeHubRun(record: TaskRecord): Promise<void> {
  const run = await findOwnRun(record.id);
  if (!run || run.runState === 'waiting') return;
  const { turnSeq, epoch, workerId, seen } = run;
  const { id: taskId, agentId, contextId } = record;
  if (run.runState === 'offered' || workerId === null) return releaseRun({ taskId, epoch, agentId });
  const delivered = { taskId, turnSeq, agentId, contextId, workerId, epoch, seen };
  const delivery: Delivery = openDelivery(delivered, { session: null, accepted: true });
  await hubRuns.execute(delivery);
}

/** Ends the turns that no worker accepted in time, and deletes runs that other writers ended. */
export async function expireHubRuns(): Promise<void> {
  for (const { taskId } of await claimExpiredRuns(EXPIRED_RUN_BATCH)) {
    const run = await findOwnRun(taskId);
    if (run) await start(run, offlineRun());
  }
  await deleteEndedRuns();
}

/** Returns a run that fails because no worker accepted it. */
function offlineRun(): ReturnType<typeof hubRun> {
  return {
    changeOf: () => ({ end: true }),
    onCommit: () => () => undefined,
    perform: () => Promise.reject(agentOffline(true)),
  };
}

/**
 * Requests the worker of a task's run, on any node, to stop and send its last status. False if no worker has started.
 */
export async function cancelHubRun(taskId: string): Promise<boolean> {
  const hasBegun = (await findRunState(taskId)) === 'accepted';
  if (hasBegun) await publish('hub-cancel', taskId);
  return hasBegun;
}
