import type Stripe from 'stripe';
import { ApiError } from './params';
import { newStripeId, type State } from './state';

/** The owner of a balance: a connected account, or `platform`. */
export const PLATFORM = 'platform';

type Source = { id: string };

/** A movement of an available balance. */
interface Movement {
  owner: string;
  currency: string;
  amount: number;
  type: Stripe.BalanceTransaction.Type;
  source: Source;
}

/** Changes a balance. It may become negative, as after a refund or a reversal. */
export function moveBalance(state: State, { owner, currency, amount, type, source }: Movement): string {
  const transaction: Stripe.BalanceTransaction = {
    id: newStripeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: state.now(),
    balance_type: 'payments',
    created: state.now(),
    currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: type,
    source: source.id,
    status: 'available',
    type,
  };
  const ofOwner = state.transactions.get(owner) ?? [];
  ofOwner.push(transaction);
  state.transactions.set(owner, ofOwner);
  return transaction.id;
}

/** The available amount of an owner, minor units. */
export function balanceOf(state: State, owner: string, currency: string): number {
  const ofOwner = state.transactions.get(owner) ?? [];
  return ofOwner.filter((one) => one.currency === currency).reduce((sum, { net }) => sum + net, 0);
}

/** Throws Stripe's error if a balance does not cover an amount. Stripe keeps it for the idempotency key. */
export function requireBalance(
  state: State,
  owner: string,
  { currency, amount }: { currency: string; amount: number },
): void {
  if (balanceOf(state, owner, currency) >= amount) return;
  const message = 'You have insufficient funds in your Stripe account for this transfer.';
  throw new ApiError(400, { type: 'invalid_request_error', code: 'balance_insufficient', message }, true);
}

/** The response of `GET /v1/balance`. */
export function showBalance(state: State, owner: string): object {
  const currencies = [...new Set((state.transactions.get(owner) ?? []).map(({ currency }) => currency))];
  const available = currencies.map((currency) => ({
    amount: balanceOf(state, owner, currency),
    currency,
    source_types: { card: balanceOf(state, owner, currency) },
  }));
  return { object: 'balance', available, livemode: false, pending: [] };
}

/** Adds money to the platform's balance, as a top-up from its bank does. */
export function fundPlatform(state: State, amount: number, currency = 'eur'): void {
  moveBalance(state, { owner: PLATFORM, currency, amount, type: 'topup', source: { id: newStripeId('tu') } });
}
