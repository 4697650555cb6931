import type { TokenBucketRule } from '../limits';

/** Every registration and preview fetches from a stranger's server on somebody's word. */
export const REGISTRATION_LIMIT: TokenBucketRule = {
  name: 'registering agents',
  burst: 600,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};
