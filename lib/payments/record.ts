import type { MessageOrigin } from '../protocol/a2a/core/message-origin';
import type { AcceptanceTerms } from '../protocol/ap2/schema-offer';
import type { CheckView, OfferView, RefundView } from './schema';
import type { FeeTerms, HoldReason, PaperContent, PaperKind } from './schema-income';
import type { PayoutCode, PayoutRail, PayoutState, PayoutView } from './schema-payouts';
import type { StandingFailure } from './schema-standing';
import type { OrderState } from './schema-states';

/** A stored order. Amounts are integer minor units of `currency`. */
export interface OrderRecord {
  id: string;
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sourceKind: 'artifact' | 'message';
  sourceId: string;
  sourcePart: number;
  /** The author of the message that the offer answers, and its id; null if the origin is unknown. */
  answeredOrigin: MessageOrigin | null;
  answeredMessage: string | null;
  cartText: string;
  cartHash: string;
  cartId: string | null;
  issuer: string | null;
  jti: string | null;
  /** The merchant's signed checkout of AP2 0.2; null for carts of 0.1. */
  checkoutJwt: string | null;
  offer: OfferView | null;
  checks: CheckView[];
  amount: number;
  currency: string;
  expiresAt: Date | null;
  state: OrderState;
  code: string | null;
  version: number;
  method: 'wallet' | 'card' | null;
  test: boolean;
  fee: number;
  authorized: number;
  captured: number;
  refunded: number;
  captureBefore: Date | null;
  sessionId: string | null;
  paymentId: string | null;
  redirectUrl: string | null;
  attempt: number;
  merchantOrderId: string | null;
  /** The standing approval that paid it, if one did. */
  standingId: string | null;
  /** The reason why no standing approval paid it; null if none was tried. */
  standingFailure: StandingFailure | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A stored refund, from the time of its request. */
export interface RefundRecord {
  id: string;
  orderId: string;
  amount: number;
  reason: string;
  state: RefundView['state'];
  paymentId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What an agent sells: a cart, paid as an order, or its work, charged by its price plan. */
export type SaleKind = 'order' | 'charge';

/** The seller's part of one sale. Amounts are minor units. */
export interface EarningRecord {
  id: string;
  saleKind: SaleKind;
  /** The id of the order or charge. */
  saleId: string;
  /** The owner of the agent when the sale was captured. */
  sellerId: string;
  agentId: string;
  currency: string;
  test: boolean;
  /** What the buyer paid; `fee` and `tax` are parts of it. */
  gross: number;
  fee: number;
  tax: number;
  /** The refunded part of `gross`, and the part of `fee` that was returned with it. */
  refunded: number;
  feeRefunded: number;
  capturedAt: Date;
  hold: HoldReason;
  /** The end of the hold. */
  availableAt: Date;
  /** Time at which the money became available; null until then. */
  releasedAt: Date | null;
  /** The part that is in the seller's account `reserve`, for a dispute. */
  reserved: number;
}

/** The acceptance of a sale that has terms, with what its state follows from. Amounts are minor units. */
export interface AcceptanceRecord {
  saleKind: SaleKind;
  saleId: string;
  userId: string;
  sellerId: string;
  agentId: string;
  /** As the buyer approved them. */
  terms: AcceptanceTerms;
  /** From this time on, the result is accepted without an answer. */
  acceptBy: Date;
  /** Time of the buyer's acceptance; null without one. */
  acceptedAt: Date | null;
  /** The hold of the earning without the acceptance. */
  priorHold: HoldReason;
  priorAvailableAt: Date;
  currency: string;
  test: boolean;
  gross: number;
  refunded: number;
  /** The dispute that the buyer opened instead of an answer and did not withdraw; null without one. */
  disputeId: string | null;
  /** True once that dispute has a result. */
  isDisputeOver: boolean;
}

/** A refund of a charge by its seller. Amounts are minor units; `fee` is Parley's part of it. */
export interface ChargeRefundRecord {
  id: string;
  chargeId: string;
  amount: number;
  fee: number;
  reason: string;
  createdAt: Date;
}

/** The fee of sales in a currency from a time. */
export interface ScheduledFee extends FeeTerms {
  currency: string;
  effectiveFrom: Date;
  /** Of schedules that begin at the same time, the one that was made last applies. */
  createdAt: Date;
}

/** The rate of tax in a country for a kind of sale, from a time. */
export interface TaxRateRecord {
  /** ISO 3166. */
  country: string;
  saleKind: SaleKind;
  /** Hundredths of a percent of the amount without tax. */
  basisPoints: number;
  effectiveFrom: Date;
  /** Of rates that begin at the same time, the one that was made last applies. */
  createdAt: Date;
}

/** An invoice or credit note. Amounts are minor units. */
export interface PaperRecord {
  id: string;
  /** The ledger transaction that it documents. */
  transactionId: string;
  kind: PaperKind;
  /** The seller's user id, or `parley`. */
  issuer: string;
  year: number;
  test: boolean;
  number: number;
  saleKind: SaleKind;
  saleId: string;
  sellerId: string;
  buyerId: string;
  agentId: string;
  currency: string;
  gross: number;
  tax: number;
  content: PaperContent;
  issuedAt: Date;
}

/**
 * A ledger account. `owner` is the user id of a buyer (`wallet`, `held`) or seller (`available`, `reserve`, `transit`), an
 * agent id (`merchant`: captured and not yet available to the seller) or `parley`.
 */
export interface LedgerAccount {
  kind: 'wallet' | 'held' | 'merchant' | 'available' | 'reserve' | 'transit' | 'fees' | 'tax' | 'processor' | 'outside';
  owner: string;
}

/**
 * A double-entry ledger transaction. Entries are minor units, credits positive and debits negative; they sum to zero.
 */
export interface LedgerTransaction {
  /** Idempotency key: a second transaction with the same key is not posted. */
  key: string;
  kind:
    | 'grant'
    | 'top-up'
    | 'hold'
    | 'capture'
    | 'release'
    | 'refund'
    | 'refund-returned'
    | 'earning'
    | 'correction'
    | 'tax'
    | 'payout'
    | 'payout-paid'
    | 'payout-unpaid'
    | 'payout-returned'
    | 'payout-by-hand'
    | 'refund-by-hand'
    | 'dispute-held'
    | 'dispute-ended'
    | 'bank-dispute';
  orderId: string | null;
  currency: string;
  test: boolean;
  entries: { account: LedgerAccount; amount: number }[];
}

/** A stored payout. `amount` is in minor units. */
export interface PayoutRecord {
  id: string;
  sellerId: string;
  rail: PayoutRail;
  cause: PayoutView['cause'];
  currency: string;
  amount: number;
  test: boolean;
  state: PayoutState;
  code: PayoutCode | null;
  reason: string | null;
  accountId: string | null;
  transferId: string | null;
  bankPayoutId: string | null;
  reversalId: string | null;
  attempt: number;
  version: number;
  arrivesAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}
