import { EXTERNAL_ACCOUNT } from '../charges/ledger-transactions';
import { availableAccountOf } from '../earnings/earning-accounts';
import { LATE_FAILURE_MS, PLATFORM_BALANCE_RETRY_MS } from '../limits';
import type { LedgerAccount, LedgerTransaction, PayoutRecord } from '../record';
import { type PayoutCode, type PayoutState, payoutMayMove } from '../schema-payouts';
import type { PayoutChange } from '../store/payouts/payout-rows';

/** What happened to a payout, outside of Parley or by its seller. */
export type PayoutEvent =
  /** The money is about to leave Parley: from now on the payout cannot be canceled. */
  | { kind: 'started'; accountId: string | null }
  /** The money is at the seller's account at Stripe. */
  | { kind: 'transferred'; transferId: string }
  /** The platform's balance does not cover the transfer now. The next attempt needs another idempotency key. */
  | { kind: 'uncovered' }
  /** Stripe sent the money to the bank. */
  | { kind: 'sent'; bankPayoutId: string; arrivesAt: Date }
  | { kind: 'paid' }
  /** Stripe or the bank refused the transfer, or the payout, or returned the money. */
  | { kind: 'refused'; code: PayoutCode; reason: string | null }
  /** The money is back at Parley. */
  | { kind: 'returned'; reversalId: string | null }
  | { kind: 'canceled' };

/** The next request to Stripe that a payout requires; null for none. */
export type PayoutRequestKind = 'transfer' | 'send' | 'check' | 'return' | null;

/** Returns the next request of a payout. A `created` payout starts first. */
export function nextRequest({ state, transferId }: Pick<PayoutRecord, 'state' | 'transferId'>): PayoutRequestKind {
  switch (state) {
    case 'created':
      return 'transfer';
    case 'transferring':
      return transferId === null ? 'transfer' : 'send';
    case 'in_transit':
    case 'paid':
      return 'check';
    case 'returning':
      return 'return';
    case 'failed':
    case 'canceled':
      return null;
  }
}

/** Ledger transactions of a payout, each of which is posted at most once. */
export type PayoutPosting = 'payout' | 'payout-paid' | 'payout-unpaid' | 'payout-returned';

/** The effect of an event on a payout, before the ledger transaction is built. */
type Effect = Omit<PayoutChange, 'transaction'> & { posting: PayoutPosting | null };

/**
 * Returns the effect of an event on a payout; null for an event that does not fit the state, because it is repeated or
 * late. Pure.
 */
export function applyEvent(payout: PayoutRecord, event: PayoutEvent, at: Date): PayoutChange | null {
  const effect = changeOf(payout, event, at);
  if (!effect || !payoutMayMove(payout.state, effect.to)) return null;
  const { posting, ...change } = effect;
  return { ...change, transaction: posting && payoutTransaction(payout, posting) };
}

function changeOf(payout: PayoutRecord, event: PayoutEvent, at: Date): Effect | null {
  const { state, transferId, attempt } = payout;
  const isUntransferred = state === 'transferring' && transferId === null;
  switch (event.kind) {
    case 'started':
      return state === 'created' ? moved('transferring', { accountId: event.accountId }, at) : null;
    case 'transferred':
      return isUntransferred ? moved('transferring', { transferId: event.transferId }, at) : null;
    case 'uncovered':
      if (!isUntransferred) return null;
      return moved('transferring', { attempt: attempt + 1 }, later(at, PLATFORM_BALANCE_RETRY_MS));
    case 'sent': {
      if (state !== 'transferring' || transferId === null) return null;
      const { bankPayoutId, arrivesAt } = event;
      return moved('in_transit', { bankPayoutId, arrivesAt }, at);
    }
    case 'paid':
      return { to: 'paid', set: { endedAt: at }, posting: 'payout-paid', dueAt: later(at, LATE_FAILURE_MS) };
    case 'refused':
      return refused(payout, event, at);
    case 'returned': {
      const set = { reversalId: event.reversalId, endedAt: at };
      return { to: 'failed', set, posting: 'payout-returned', dueAt: null };
    }
    case 'canceled':
      return { to: 'canceled', set: { endedAt: at }, posting: 'payout-returned', dueAt: null };
  }
}

function moved(to: PayoutState, set: Effect['set'], dueAt: Date): Effect {
  return { to, set, posting: null, dueAt };
}

function refused(
  { state, transferId }: PayoutRecord,
  { code, reason }: Extract<PayoutEvent, { kind: 'refused' }>,
  at: Date,
): Effect | null {
  if (state === 'transferring' && transferId === null) {
    return { to: 'failed', set: { code, reason, endedAt: at }, posting: 'payout-returned', dueAt: null };
  }
  if (state === 'returning') return null;
  const posting = state === 'paid' ? 'payout-unpaid' : null;
  return { to: 'returning', set: { code, reason, endedAt: null }, posting, dueAt: at };
}

function later(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** Returns the account of a seller's money that is on its way to the bank, or back. */
function transitAccountOf(sellerId: string): LedgerAccount {
  return { kind: 'transit', owner: sellerId };
}

/** Returns a ledger transaction of a payout. */
export function payoutTransaction(
  { id, sellerId, amount, currency, test }: PayoutRecord,
  kind: PayoutPosting,
): LedgerTransaction {
  const available = availableAccountOf(sellerId);
  const transit = transitAccountOf(sellerId);
  const [from, to] = {
    payout: [available, transit] as const,
    'payout-paid': [transit, EXTERNAL_ACCOUNT] as const,
    'payout-unpaid': [EXTERNAL_ACCOUNT, transit] as const,
    'payout-returned': [transit, available] as const,
  }[kind];
  const entries = [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
  return { key: `payout:${id}:${kind}`, kind, orderId: null, currency, test, entries };
}
