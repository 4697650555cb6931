import { findAgentById } from '../../../catalog';
import { type Delivery, openDelivery, type RunSource } from '../../../hub';
import { publish } from '../../../platform/bus';
import { newId } from '../../../platform/ids';
import { errorFields, log } from '../../../platform/runtime/log';
import { EXPIRED_RUN_BATCH } from '../../limits';
import { startRun } from '../../runs/run-task';
import {
  claimExpiredRuns,
  claimRuns,
  deleteEndedRuns,
  findOwnRun,
  findRunState,
  findWaitingAgents,
  type HubRunRecord,
  releaseRun,
} from '../../store/hub-runs';
import type { TaskRecord } from '../../store/records';
import { loadTask } from '../../store/task-events';
import { hubRun } from './deliver-turn';
import { agentOffline } from './queue-run';
import { releaseSlotsOf } from './queued-slots';
import { isOwnRun, takeOverRun } from './take-over-run';

/** The runs of agents that connect to Parley, for the hub. */
export const gatewayRunSource: RunSource = {
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
  await gatewayRunSource.execute(delivery);
}

/** Ends the turns that no worker accepted in time, and deletes runs that other writers ended. */
export async function expireHubRuns(): Promise<void> {
  for (const { taskId } of await claimExpiredRuns(EXPIRED_RUN_BATCH)) {
    const run = await findOwnRun(taskId);
    if (run) await start(run, offlineRun());
  }
  await deleteEndedRuns();
}

/** A run that fails because no worker accepted it. */
function offlineRun(): ReturnType<typeof hubRun> {
  return {
    changeOf: () => ({ end: true }),
    onCommit: () => () => undefined,
    perform: () => Promise.reject(agentOffline(true)),
  };
}

/**
 * Requests that the worker of a task's run, on any node, stop and send its last status. False if no worker has begun.
 */
export async function cancelHubRun(taskId: string): Promise<boolean> {
  const hasBegun = (await findRunState(taskId)) === 'accepted';
  if (hasBegun) await publish('hub-cancel', taskId);
  return hasBegun;
}
