import type { ConcurrencyRule, TokenBucketRule } from '../limits';

/** Maximum runs of the checks per user: each sends up to 150 requests to an agent, which may cost its owner money. */
export const CHECKS_LIMIT: TokenBucketRule = {
  name: 'agent checks',
  burst: 20,
  perMinute: 4,
  onDatabaseDown: 'refuse',
};

/** Maximum concurrent runs of the checks per user. */
export const CHECK_SLOTS: ConcurrencyRule = { name: 'agent checks', max: 2 };
