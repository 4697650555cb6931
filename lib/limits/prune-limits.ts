import { deleteFullBuckets } from './store/buckets';
import { deleteFreeSlots } from './store/slots';

/** Drops what says nothing any more: full buckets and places that nobody holds. */
export async function pruneLimits(): Promise<void> {
  await deleteFullBuckets();
  await deleteFreeSlots();
}
