import { faultPoint } from '../../platform/fault-point';
import { errorFields, log } from '../../platform/log';
import type { OutboxKind } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { claimOutbox, finishOutbox, nextOutboxDue, type OutboxJob, postponeOutbox } from '../store/outbox';
import { authorize, retrieve } from './authorize';
import { deliver, watchDelivery } from './deliver';
import { nextAttempt, type Step, type StepResult, type Tools } from './job';
import { announce, capture, refund, release } from './settle';
import { retrieveTopUp } from './top-up';

/** A claim outlives the longest step; whose node dies is done by another then. */
const leaseMs = 120_000;
const atOnce = 4;

const steps: Record<OutboxKind, Step> = {
  authorize,
  retrieve,
  deliver,
  'watch-delivery': watchDelivery,
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
export async function runOutbox(tools: Tools): Promise<Date | null> {
  while (!tools.signal.aborted) {
    const now = tools.now();
    const jobs = await claimOutbox(now, new Date(now.getTime() + leaseMs), atOnce);
    if (jobs.length === 0) break;
    await Promise.all(jobs.map((job) => runJob(job, tools)));
  }
  return nextOutboxDue();
}

async function runJob(job: OutboxJob, tools: Tools): Promise<void> {
  faultPoint(`${job.kind}.claimed`);
  let result: StepResult;
  try {
    result = await runStep(job, tools);
  } catch (error) {
    const { orderId, topUpId, kind, attempts } = job;
    log.warn('payments.step_failed', { orderId, topUpId, kind, attempts, ...errorFields(error) });
    result = { again: nextAttempt(attempts, tools.now()) };
  }
  faultPoint(`${job.kind}.kept`);
  if (result === 'done') await finishOutbox(job, tools.now());
  else await postponeOutbox(job, result.again);
}

async function runStep(job: OutboxJob, tools: Tools): Promise<StepResult> {
  if (job.topUpId !== null) {
    await retrieveTopUp(job.topUpId, tools.now());
    return 'done';
  }
  const order = await findOrderById(job.orderId ?? '');
  return order ? steps[job.kind](order, tools, job) : 'done';
}
