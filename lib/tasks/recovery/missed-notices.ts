import { deliverMissed, looksForNotices, noticePollMs, onNoticeGap, subscribedKeys } from '../../platform/bus';
import { errorFields, log } from '../../platform/runtime/log';
import { isRunning, ownedTaskIds, reportRemoteWrite } from '../active/active-runs';
import { MAX_LOOKED_UP_TASKS, TAIL_POLL_MS } from '../limits';
import { queuedTaskIds, releaseSlotsOf } from '../sources/queue-run';
import { selectOwnTasks } from '../store/run-owners';
import { findLastSeqs, selectQueuedTasks } from '../store/task-events';

interface Looks {
  /** The last sequence number of each followed task at the last check. */
  seqs: Map<string, number>;
  /** Tasks of local runs that this node did not own at the last check. */
  suspects: Set<string>;
  /** Tasks that were queued at the last check. More recent ones may not be written yet. */
  queued: Set<string>;
}

/**
 * Checks every second for changes whose notifications NATS lost, in one statement for all tasks that this node follows,
 * runs or has queued, until `signal` aborts.
 */
export function lookForMissedNotices(signal: AbortSignal): void {
  if (!looksForNotices()) return;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  async function lookNow(): Promise<void> {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    clearTimeout(timer);
    try {
      await look();
    } catch (error) {
      if (!signal.aborted) log.warn('notices.look_failed', errorFields(error));
    }
    isLooking = false;
    if (!signal.aborted) timer = setTimeout(() => void lookNow(), noticePollMs(TAIL_POLL_MS)).unref();
  }
  onNoticeGap(() => void lookNow());
  void lookNow();
}

async function look(): Promise<void> {
  await Promise.all([lookAtFollowed(), lookAtRuns(), lookAtQueued()]);
}

const looks: Looks = { seqs: new Map(), suspects: new Set(), queued: new Set() };

/** Checks followed tasks. Tasks that run on this node are followed without notifications. */
async function lookAtFollowed(): Promise<void> {
  const followed = subscribedKeys('task').filter((taskId) => !isRunning(taskId));
  const seqs = new Map<string, number>();
  for (let at = 0; at < followed.length; at += MAX_LOOKED_UP_TASKS) {
    for (const [taskId, seq] of await findLastSeqs(followed.slice(at, at + MAX_LOOKED_UP_TASKS))) seqs.set(taskId, seq);
  }
  const before = looks.seqs;
  looks.seqs = seqs;
  for (const [taskId, seq] of seqs) if (before.get(taskId) !== seq) deliverMissed('task', taskId);
}

/**
 * Finds runs that another node took over, or whose task was canceled there. Reports a run that is ending here only
 * once.
 */
async function lookAtRuns(): Promise<void> {
  const running = ownedTaskIds();
  const own = new Set(running.length > 0 ? await selectOwnTasks(running) : []);
  const lost = running.filter((taskId) => !own.has(taskId));
  for (const taskId of lost) if (looks.suspects.has(taskId)) reportRemoteWrite(taskId);
  looks.suspects = new Set(lost);
}

async function lookAtQueued(): Promise<void> {
  const queued = queuedTaskIds();
  const waiting = queued.length > 0 ? await selectQueuedTasks(queued) : new Set<string>();
  for (const taskId of queued) if (!waiting.has(taskId) && looks.queued.has(taskId)) releaseSlotsOf(taskId)?.();
  looks.queued = new Set(queued);
}
