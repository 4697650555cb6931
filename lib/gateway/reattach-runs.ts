import { findAgentById } from '../catalog';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { runTask } from './run-task';
import { claimOrphanedRuns } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';

/** Takes up the runs whose node is gone, such as this server before its restart. Resolves when all are under way. */
export async function reattachRuns(): Promise<void> {
  const orphans = await claimOrphanedRuns();
  if (orphans.length > 0) log.info('runs.reattached', { count: orphans.length });
  await Promise.all(orphans.map((record) => reattach(record)));
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
