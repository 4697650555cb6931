import { findAgentById } from '../catalog';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { adopting } from './adopting';
import { isLive } from './live-tasks';
import { runTask } from './run-task';
import { claimOrphanedRuns, findOwnRuns } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';

/** Runs that a node takes up at one time; the rest follow at once, or go to other nodes. */
const perClaim = 100;

/** Takes up the runs whose node is gone, such as this server before its restart. Resolves when all are under way. */
export async function reattachRuns(): Promise<void> {
  for (;;) {
    const found = await adopting(async () => {
      const orphans = await claimOrphanedRuns(perClaim);
      if (orphans.length > 0) log.info('runs.reattached', { count: orphans.length });
      await Promise.all(orphans.map((record) => reattach(record)));
      return orphans.length;
    });
    if (found < perClaim) return;
  }
}

/**
 * Takes up this node's own runs that it no longer carries, because the database was away or refused when they wrote or were to
 * be taken up, and that have been quiet for so long. To be called when the database is back, and now and then.
 */
export function readoptRuns(quietMs: number): Promise<void> {
  return adopting(async () => {
    const stranded = (await findOwnRuns(quietMs)).filter(({ id }) => !isLive(id));
    if (stranded.length > 0) log.info('runs.readopted', { count: stranded.length });
    await Promise.all(stranded.map((record) => reattach(record)));
  });
}

async function reattach(record: TaskRecord): Promise<void> {
  try {
    const agent = await findAgentById(record.agentId);
    if (!agent) return;
    const { task, seq } = await loadTask(record);
    void runTask({ record: { ...record, lastSeq: seq }, agent, task, requestId: newId('req') });
  } catch (error) {
    log.error('runs.reattach_failed', { taskId: record.id, ...errorFields(error) });
  }
}
