import { env } from '../../platform/runtime/env';
import { findSellerAccount } from '../store/payouts/seller-rows';
import type { Rail } from './payout-rail';
import { toPayoutCode } from './requirements';

/**
 * Bank accounts whose payouts fail, with the bank's code and words. They are the numbers of Stripe's test accounts.
 */
const failingBanks: Record<string, [code: string, words: string]> = {
  '000111111116': ['no_account', 'The bank has no account with this number.'],
  '000111111113': ['account_closed', 'The bank account has been closed.'],
  '000222222227': ['insufficient_funds', 'The amount was not covered.'],
  '000333333335': ['debit_not_authorized', 'The bank account does not accept this transfer.'],
  '000444444440': ['invalid_currency', 'The bank account does not accept this currency.'],
};

/** Payouts of test credits: they arrive after `PAYOUT_TEST_SECONDS`, or fail as the bank account determines. */
export const creditsRail: Rail = {
  async transfer({ id }) {
    return { kind: 'transferred', transferId: `${id}:transfer` };
  },
  async send({ id }, now) {
    const arrivesAt = new Date(now.getTime() + env().PAYOUT_TEST_SECONDS * 1_000);
    return { kind: 'sent', bankPayoutId: `${id}:bank`, arrivesAt };
  },
  async check({ sellerId, state, arrivesAt }, now) {
    if (state === 'paid') return { kind: 'paid' };
    if (arrivesAt !== null && arrivesAt > now) return { kind: 'pending' };
    const account = await findSellerAccount({ userId: sellerId, rail: 'credits' });
    const failure = failingBanks[account?.details?.bank ?? ''];
    return failure ? { kind: 'refused', code: toPayoutCode(failure[0]), reason: failure[1] } : { kind: 'paid' };
  },
  async takeBack({ id }) {
    return { kind: 'returned', reversalId: `${id}:reversal` };
  },
  /** A bank account that failed must be entered again. */
  async checkAccount({ details, requirements }) {
    const isComplete = details !== null && requirements.length === 0;
    return { detailsSubmitted: isComplete, payoutsEnabled: isComplete };
  },
};
