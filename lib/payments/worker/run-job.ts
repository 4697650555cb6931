import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { retrieveTopUp } from '../charges/top-ups';
import { payByStanding } from '../standing/pay-by-standing';
import type { OutboxKind } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { completeJob, type OutboxJob, rescheduleJob } from '../store/outbox';
import { authorize, retrieve } from './authorize-charge';
import { announce, capture, refund, release } from './capture-refund';
import { checkDeliveryTimeout, deliver } from './deliver';
import { type JobDeps, type JobHandler, type JobResult, nextAttempt } from './job';

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
 * Runs a claimed job; a failed one is retried later.
 * @throws database errors; the job then runs again when its lease expires
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
