import type { TokenBucketRule } from '../limits';

/** Maximum exports per user: each reads everything stored about them. */
export const EXPORT_LIMIT: TokenBucketRule = {
  name: 'exports of this account',
  burst: 5,
  perMinute: 0.2,
  onDatabaseDown: 'refuse',
};
