export { acquireSlot, type ConcurrencyRule } from './concurrency-limit';
export { pruneLimits } from './store';
export { consume, countAttempt, type FixedWindowRule, type TokenBucketRule } from './token-bucket';
