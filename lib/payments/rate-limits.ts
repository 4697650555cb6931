import type { TokenBucketRule } from '../limits';

/** Carts signed, mandates verified and claimed by one app. Each costs a signature or a few queries. */
export const MERCHANT_LIMIT: TokenBucketRule = {
  name: 'merchant calls',
  burst: 600,
  perMinute: 600,
  onDatabaseDown: 'refuse',
};
