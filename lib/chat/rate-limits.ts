import type { TokenBucketRule } from '../limits';

/** Searches per user: enough to search while typing. */
export const SEARCH_LIMIT: TokenBucketRule = {
  name: 'chat-search',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Conversation exports per user. */
export const EXPORT_LIMIT: TokenBucketRule = {
  name: 'chat-exports',
  burst: 20,
  perMinute: 20,
  onDatabaseDown: 'count-here',
};

/** Shared links created per user. */
export const SHARE_LIMIT: TokenBucketRule = { name: 'chat-shares', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };

/** Reading tasks for an example conversation, and publishing or removing one, per user. */
export const EXAMPLE_LIMIT: TokenBucketRule = {
  name: 'chat-examples',
  burst: 60,
  perMinute: 20,
  onDatabaseDown: 'refuse',
};
