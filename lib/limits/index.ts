export { acquireSlot, type ConcurrencyRule } from './concurrency-limit';
export { countAttempt, type FixedWindowRule } from './fixed-window';
export { pruneLimits } from './prune-limits';
export { consume, type TokenBucketRule } from './token-bucket';
