import { LRUCache } from 'lru-cache';
import { canSeePeers, keepInterest, nodeId, noticePollMs, onNoticeGap, subscribe } from '../../platform/bus';
import { newUuid } from '../../platform/ids';
import { createRest } from '../../platform/runtime/activity';
import { errorFields, log } from '../../platform/runtime/log';
import { once } from '../../platform/runtime/once';
import { createWorker, type Worker } from '../../platform/runtime/worker';
import {
  PUSH_CONCURRENCY,
  PUSH_CONCURRENCY_PER_PRINCIPAL,
  PUSH_INTERNAL_ERROR_DELAY_MS,
  PUSH_MAX_TRACKED_TASKS,
  PUSH_SWEEP_MS,
  STOP_TIMEOUT_MS,
} from '../limits';
import {
  claimPushes,
  nextPush,
  type PushLease,
  type PushWork,
  postponePush,
  releasePush,
} from '../store/push/push-deliveries';
import { deliverPushes, leaseExpiry } from './deliver-pushes';
import { removeConfigsOnRevocation } from './push-receivers';

/** A configuration with events to send, and its lease. */
interface PushJob {
  work: PushWork;
  lease: PushLease;
}

interface PushWorker {
  worker: Worker;
  /** Tasks with push configurations, as far as this node has read them. Only their events trigger a poll. */
  watched: LRUCache<string, () => void>;
}

const pushWorker = once((): PushWorker => {
  const watched = new LRUCache<string, () => void>({
    max: PUSH_MAX_TRACKED_TASKS,
    dispose: (endInterest) => endInterest(),
  });
  const rest = createRest({ nextDue: nextPush });
  const worker = createWorker<PushJob>({
    concurrency: PUSH_CONCURRENCY,
    pollMs: noticePollMs(PUSH_SWEEP_MS),
    claim: async (limit, active) => ((await rest.isRoundDue()) ? claim(limit, active) : []),
    // Events that were committed while this node held the lease could not be claimed by others, so the worker polls
    // after each job.
    run: (job, signal) => deliver(job, signal).finally(rest.wake),
    subscribe: (poll) => {
      const wake = rest.waking(poll);
      const unsubscribe = subscribe('task', '*', (taskId) => {
        if (watched.has(taskId)) wake();
      });
      return [unsubscribe, onNoticeGap(wake), removeConfigsOnRevocation()];
    },
    onError: (error) => log.warn('push.claim_failed', errorFields(error)),
  });
  return { worker, watched };
});

/** Delivers the task's pushes from this node without delay. Other nodes find them within seconds. */
export function schedulePush(taskId: string): void {
  watch(taskId);
  pushWorker().worker.wake();
}

/** Registers the task, so that its events trigger a poll of this node. */
function watch(taskId: string): void {
  const { watched } = pushWorker();
  if (!watched.get(taskId)) watched.set(taskId, keepInterest('task', taskId));
}

/** Starts delivering pushes. Every node delivers; leases prevent duplicate deliveries. */
export function startPushWorker(): void {
  pushWorker().worker.start();
}

/** Stops delivering. Other nodes retry pushes in flight. */
export function stopPushWorker(): Promise<void> {
  return pushWorker().worker.stop(STOP_TIMEOUT_MS);
}

async function claim(limit: number, active: ReadonlySet<PushJob>): Promise<PushJob[]> {
  // Nodes that have not reconnected after a failover would seem dead, and their deliveries would be repeated.
  if (!canSeePeers()) return [];
  const lease = `${nodeId()} ${newUuid()}`;
  const now = new Date();
  const found = await claimPushes({
    lease,
    now,
    until: leaseExpiry(now),
    limit,
    perPrincipal: PUSH_CONCURRENCY_PER_PRINCIPAL,
    active: countByPrincipal(active),
  });
  return found.map((work) => ({ work, lease: { principal: work.principal, taskId: work.taskId, id: work.id, lease } }));
}

function countByPrincipal(jobs: Iterable<PushJob>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { work } of jobs) counts.set(work.principal, (counts.get(work.principal) ?? 0) + 1);
  return counts;
}

async function deliver({ work, lease }: PushJob, signal: AbortSignal): Promise<void> {
  const { taskId } = work;
  const { watched, worker } = pushWorker();
  watch(taskId);
  try {
    const result = await deliverPushes(work, lease, signal);
    if (result.kind === 'postponed') worker.wake(result.dueAt);
    if (result.kind === 'ended') watched.delete(taskId);
  } catch (error) {
    if (!signal.aborted) log.warn('push.failed', { taskId, ...errorFields(error) });
    await releaseLease({ work, lease }, signal.aborted);
  }
}

/** Releases the lease: immediately on shutdown, after a delay if Parley itself failed. */
async function releaseLease({ work, lease }: PushJob, immediately: boolean): Promise<void> {
  const { taskId, attempts, failingSince } = work;
  try {
    if (immediately) return await releasePush(lease, false);
    const dueAt = new Date(Date.now() + PUSH_INTERNAL_ERROR_DELAY_MS);
    await postponePush(lease, { attempts, failingSince, dueAt, answer: null });
  } catch (failure) {
    log.warn('push.release_failed', { taskId, ...errorFields(failure) });
  }
}
