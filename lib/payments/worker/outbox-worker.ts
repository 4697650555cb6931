import { keepInterest, noticePollMs, onNoticeGap, subscribe } from '../../platform/bus';
import { createRest } from '../../platform/runtime/activity';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { createWorker, type Worker } from '../../platform/runtime/worker';
import { retrieveTopUp } from '../charges/wallet';
import { OUTBOX_CONCURRENCY, OUTBOX_LEASE_MS, OUTBOX_POLL_MS } from '../limits';
import { startPayouts, stopPayouts } from '../payouts/payout-worker';
import { type JobDeps, type JobHandler, type JobResult, nextAttempt, paymentsPort } from '../ports';
import { payByStanding } from '../standing/pay-by-standing';
import type { OutboxKind } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { claimJobs, completeJob, nextJobDueAt, type OutboxJob, rescheduleJob } from '../store/outbox';
import { announce, capture, refund, release } from './capture-refund';
import { authorize, checkDeliveryTimeout, deliver, retrieve } from './charge-jobs';

let outboxWorker: Worker | null = null;

/**
 * Starts this node's outbox worker, and its worker for payouts. They run jobs on notification, when they are due, and when another node's lease
 * expires. Safe to run on any number of nodes. After a crash, a job runs again when its lease expires.
 */
export function startPayments(): void {
  const now = (): Date => new Date();
  const rest = createRest({ nextDue: nextJobDueAt });
  const worker = createWorker<OutboxJob>({
    concurrency: OUTBOX_CONCURRENCY,
    pollMs: noticePollMs(OUTBOX_POLL_MS),
    claim: async (limit) => ((await rest.isRoundDue()) ? claim(limit) : []),
    // The job may have scheduled the next attempt.
    run: (job, signal) => runJob(job, { ports: paymentsPort.operations(), now, signal }).finally(rest.wake),
    subscribe: (poll) => {
      const wake = rest.waking(poll);
      return [subscribe('order', '*', wake), keepInterest('order', '*'), onNoticeGap(wake)];
    },
    onError: (error) => log.error('payments.worker_failed', errorFields(error)),
  });
  outboxWorker = worker;
  worker.start();
  startPayouts();
}

/** Stops the workers after their running jobs have finished. */
export async function stopPayments(): Promise<void> {
  await Promise.all([outboxWorker?.stop(), stopPayouts()]);
}

async function claim(limit: number): Promise<OutboxJob[]> {
  const now = new Date();
  const jobs = await claimJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), limit);
  if (jobs.length > 0) return jobs;
  const next = await nextJobDueAt();
  if (next) outboxWorker?.wake(next);
  return [];
}

const handlers: Record<OutboxKind, JobHandler> = {
  authorize,
  retrieve,
  deliver,
  'watch-delivery': checkDeliveryTimeout,
  capture,
  release,
  refund,
  announce,
  standing: async (order, { now }) => {
    await payByStanding(order, now());
    return 'done';
  },
};

/**
 * Runs a claimed job. A failed job is retried later.
 * @throws database errors, in which case the job runs again when its lease expires
 */
export async function runJob(job: OutboxJob, deps: JobDeps): Promise<void> {
  failpoint(`${job.kind}.claimed`);
  let result: JobResult;
  try {
    result = await runHandler(job, deps);
  } catch (error) {
    const { orderId, topUpId, kind, attempts } = job;
    log.warn('payments.job_failed', { orderId, topUpId, kind, attempts, ...errorFields(error) });
    result = { retryAt: nextAttempt(attempts, deps.now()) };
  }
  failpoint(`${job.kind}.kept`);
  if (result === 'done') await completeJob(job, deps.now());
  else await rescheduleJob(job, result.retryAt);
}

async function runHandler(job: OutboxJob, deps: JobDeps): Promise<JobResult> {
  if (job.topUpId !== null) {
    await retrieveTopUp(job.topUpId, deps.now());
    return 'done';
  }
  const order = await findOrderById(job.orderId ?? '');
  return order ? handlers[job.kind](order, deps, job) : 'done';
}
