import { isOnlyNode } from '../../platform/bus';
import { errorFields, log } from '../../platform/log';
import { releaseRuns } from '../store/release-runs';
import { hasReaders } from '../streams/task-subscription';
import { type ActiveRun, abortRuns, countRuns } from './active-runs';

/** How often it is looked whether all runs are over. */
const pollIntervalMs = 50;
/** Younger runs may have a caller who does not read the task yet (end-of-turn.ts). */
const minAgeMs = 1_500;

/**
 * Gives the runs of this process `withinMs` milliseconds to end by themselves: an agent may drop its work when the connection breaks.
 * After half of that, runs that nobody here waits for go to another node if there is one. Whatever is left at the end is released for
 * a peer to take up within half a second, or for the next start. For the end of the process.
 */
export async function drainRuns(withinMs: number): Promise<void> {
  const startedAt = performance.now();
  const elapsedMs = (): number => performance.now() - startedAt;
  while (countRuns() > 0 && elapsedMs() < withinMs) {
    if (elapsedMs() > withinMs / 2 && !isOnlyNode()) await abortAndRelease(isUnattended);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

/** Ends all runs of this process and releases them, so that another node takes them up at once. */
export async function releaseAllRuns(): Promise<void> {
  await abortAndRelease(() => true);
}

function isUnattended(taskId: string, run: ActiveRun): boolean {
  return run.resumable && Date.now() - run.startedAt > minAgeMs && !hasReaders(taskId);
}

/** The rows are released once nothing here writes any more; one that could not be is taken up when this node's lock is gone. */
async function abortAndRelease(predicate: (taskId: string, run: ActiveRun) => boolean): Promise<void> {
  const stopped = await abortRuns(predicate);
  if (stopped.length === 0) return;
  try {
    await releaseRuns(stopped);
    log.info('runs.handed_over', { count: stopped.length });
  } catch (error) {
    log.warn('runs.hand_over_failed', errorFields(error));
  }
}
