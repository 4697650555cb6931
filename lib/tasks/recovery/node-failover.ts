import { findAgentById } from '../../catalog';
import { isOnlyNode } from '../../platform/bus';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/runtime/log';
import { abortRuns, countRuns, isRunning, withClaimLock } from '../active/active-runs';
import type { RunHandle } from '../active/run-handle';
import { DRAIN_POLL_MS, HAND_OVER_MIN_AGE_MS, ORPHANED_RUN_BATCH } from '../limits';
import { hasReaders } from '../log/task-readers';
import { startRun } from '../runs/run-task';
import { runSourceOf } from '../sources/choose-source';
import type { TaskRecord } from '../store/records';
import { claimOrphanedRuns, findStalledRuns, releaseRuns } from '../store/run-owners';
import { settleRun } from '../store/stream/settle-segments';
import { loadTask } from '../store/task-events';

/** Resumes runs of dead nodes, including those of this server before a restart. Resolves when all are started. */
export async function resumeOrphanedRuns(): Promise<void> {
  for (;;) {
    const found = await withClaimLock(async () => {
      const orphans = await claimOrphanedRuns(ORPHANED_RUN_BATCH);
      if (orphans.length > 0) log.info('runs.orphaned_resumed', { count: orphans.length });
      await Promise.all(orphans.map((record) => resume(record)));
      return orphans.length;
    });
    if (found < ORPHANED_RUN_BATCH) return;
  }
}

/**
 * Resumes runs of this node that are not in memory, because the database failed during a write or resume, and that have
 * been idle for `idleMs` milliseconds. Called periodically, and when the database is available again.
 */
export function resumeStalledRuns(idleMs: number): Promise<void> {
  return withClaimLock(async () => {
    const stalled = (await findStalledRuns(idleMs)).filter(({ id }) => !isRunning(id));
    if (stalled.length > 0) log.info('runs.stalled_resumed', { count: stalled.length });
    await Promise.all(stalled.map((record) => resume(record)));
  });
}

async function resume(record: TaskRecord): Promise<void> {
  try {
    await settleRun(record);
    const agent = await findAgentById(record.agentId);
    if (!agent) return;
    const source = runSourceOf(agent);
    if (source.recover) return await source.recover(record);
    const { task, seq } = await loadTask(record);
    startRun({ record: { ...record, lastSeq: seq }, agent, task, requestId: newId('req'), source });
  } catch (error) {
    log.error('run.resume_failed', { taskId: record.id, ...errorFields(error) });
  }
}

/**
 * Waits at most `withinMs` milliseconds for the runs of this process to finish, because an agent may abandon its work
 * if the connection breaks. After half of that time, runs without readers on this node are moved to another node, if
 * there is one. For shutdown: the remaining runs are resumed by a peer within half a second, or at the next start.
 */
export async function drainRuns(withinMs: number): Promise<void> {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  while (countRuns() > 0 && elapsedMs() < withinMs) {
    if (elapsedMs() > withinMs / 2 && !isOnlyNode()) await abortAndRelease(isUnattended);
    await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS));
  }
}

/** Aborts and releases all runs of this process, so that another node resumes them immediately. */
export async function releaseAllRuns(): Promise<void> {
  await abortAndRelease(() => true);
}

function isUnattended({ taskId, resumable, startedAt }: RunHandle): boolean {
  return resumable && performance.now() - startedAt > HAND_OVER_MIN_AGE_MS && !hasReaders(taskId);
}

/**
 * Aborts runs, and releases their rows after this process has stopped writing to them. A row that is not released is
 * claimed when this node's lock expires.
 */
async function abortAndRelease(predicate: (run: RunHandle) => boolean): Promise<void> {
  const stopped = await abortRuns(predicate);
  if (stopped.length === 0) return;
  try {
    await releaseRuns(stopped);
    log.info('runs.released', { count: stopped.length });
  } catch (error) {
    log.warn('runs.release_failed', errorFields(error));
  }
}
