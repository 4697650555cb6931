import type { TokenBucketRule } from '../limits';

/** Maximum writes, changes and deletions of reviews and replies per user. */
export const REVIEW_LIMIT: TokenBucketRule = { name: 'reviews', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };
