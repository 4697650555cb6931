import type { TokenBucketRule } from '../limits';

/** Maximum searches per user. Sufficient for searching while typing. */
export const SEARCH_LIMIT: TokenBucketRule = {
  name: 'chat-search',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Maximum conversation exports per user. */
export const EXPORT_LIMIT: TokenBucketRule = {
  name: 'chat-exports',
  burst: 20,
  perMinute: 20,
  onDatabaseDown: 'count-here',
};

/** Maximum shared links created per user. */
export const SHARE_LIMIT: TokenBucketRule = { name: 'chat-shares', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };

/** Maximum operations on example conversations per user: reading tasks, publishing and removing. */
export const EXAMPLE_LIMIT: TokenBucketRule = {
  name: 'chat-examples',
  burst: 60,
  perMinute: 20,
  onDatabaseDown: 'refuse',
};
