import type { TokenBucketRule } from '../limits';

/** Searches of the concierge for one principal. */
export const ROUTING_LIMIT: TokenBucketRule = {
  name: 'concierge',
  burst: 30,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};
