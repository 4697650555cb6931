export { acquireSlot, type ConcurrencyRule } from './concurrency-limit';
export { countAttempt, type FixedWindowRule } from './fixed-window';
export { pruneLimits } from './store';
export { consume, type TokenBucketRule } from './token-bucket';
