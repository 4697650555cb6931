import type { TokenBucketRule } from '../limits';

/** Maximum searches of the concierge per principal. */
export const ROUTING_LIMIT: TokenBucketRule = {
  name: 'concierge',
  burst: 30,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};
