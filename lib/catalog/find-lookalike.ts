import { skeletonOf } from './confusable-skeleton';
import type { AgentRecord } from './record';
import type { Lookalike } from './schema';
import { selectLookalike, selectLookalikes } from './store/skeletons';

type LookalikeCandidate = Pick<AgentRecord, 'ownerId' | 'name' | 'slug'> &
  Partial<Pick<AgentRecord, 'id' | 'badges' | 'createdAt'>>;

/** The verified agent of somebody else for which this one could be mistaken, by its name or its slug; null when none is. */
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

/** The latest listings that could be mistaken for a verified agent of somebody else, for moderators to look at. */
export function listLookalikes(): Promise<{ slug: string; name: string; original: Lookalike }[]> {
  return selectLookalikes(50);
}
