import type Stripe from 'stripe';
import { isActive, restrictAccount } from './accounts';
import { moveBalance, requireBalance } from './balances';
import { type BankPayout, banks } from './objects';
import { ApiError, amountOf, invalid, metadataOf, type Params, textOf } from './params';
import { found, newStripeId, type State } from './state';

const transitSeconds = 2 * 24 * 3_600;

/** Sends money of a connected account to its bank. */
export function createPayout(state: State, owner: string, params: Params): object {
  const account = found(state.accounts, owner, 'account');
  const amount = amountOf(params, 'amount');
  const currency = textOf(params, 'currency');
  if (currency === null) throw invalid('Missing required param: currency.', 'parameter_missing', 'currency');
  if (!isActive(account) || account.bank === null) {
    throw invalid(
      'Cannot create payouts: this account has requirements that need to be collected.',
      'payouts_not_allowed',
    );
  }
  requireBalance(state, owner, { currency, amount });
  const payout = {
    id: newStripeId('po'),
    object: 'payout',
    account: owner,
    amount,
    arrival_date: state.now() + transitSeconds,
    automatic: false,
    created: state.now(),
    currency,
    destination: newStripeId('ba'),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: metadataOf(params),
    method: 'standard',
    status: 'pending',
    type: 'bank_account',
  } as Partial<BankPayout> as BankPayout;
  payout.balance_transaction = moveBalance(state, { owner, currency, amount: -amount, type: 'payout', source: payout });
  state.payouts.set(payout.id, payout);
  state.emit('payout.created', visiblePayout(payout), owner);
  return visiblePayout(payout);
}

/** What Stripe's API shows of a payout. */
export function visiblePayout({ account: _, ...payout }: BankPayout): Stripe.Payout {
  return payout as Stripe.Payout;
}

/** A payout of this account. */
export function payoutOf(state: State, owner: string, id: string): BankPayout {
  const payout = state.payouts.get(id);
  if (payout?.account === owner) return payout;
  const message = `No such payout: '${id}'`;
  throw new ApiError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param: 'payout' });
}

/** The platform, or Stripe itself, cancels a payout that is not at the bank yet. */
export function cancelPayout(state: State, payout: BankPayout): object {
  if (payout.status !== 'pending') throw invalid('Payouts can only be canceled while pending.', 'payout_not_pending');
  giveBack(state, payout, 'canceled');
  return visiblePayout(payout);
}

/** The banks of the payouts that have arrived answer. */
export function settleArrivedPayouts(state: State): void {
  for (const payout of state.payouts.values()) if (payout.arrival_date <= state.now()) settlePayout(state, payout);
}

/** The bank of a payout answers: paid, or failed as its account number determines. */
export function settlePayout(state: State, payout: BankPayout): void {
  if (payout.status !== 'pending' && payout.status !== 'in_transit') return;
  const failure = banks[found(state.accounts, payout.account, 'account').bank ?? '000123456789'];
  if (failure) {
    failPayout(state, payout, failure);
    return;
  }
  payout.status = 'paid';
  state.emit('payout.paid', visiblePayout(payout), payout.account);
}

/** The bank refuses a payout, or returns the money of one that was paid. Its account has to be entered again. */
export function failPayout(
  state: State,
  payout: BankPayout,
  failure: { code: string; message: string } = banks['000111111113'],
): void {
  if (payout.status === 'failed' || payout.status === 'canceled') return;
  Object.assign(payout, { failure_code: failure.code, failure_message: failure.message });
  giveBack(state, payout, 'failed');
  restrictAccount(state, payout.account, ['external_account']);
}

function giveBack(state: State, payout: BankPayout, status: 'failed' | 'canceled'): void {
  const { account: owner, currency, amount } = payout;
  const type = status === 'failed' ? 'payout_failure' : 'payout_cancel';
  payout.status = status;
  payout.failure_balance_transaction = moveBalance(state, { owner, currency, amount, type, source: payout });
  state.emit(`payout.${status}`, visiblePayout(payout), owner);
}
