import { cardCharge } from '../card-charge';
import type { Charge, PaymentPorts } from '../ports';
import type { OrderRecord } from '../record';
import type { OutboxJob } from '../store/outbox';
import { walletCharge } from '../wallet-charge';

/** What a step of the engine works with. */
export interface Tools {
  ports: PaymentPorts;
  now: () => Date;
  signal: AbortSignal;
}

/** A step is done for now, or is to be looked at again at a time. A step that throws is tried again later, too. */
export type StepResult = 'done' | { again: Date };

/** One step for an order: reads nothing but what it is given, decides once, writes once. */
export type Step = (order: OrderRecord, tools: Tools, job: OutboxJob) => Promise<StepResult>;

/** How the order is paid. */
export function chargeOf(order: OrderRecord): Charge {
  return order.method === 'card' ? cardCharge : walletCharge;
}

const firstPauseMs = 1_000;
const longestPauseMs = 300_000;

/** When to try again after so many attempts: the pause doubles, and is up to a half less, so that not all come at once. */
export function nextAttempt(attempts: number, now: Date): Date {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20));
  return new Date(now.getTime() + pause * (0.5 + Math.random() / 2));
}
