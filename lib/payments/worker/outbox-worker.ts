import { keepInterest, noticePollMs, onNoticeGap, subscribe } from '../../platform/bus';
import { createRest } from '../../platform/runtime/activity';
import { errorFields, log } from '../../platform/runtime/log';
import { createWorker, type Worker } from '../../platform/runtime/worker';
import { OUTBOX_CONCURRENCY, OUTBOX_LEASE_MS, OUTBOX_POLL_MS } from '../limits';
import type { PaymentPorts } from '../ports';
import { claimJobs, nextJobDueAt, type OutboxJob } from '../store/outbox';
import { runJob } from './run-job';

let outboxWorker: Worker | null = null;

/**
 * Starts this node's outbox worker. It runs jobs on notification, when they are due, and when another node's lease
 * expires. Safe on any number of nodes and after any crash: a job whose lease expired is run again.
 */
export function startPayments(ports: PaymentPorts): void {
  const now = (): Date => new Date();
  const rest = createRest({ nextDue: nextJobDueAt });
  const worker = createWorker<OutboxJob>({
    concurrency: OUTBOX_CONCURRENCY,
    pollMs: noticePollMs(OUTBOX_POLL_MS),
    claim: async (limit) => ((await rest.isRoundDue()) ? claim(limit) : []),
    // It may have scheduled the next attempt.
    run: (job, signal) => runJob(job, { ports, now, signal }).finally(rest.wake),
    subscribe: (poll) => {
      const wake = rest.waking(poll);
      return [subscribe('order', '*', wake), keepInterest('order', '*'), onNoticeGap(wake)];
    },
    onError: (error) => log.error('payments.worker_failed', errorFields(error)),
  });
  outboxWorker = worker;
  worker.start();
}

/** Stops the worker after its running jobs have finished. */
export async function stopPayments(): Promise<void> {
  await outboxWorker?.stop();
}

async function claim(limit: number): Promise<OutboxJob[]> {
  const now = new Date();
  const jobs = await claimJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), limit);
  if (jobs.length > 0) return jobs;
  const next = await nextJobDueAt();
  if (next) outboxWorker?.wake(next);
  return [];
}
