import { lookOf } from './look';
import type { AgentRecord } from './record';
import type { LookAlike } from './schema';
import { selectLookAlike, selectLookAlikes } from './store/looks';

type Named = Pick<AgentRecord, 'ownerId' | 'name' | 'slug'> & Partial<Pick<AgentRecord, 'id' | 'badges' | 'createdAt'>>;

/** The verified agent of somebody else for which this one could be mistaken, by its name or its slug; null when none is. */
export function findLookAlike({ id, ownerId, name, slug, badges, createdAt }: Named): Promise<LookAlike | null> {
  const verifiedSince = (badges?.includes('verified') && createdAt) || null;
  return selectLookAlike({ id: id ?? null, ownerId, name: lookOf(name), slug: lookOf(slug), verifiedSince });
}

/** The latest listings that could be mistaken for a verified agent of somebody else, for moderators to look at. */
export function listLookAlikes(): Promise<{ slug: string; name: string; original: LookAlike }[]> {
  return selectLookAlikes(50);
}
