export { type BucketRule, consume, giveBack } from './consume';
export { takeSlot } from './take-slot';
