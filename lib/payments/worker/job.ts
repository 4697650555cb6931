import { RETRY_INITIAL_MS, RETRY_MAX_MS } from '../limits';
import type { PaymentPorts } from '../ports';
import type { OrderRecord } from '../record';
import type { OutboxJob } from '../store/outbox';

/** The dependencies of a job handler. */
export interface JobDeps {
  ports: PaymentPorts;
  now: () => Date;
  signal: AbortSignal;
}

/** The result of a job: done, or a time of the next attempt. A handler that throws is retried later, too. */
export type JobResult = 'done' | { retryAt: Date };

/** Handles one job of an order. Idempotent: it evaluates the given order and writes only if the order is unchanged. */
export type JobHandler = (order: OrderRecord, deps: JobDeps, job: OutboxJob) => Promise<JobResult>;

/** The time of the retry after a number of attempts: exponential backoff with up to 50 % jitter. */
export function nextAttempt(attempts: number, now: Date): Date {
  const backoff = Math.min(RETRY_MAX_MS, RETRY_INITIAL_MS * 2 ** Math.min(attempts - 1, 20));
  return new Date(now.getTime() + backoff * (0.5 + Math.random() / 2));
}
