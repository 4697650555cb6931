import type { LedgerTransaction } from './charges/ledger-transactions';
import type { OrderRecord, RefundRecord } from './record';

/** How far the hold of an order's money is. */
export type Hold =
  /** The money is held; `paymentId` names the card processor's payment, `captureBefore` when the hold lapses. */
  | { kind: 'held'; amount: number; paymentId?: string; captureBefore?: Date }
  /** The person must go to this page first. */
  | { kind: 'action'; sessionId: string; redirectUrl: string }
  /** Nothing is held yet, and nothing is to be done but to wait. */
  | { kind: 'pending' }
  /** Nothing is held, and never will be for this order. */
  | { kind: 'declined' | 'expired'; code: string };

/** What became of taking held money, or of giving it back. `failed` is for good; whatever may still come is thrown. */
export type ChargeResult =
  | { kind: 'done'; paymentId?: string }
  | { kind: 'pending' }
  | { kind: 'failed'; code: string };

/**
 * A way to pay. Every call may be made again, by any node and after a crash: the money of an order is held, taken, let go
 * and given back at most once. None may be made inside a transaction. What cannot be told now is thrown, and asked again.
 */
export interface Charge {
  /** Has the order's money held, or says what stands in the way. */
  authorize(order: OrderRecord): Promise<Hold>;
  /** How the hold stands, as the one knows who holds it; after `expires` nothing new may be held. */
  retrieve(order: OrderRecord, now: Date): Promise<Hold>;
  /** Takes all that is held. */
  capture(order: OrderRecord): Promise<ChargeResult>;
  /** Lets go of whatever is held, also of what was held late. */
  release(order: OrderRecord): Promise<void>;
  /** Gives taken money back. */
  refund(order: OrderRecord, refund: RefundRecord): Promise<ChargeResult>;
  /** What the ledger writes of each, in the transaction that moves the order. */
  readonly transactions: {
    hold(order: OrderRecord): LedgerTransaction | null;
    capture(order: OrderRecord): LedgerTransaction;
    release(order: OrderRecord): LedgerTransaction | null;
    refund(order: OrderRecord, refund: RefundRecord): LedgerTransaction;
  };
}

/** What the merchant made of the mandates. */
export type DeliveryResult =
  /** It confirmed the order, in a form that was checked. */
  | { kind: 'confirmed'; merchantOrderId?: string }
  /** It has the mandates and has not said yet; `until` is how long it may take. */
  | { kind: 'waiting'; until: Date }
  /** It does not want the order; `code` says why. */
  | { kind: 'rejected'; code: string }
  /** It could not be reached; it is tried again, with the same message. */
  | { kind: 'unreachable' };

/**
 * Signs the order's mandates (once) and sends them to the merchant on the order's task, under the same message id however
 * often it is called. Called outside of any transaction for orders in `authorized`.
 */
export type Deliver = (order: OrderRecord, options: { now: Date; signal: AbortSignal }) => Promise<DeliveryResult>;

/**
 * What there is to tell: the money was taken, some was given back or did not arrive there, or the order ended without a sale
 * after its approval.
 */
export type OrderOutcome =
  | { event: 'captured' | 'ended' }
  /** The person declined the offer, under this credential. */
  | { event: 'declined'; credentialId: string }
  | { event: 'refunded' | 'refund-failed'; refund: RefundRecord };

/** Tells both sides how an order went, by receipts and mail; at least once for each announcement, so it must be idempotent. */
export type NotifyParties = (
  order: OrderRecord,
  outcome: OrderOutcome,
  options: { now: Date; signal: AbortSignal },
) => Promise<void>;

/** What the engine needs of those above it. */
export interface PaymentPorts {
  deliver: Deliver;
  notify: NotifyParties;
}
