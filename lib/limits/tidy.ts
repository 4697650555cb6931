import { dropFullBuckets } from './store/buckets';
import { dropFreePlaces } from './store/places';

/** Drops what says nothing any more: full buckets and places that nobody holds. */
export async function tidyLimits(): Promise<void> {
  await dropFullBuckets();
  await dropFreePlaces();
}
