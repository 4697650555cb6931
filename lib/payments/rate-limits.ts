import type { TokenBucketRule } from '../limits';

/** Maximum cart signatures, mandate verifications and claims per app. Each requires a signature or a few queries. */
export const MERCHANT_LIMIT: TokenBucketRule = {
  name: 'merchant calls',
  burst: 600,
  perMinute: 600,
  onDatabaseDown: 'refuse',
};

/** Maximum top-ups per user. */
export const TOP_UP_LIMIT: TokenBucketRule = {
  name: 'top-ups of this wallet',
  burst: 10,
  perMinute: 2,
  onDatabaseDown: 'refuse',
};

/** Maximum JWK Set fetches caused by the carts of one listing. A key rotation requires one fetch. */
export const KEY_LOOKUP_LIMIT: TokenBucketRule = {
  name: 'key lookups',
  burst: 20,
  perMinute: 6,
  onDatabaseDown: 'refuse',
};

/** Maximum payouts that a user requests, and starts of an onboarding. */
export const PAYOUT_LIMIT: TokenBucketRule = {
  name: 'payouts of this user',
  burst: 10,
  perMinute: 2,
  onDatabaseDown: 'refuse',
};

/** Maximum changes of disputes per user. Each may store files. */
export const DISPUTE_LIMIT: TokenBucketRule = {
  name: 'changes of disputes',
  burst: 20,
  perMinute: 5,
  onDatabaseDown: 'refuse',
};

/** Maximum answers 402 per network of callers without an account. Each reads a body and an agent. */
export const QUOTE_LIMIT: TokenBucketRule = {
  name: 'calls without an account',
  burst: 120,
  perMinute: 60,
  onDatabaseDown: 'refuse',
};

/** Maximum payments per network that a facilitator is asked to verify. */
export const X402_PAYMENT_LIMIT: TokenBucketRule = {
  name: 'payments without an account',
  burst: 30,
  perMinute: 20,
  onDatabaseDown: 'refuse',
};
