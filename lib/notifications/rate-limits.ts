import type { TokenBucketRule } from '../limits';

/** Maximum subscriptions of browsers per user. */
export const SUBSCRIBE_LIMIT: TokenBucketRule = {
  name: 'web-push-subscriptions',
  burst: 30,
  perMinute: 10,
  onDatabaseDown: 'refuse',
};

/** Maximum reports of seen conversations per user. */
export const SEEN_LIMIT: TokenBucketRule = {
  name: 'web-push-seen',
  burst: 60,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};
