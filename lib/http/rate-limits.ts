import type { TokenBucketRule } from '../limits';

/** Maximum third-party images loaded through Parley, per network. */
export const IMAGE_PROXY_LIMIT: TokenBucketRule = {
  name: 'pictures',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};
