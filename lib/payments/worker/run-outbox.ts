import { failpoint } from '../../platform/failpoint';
import { errorFields, log } from '../../platform/log';
import type { OutboxKind } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { claimJobs, completeJob, nextJobDueAt, type OutboxJob, rescheduleJob } from '../store/outbox';
import { authorize, retrieve } from './authorize';
import { announce, capture, refund, release } from './capture-refund';
import { checkDeliveryTimeout, deliver } from './deliver';
import { type JobDeps, type JobHandler, type JobResult, nextAttempt } from './job';
import { retrieveTopUp } from './top-up';

/** A claim outlives the longest step; whose node dies is done by another then. */
const leaseMs = 120_000;
const batchSize = 4;

const handlers: Record<OutboxKind, JobHandler> = {
  authorize,
  retrieve,
  deliver,
  'watch-delivery': checkDeliveryTimeout,
  capture,
  release,
  refund,
  announce,
};

/**
 * Does all that is due, four at a time, until there is nothing. Safe on any number of nodes and after any crash: what is
 * claimed by nobody, or by a node that is gone, is done again.
 * @returns when the next work is due; null when there is none
 */
export async function runOutbox(deps: JobDeps): Promise<Date | null> {
  while (!deps.signal.aborted) {
    const now = deps.now();
    const jobs = await claimJobs(now, new Date(now.getTime() + leaseMs), batchSize);
    if (jobs.length === 0) break;
    await Promise.all(jobs.map((job) => runJob(job, deps)));
  }
  return nextJobDueAt();
}

async function runJob(job: OutboxJob, deps: JobDeps): Promise<void> {
  failpoint(`${job.kind}.claimed`);
  let result: JobResult;
  try {
    result = await runHandler(job, deps);
  } catch (error) {
    const { orderId, topUpId, kind, attempts } = job;
    log.warn('payments.step_failed', { orderId, topUpId, kind, attempts, ...errorFields(error) });
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
