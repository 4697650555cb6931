import { StripeRejectedError } from '../charges/stripe-client';
import {
  type BankPayout,
  type BankTransfer,
  getBankPayout,
  getConnectedAccount,
  reverseTransfer,
  sendToBank,
  transferToAccount,
} from '../charges/stripe-connect';
import { isTestMode } from '../charges/stripe-mode';
import { MAX_BANK_REASON_LENGTH } from '../limits';
import type { PayoutRecord } from '../record';
import type { PayoutEvent } from './payout-machine';
import type { Rail } from './payout-rail';
import { toPayoutCode, toRequirements } from './requirements';

type Refusal = Extract<PayoutEvent, { kind: 'refused' }>;

/** Payouts by Stripe Connect: a transfer to the connected account, and a payout from there to the bank. */
export const stripeRail: Rail = {
  async transfer(payout) {
    if (payout.accountId === null) return refusal('not_enabled', null);
    try {
      return { kind: 'transferred', transferId: await transferToAccount(transferOf(payout), payout.attempt) };
    } catch (error) {
      if (!(error instanceof StripeRejectedError)) throw error;
      return error.code === 'balance_insufficient' ? { kind: 'uncovered' } : refusal(error.code, error.explanation);
    }
  },
  async send(payout) {
    try {
      const sent = await sendToBank(transferOf(payout), payout.createdAt);
      return { kind: 'sent', bankPayoutId: sent.id, arrivesAt: sent.arrivesAt };
    } catch (error) {
      if (!(error instanceof StripeRejectedError)) throw error;
      return refusal(error.code, error.explanation);
    }
  },
  async check({ bankPayoutId, accountId }) {
    if (bankPayoutId === null || accountId === null) return { kind: 'pending' };
    return toStatus(await getBankPayout(bankPayoutId, accountId));
  },
  async takeBack({ id, transferId }) {
    if (transferId === null) return { kind: 'returned', reversalId: null };
    try {
      return { kind: 'returned', reversalId: await reverseTransfer(transferId, id) };
    } catch (error) {
      if (!(error instanceof StripeRejectedError)) throw error;
      return { kind: 'blocked', code: error.code };
    }
  },
  async checkAccount({ accountId }) {
    if (accountId === null) return {};
    const { live, enabled, requirements } = await getConnectedAccount(accountId);
    if (live === isTestMode()) return {};
    const missing = toRequirements(requirements);
    return { detailsSubmitted: missing.length === 0, payoutsEnabled: enabled, requirements: missing };
  },
};

function transferOf({ id: payoutId, accountId, amount, currency }: PayoutRecord): BankTransfer {
  return { payoutId, accountId: accountId ?? '', amount, currency };
}

function toStatus({ status, code, reason }: BankPayout): Refusal | { kind: 'paid' | 'pending' } {
  if (status === 'failed') return refusal(code, reason);
  return { kind: status === 'paid' ? 'paid' : 'pending' };
}

function refusal(code: string | null, reason: string | null): Refusal {
  return { kind: 'refused', code: toPayoutCode(code), reason: reason?.slice(0, MAX_BANK_REASON_LENGTH) ?? null };
}
