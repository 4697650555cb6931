import { cardCharge } from '../charges/card-charge';
import { walletCharge } from '../charges/wallet-charge';
import type { Charge, PaymentPorts } from '../ports';
import type { OrderRecord } from '../record';
import type { OutboxJob } from '../store/outbox';

/** What a step of the engine works with. */
export interface JobDeps {
  ports: PaymentPorts;
  now: () => Date;
  signal: AbortSignal;
}

/** A step is done for now, or is to be looked at again at a time. A step that throws is tried again later, too. */
export type JobResult = 'done' | { retryAt: Date };

/** One step for an order: reads nothing but what it is given, decides once, writes once. */
export type JobHandler = (order: OrderRecord, deps: JobDeps, job: OutboxJob) => Promise<JobResult>;

/** How the order is paid. */
export function chargeOf(order: OrderRecord): Charge {
  return order.method === 'card' ? cardCharge : walletCharge;
}

const initialBackoffMs = 1_000;
const maxBackoffMs = 300_000;

/** When to try again after so many attempts: the pause doubles, and is up to a half less, so that not all come at once. */
export function nextAttempt(attempts: number, now: Date): Date {
  const backoff = Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.min(attempts - 1, 20));
  return new Date(now.getTime() + backoff * (0.5 + Math.random() / 2));
}
