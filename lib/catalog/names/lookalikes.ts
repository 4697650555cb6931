import { inTransaction } from '../../platform/db/tx';
import { MAX_LISTED_LOOKALIKES, SKELETON_BACKFILL_BATCH } from '../limits';
import type { AgentRecord } from '../record';
import type { Lookalike } from '../schema';
import { selectLookalike, selectLookalikes, selectWithoutSkeleton, upsertSkeleton } from '../store/skeletons';
import { skeletonOf } from './confusable-skeleton';

type LookalikeCandidate = Pick<AgentRecord, 'ownerId' | 'name' | 'slug'> &
  Partial<Pick<AgentRecord, 'id' | 'badges' | 'createdAt'>>;

/** The verified agent of another owner with a confusable name or slug, or null. */
export function findLookalike({
  id,
  ownerId,
  name,
  slug,
  badges,
  createdAt,
}: LookalikeCandidate): Promise<Lookalike | null> {
  const verifiedSince = (badges?.includes('verified') && createdAt) || null;
  return selectLookalike({ id: id ?? null, ownerId, name: skeletonOf(name), slug: skeletonOf(slug), verifiedSince });
}

/** The newest listings that are confusable with a verified agent of another owner, for moderation. */
export function listLookalikes(): Promise<{ slug: string; name: string; original: Lookalike }[]> {
  return selectLookalikes(MAX_LISTED_LOOKALIKES);
}

/** Stores missing skeletons of listings that predate the table. Without one, no lookalike of a listing is found. */
export async function backfillSkeletons(): Promise<void> {
  const agents = await selectWithoutSkeleton(SKELETON_BACKFILL_BATCH);
  if (agents.length === 0) return;
  await inTransaction(async (tx) => {
    for (const { id, name, slug } of agents)
      await upsertSkeleton(tx, id, { name: skeletonOf(name), slug: skeletonOf(slug) });
  });
}
