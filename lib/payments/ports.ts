import { declarePort } from '../platform/runtime/port';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { RETRY_INITIAL_MS, RETRY_MAX_MS } from './limits';
import type { LedgerAccount, LedgerTransaction, OrderRecord, RefundRecord } from './record';
import type { EmailedAlert } from './schema-spending';
import type { OutboxJob } from './store/outbox';

/** The state of an order's authorization hold. */
export type Hold =
  /** The money is held. `paymentId` is Stripe's PaymentIntent. The hold expires at `captureBefore`. */
  | { kind: 'held'; amount: number; paymentId?: string; captureBefore?: Date }
  /** The buyer must visit this page first. */
  | { kind: 'action'; sessionId: string; redirectUrl: string }
  /** Nothing is held yet; the caller should wait. */
  | { kind: 'pending' }
  /** No money is held, and none will be for this order. */
  | { kind: 'declined' | 'expired'; code: string };

/** The result of a capture or refund. `failed` is permanent; temporary failures are thrown. */
export type ChargeResult =
  | { kind: 'done'; paymentId?: string }
  | { kind: 'pending' }
  | { kind: 'failed'; code: string };

/**
 * A payment method. Every call is idempotent across nodes and crashes: an order is held, captured, released and
 * refunded at most once. Methods must be called outside of transactions. Temporary errors are thrown, and the call is
 * retried.
 */
export interface Charge {
  /** Authorizes the order's amount, or returns the reason why it is not possible. */
  authorize(order: OrderRecord): Promise<Hold>;
  /** Retrieves the hold from the wallet or from Stripe. Accepts no new hold after the order's expiry. */
  retrieve(order: OrderRecord, now: Date): Promise<Hold>;
  /** Captures the whole hold. */
  capture(order: OrderRecord): Promise<ChargeResult>;
  /** Releases the hold, including one that was created late. */
  release(order: OrderRecord): Promise<void>;
  /** Refunds captured money. */
  refund(order: OrderRecord, refund: RefundRecord): Promise<ChargeResult>;
  /** The ledger transactions, posted in the database transaction that moves the order. */
  readonly transactions: {
    hold(order: OrderRecord): LedgerTransaction | null;
    capture(order: OrderRecord): LedgerTransaction;
    release(order: OrderRecord): LedgerTransaction | null;
    /** `seller` is the seller's account that pays. */
    refund(order: OrderRecord, refund: RefundRecord, seller: LedgerAccount): LedgerTransaction;
  };
}

/** The merchant's response to the mandates. */
export type DeliveryResult =
  /** Confirmed, in a verified format. */
  | { kind: 'confirmed'; merchantOrderId?: string }
  /** Delivered without a decision, for which the merchant has until `until`. */
  | { kind: 'waiting'; until: Date }
  /** Rejected for the reason `code`. */
  | { kind: 'rejected'; code: string }
  /** Not delivered. Retried with the same message. */
  | { kind: 'unreachable' };

/**
 * Signs the mandates of an `authorized` order once and sends them to the merchant on the order's task. Repeated calls
 * use the same message id. Called outside of transactions.
 */
type Deliver = (order: OrderRecord, options: { now: Date; signal: AbortSignal }) => Promise<DeliveryResult>;

/** An event to announce: capture, refund, failed refund, decline, or the end of an approved order without a sale. */
export type OrderOutcome =
  | { event: 'captured' | 'ended' }
  /** The buyer declined the offer with this credential. */
  | { event: 'declined'; credentialId: string }
  | { event: 'refunded' | 'refund-failed'; refund: RefundRecord }
  /** Alerts for the buyer about limits and wallet after an approval. Those of an earlier release are English sentences. */
  | { event: 'spending'; alerts: (EmailedAlert | string)[] };

/** Notifies merchant and buyer by receipt and email. May be repeated for an announcement, so it must be idempotent. */
type NotifyParties = (
  order: OrderRecord,
  outcome: OrderOutcome,
  options: { now: Date; signal: AbortSignal },
) => Promise<void>;

/** The functions of tasks that payments use. */
export interface PaymentPorts {
  deliver: Deliver;
  notify: NotifyParties;
  /** The stored events of a task, in order. */
  readTaskEvents: (task: { principal: string; id: string }) => AsyncIterable<{ event: TaskEvent }>;
}

export const paymentsPort = declarePort<PaymentPorts>('payments');

/** The dependencies of a job handler. */
export interface JobDeps {
  ports: PaymentPorts;
  now: () => Date;
  signal: AbortSignal;
}

/** The result of a job: done, or the time of the next attempt. A handler that throws is also retried later. */
export type JobResult = 'done' | { retryAt: Date };

/**
 * Handles one job of an order. Must be idempotent: it evaluates the given order and writes only if the order is
 * unchanged.
 */
export type JobHandler = (order: OrderRecord, deps: JobDeps, job: OutboxJob) => Promise<JobResult>;

/** Returns the time of the next attempt after a number of attempts: exponential backoff with up to 50 % jitter. */
export function nextAttempt(attempts: number, now: Date): Date {
  const backoff = Math.min(RETRY_MAX_MS, RETRY_INITIAL_MS * 2 ** Math.min(attempts - 1, 20));
  return new Date(now.getTime() + backoff * (0.5 + Math.random() / 2));
}
