import { keepInterest, noticePollMs, onNoticeGap, subscribe } from '../../platform/bus';
import { createRest } from '../../platform/runtime/activity';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { createWorker, type Worker } from '../../platform/runtime/worker';
import { OUTBOX_LEASE_MS, PAYOUT_CONCURRENCY, PAYOUT_POLL_MS } from '../limits';
import { type JobResult, nextAttempt } from '../ports';
import {
  claimPayoutJobs,
  completePayoutJob,
  nextPayoutJobDueAt,
  type PayoutJob,
  reschedulePayoutJob,
} from '../store/payouts/payout-jobs';
import { advancePayout, refreshSellerAccount } from './move-payouts';

let payoutWorker: Worker | null = null;

/**
 * Starts this node's worker for payouts. Safe to run on any number of nodes. After a crash, a job runs again when its
 * lease expires.
 */
export function startPayouts(): void {
  const now = (): Date => new Date();
  const rest = createRest({ nextDue: nextPayoutJobDueAt });
  const worker = createWorker<PayoutJob>({
    concurrency: PAYOUT_CONCURRENCY,
    pollMs: noticePollMs(PAYOUT_POLL_MS),
    claim: async (limit) => ((await rest.isRoundDue()) ? claim(limit) : []),
    run: (job) => runPayoutJob(job, now).finally(rest.wake),
    subscribe: (poll) => {
      const wake = rest.waking(poll);
      return [subscribe('payout', '*', wake), keepInterest('payout', '*'), onNoticeGap(wake)];
    },
    onError: (error) => log.error('payouts.worker_failed', errorFields(error)),
  });
  payoutWorker = worker;
  worker.start();
}

/** Stops the worker after its running jobs have finished. */
export async function stopPayouts(): Promise<void> {
  await payoutWorker?.stop();
}

async function claim(limit: number): Promise<PayoutJob[]> {
  const now = new Date();
  const jobs = await claimPayoutJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), limit);
  if (jobs.length > 0) return jobs;
  const next = await nextPayoutJobDueAt();
  if (next) payoutWorker?.wake(next);
  return [];
}

/**
 * Runs a claimed job. A failed job is retried later.
 * @throws database errors, in which case the job runs again when its lease expires
 */
export async function runPayoutJob(job: PayoutJob, now: () => Date): Promise<void> {
  const { payoutId, sellerAccountId, attempts } = job;
  let result: JobResult;
  try {
    result =
      payoutId === null ? await refreshSellerAccount(sellerAccountId ?? '', now) : await advancePayout(payoutId, now);
  } catch (error) {
    log.warn('payouts.job_failed', { payoutId, sellerAccountId, attempts, ...errorFields(error) });
    result = { retryAt: nextAttempt(attempts, now()) };
  }
  failpoint('payout.kept');
  if (result === 'done') await completePayoutJob(job);
  else await reschedulePayoutJob(job, result.retryAt);
}
