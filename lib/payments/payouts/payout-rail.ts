import type { PayoutRecord } from '../record';
import type { SellerAccount, SellerChange } from '../store/payouts/seller-rows';
import type { PayoutEvent } from './payout-machine';

/** What a rail knows about a payout that it sent. */
export type RailStatus = Extract<PayoutEvent, { kind: 'paid' | 'refused' }> | { kind: 'pending' };

/**
 * How money reaches a seller. Every call is idempotent across nodes and crashes, and must be made outside of
 * transactions. Temporary errors are thrown, and the call is retried.
 */
export interface Rail {
  /** Moves the amount to the seller's account at the payment processor. */
  transfer(payout: PayoutRecord): Promise<Extract<PayoutEvent, { kind: 'transferred' | 'uncovered' | 'refused' }>>;
  /** Sends the transferred amount to the seller's bank. */
  send(payout: PayoutRecord, now: Date): Promise<Extract<PayoutEvent, { kind: 'sent' | 'refused' }>>;
  /** Retrieves a payout that was sent. */
  check(payout: PayoutRecord, now: Date): Promise<RailStatus>;
  /** Takes the amount back. `blocked` if the processor refuses it now. */
  takeBack(
    payout: PayoutRecord,
  ): Promise<Extract<PayoutEvent, { kind: 'returned' }> | { kind: 'blocked'; code: string }>;
  /** Retrieves whether a seller can be paid out, and what is missing. */
  checkAccount(account: SellerAccount): Promise<SellerChange>;
}
