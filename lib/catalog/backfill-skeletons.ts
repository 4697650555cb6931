import { inTransaction } from '../platform/tx';
import { skeletonOf } from './confusable-skeleton';
import { selectWithoutSkeleton, upsertSkeleton } from './store/skeletons';

const batchSize = 1_000;

/** Notes how listings look that are older than looks are kept: without one, nothing can be mistaken for them. */
export async function backfillSkeletons(): Promise<void> {
  const agents = await selectWithoutSkeleton(batchSize);
  if (agents.length === 0) return;
  await inTransaction(async (tx) => {
    for (const { id, name, slug } of agents)
      await upsertSkeleton(tx, id, { name: skeletonOf(name), slug: skeletonOf(slug) });
  });
}
