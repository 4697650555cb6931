import type { TokenBucketRule } from '../limits';

/** Hellos of one agent. */
export const HELLO_LIMIT: TokenBucketRule = {
  name: 'worker connections',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Searches of one agent's workers. */
export const SEARCH_LIMIT: TokenBucketRule = {
  name: 'agent searches',
  burst: 120,
  perMinute: 600,
  onDatabaseDown: 'count-here',
};
