import { onConnectionGap, subscribe } from '../../platform/bus';
import { failpoint } from '../../platform/failpoint';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import { retrieveTopUp } from '../charges/top-ups';
import { OUTBOX_BATCH_SIZE, OUTBOX_LEASE_MS, OUTBOX_POLL_MS } from '../limits';
import type { PaymentPorts } from '../ports';
import type { OutboxKind } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { claimJobs, completeJob, nextJobDueAt, type OutboxJob, rescheduleJob } from '../store/outbox';
import { authorize, retrieve } from './authorize';
import { announce, capture, refund, release } from './capture-refund';
import { checkDeliveryTimeout, deliver } from './deliver';
import { type JobDeps, type JobHandler, type JobResult, nextAttempt } from './job';

interface WorkerState {
  timer: NodeJS.Timeout | undefined;
  running: Promise<void> | null;
  /** A notification arrived while jobs were running. */
  pollAgain: boolean;
  controller: AbortController;
  unsubscribers: (() => void)[];
}

function workerState(): WorkerState {
  return processSingleton('payments-engine', () => ({
    timer: undefined,
    running: null,
    pollAgain: false,
    controller: new AbortController(),
    unsubscribers: [],
  }));
}

/**
 * Starts this node's outbox worker. It runs jobs on notification, when they are due, and when another node's lease
 * expires.
 */
export function startPayments(ports: PaymentPorts): void {
  const { controller, unsubscribers } = workerState();
  const deps: JobDeps = { ports, now: () => new Date(), signal: controller.signal };
  const wake = (): void => poll(deps);
  unsubscribers.push(subscribe('order', '*', wake), onConnectionGap(wake));
  wake();
}

/** Stops the worker after its running jobs have finished. */
export async function stopPayments(): Promise<void> {
  const { controller, unsubscribers, timer, running } = workerState();
  controller.abort();
  clearTimeout(timer);
  for (const unsubscribe of unsubscribers) unsubscribe();
  await running;
}

function poll(deps: JobDeps): void {
  const state = workerState();
  state.pollAgain = true;
  if (state.running || state.controller.signal.aborted) return;
  clearTimeout(state.timer);
  state.running = work(deps).finally(() => {
    state.running = null;
    if (state.pollAgain) poll(deps);
  });
}

async function work(deps: JobDeps): Promise<void> {
  const state = workerState();
  let next: Date | null = null;
  while (state.pollAgain && !state.controller.signal.aborted) {
    state.pollAgain = false;
    try {
      next = await runOutbox(deps);
    } catch (error) {
      if (!state.controller.signal.aborted) log.error('payments.engine_failed', errorFields(error));
    }
  }
  const wait = next ? Math.max(next.getTime() - deps.now().getTime(), 0) : OUTBOX_POLL_MS;
  if (!state.controller.signal.aborted) {
    state.timer = setTimeout(() => poll(deps), Math.min(wait, OUTBOX_POLL_MS)).unref();
  }
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
};

/**
 * Runs all due jobs in batches until none is left. Safe on any number of nodes and after any crash: a job whose lease
 * expired is run again.
 * @returns when the next job is due; null when there is none
 */
export async function runOutbox(deps: JobDeps): Promise<Date | null> {
  while (!deps.signal.aborted) {
    const now = deps.now();
    const jobs = await claimJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), OUTBOX_BATCH_SIZE);
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
