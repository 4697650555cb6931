export { type AttemptRule, takeAttempt } from './attempts';
export { type BucketRule, consume } from './consume';
export { type PlaceRule, takePlace } from './take-place';
export { tidyLimits } from './tidy';
