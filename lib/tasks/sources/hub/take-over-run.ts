import type { DeliveredRun } from '../../../hub';
import { batchWrites } from '../../../platform/batches';
import { MAX_TAKEN_OVER_RUNS } from '../../limits';
import { withClaimLock } from '../../runs/claim-lock';
import { findOwnRuns, type HubRunRecord } from '../../store/hub-runs';
import { type AcceptedRun, selectOwnTasks, takeOverRuns } from '../../store/take-over-runs';

/**
 * True when this node runs the task. Concurrent checks share a statement, because many workers reconnect at the same
 * time.
 */
export const isOwnRun = batchWrites(areOwn, MAX_TAKEN_OVER_RUNS);

async function areOwn(taskIds: string[]): Promise<boolean[]> {
  const own = new Set(await selectOwnTasks(taskIds));
  return taskIds.map((id) => own.has(id));
}

/** Moves an accepted run to this node, together with others; null if it has ended or was offered again. */
export const takeOverRun = batchWrites(takeOverAll, MAX_TAKEN_OVER_RUNS);

/** Serialized with the claims of runs of dead nodes on this node, so that only one of the two delivers a run. */
function takeOverAll(wanted: AcceptedRun[]): Promise<(DeliveredRun | null)[]> {
  return withClaimLock(async () => {
    await takeOverRuns(wanted);
    // Read after the previous nodes were fenced off: they cannot persist more.
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
