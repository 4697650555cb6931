import type { FixedWindowRule, TokenBucketRule } from '../limits';

/** Maximum reports without a session, per client address. */
export const ANONYMOUS_REPORT_LIMIT: FixedWindowRule = {
  name: 'reports from this address',
  max: 5,
  windowSeconds: 3_600,
};

/** Maximum reports per user. */
export const REPORT_LIMIT: TokenBucketRule = { name: 'reports', burst: 20, perMinute: 1, onDatabaseDown: 'refuse' };
