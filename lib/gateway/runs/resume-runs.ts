import { findAgentById } from '../../catalog';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { claimOrphanedRuns, findStalledRuns } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { isRunning } from './active-runs';
import { withClaimLock } from './claim-lock';
import { runTask } from './run-task';

/** Runs that a node takes up at one time; the rest follow at once, or go to other nodes. */
const batchSize = 100;

/** Takes up the runs whose node is gone, such as this server before its restart. Resolves when all are under way. */
export async function resumeOrphanedRuns(): Promise<void> {
  for (;;) {
    const found = await withClaimLock(async () => {
      const orphans = await claimOrphanedRuns(batchSize);
      if (orphans.length > 0) log.info('runs.reattached', { count: orphans.length });
      await Promise.all(orphans.map((record) => resume(record)));
      return orphans.length;
    });
    if (found < batchSize) return;
  }
}

/**
 * Takes up this node's own runs that it no longer carries, because the database was away or refused when they wrote or were to
 * be taken up, and that have been quiet for so long. To be called when the database is back, and now and then.
 */
export function resumeStalledRuns(idleMs: number): Promise<void> {
  return withClaimLock(async () => {
    const stalled = (await findStalledRuns(idleMs)).filter(({ id }) => !isRunning(id));
    if (stalled.length > 0) log.info('runs.readopted', { count: stalled.length });
    await Promise.all(stalled.map((record) => resume(record)));
  });
}

async function resume(record: TaskRecord): Promise<void> {
  try {
    const agent = await findAgentById(record.agentId);
    if (!agent) return;
    const { task, seq } = await loadTask(record);
    void runTask({ record: { ...record, lastSeq: seq }, agent, task, requestId: newId('req') });
  } catch (error) {
    log.error('runs.reattach_failed', { taskId: record.id, ...errorFields(error) });
  }
}
