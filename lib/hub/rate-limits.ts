import type { TokenBucketRule } from '../limits';

/** Hellos of one agent. */
export const HELLO_LIMIT: TokenBucketRule = {
  name: 'worker connections',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};
