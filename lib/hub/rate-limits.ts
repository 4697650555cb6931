import type { TokenBucketRule } from '../limits';

/** Maximum hellos per agent. */
export const HELLO_LIMIT: TokenBucketRule = {
  name: 'worker connections',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Maximum searches by the workers of one agent. */
export const SEARCH_LIMIT: TokenBucketRule = {
  name: 'agent searches',
  burst: 120,
  perMinute: 600,
  onDatabaseDown: 'count-here',
};
