import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { Lookalike } from '../schema';

/** Keeps how an agent looks to a hasty reader. */
export async function upsertSkeleton(tx: Db, agentId: string, skeleton: { name: string; slug: string }): Promise<void> {
  await tx.agentLook.upsert({ where: { agentId }, create: { agentId, ...skeleton }, update: skeleton });
}

export interface LookalikeQuery {
  /** Null before it is listed. */
  id: string | null;
  ownerId: string;
  name: string;
  slug: string;
  /** When a verified agent itself was listed: only an older one can be the one that is copied. */
  verifiedSince: Date | null;
}

/** Share of trigrams from which two looks can be mistaken for each other; `%` finds those from 0.3 on by an index. */
const minSimilarity = 0.62;

/** The verified public agent of somebody else that these looks are most like; null when there is none. */
export async function selectLookalike({
  id,
  ownerId,
  name,
  slug,
  verifiedSince,
}: LookalikeQuery): Promise<Lookalike | null> {
  const rows = await query<Lookalike>(
    'look-alike',
    `SELECT a.slug, a.name FROM agent_look l JOIN agent a ON a.id = l.agent_id
     WHERE 'verified' = ANY(a.badges) AND a.visibility = 'public' AND a.status IN ('active', 'deprecated')
       AND a.owner_id <> $1 AND a.id IS DISTINCT FROM $2 AND ($5::timestamptz IS NULL OR a.created_at < $5)
       AND (l.name = $3 OR l.slug = $4 OR l.name % $3 AND similarity(l.name, $3) >= ${minSimilarity}
         OR l.slug % $4 AND similarity(l.slug, $4) >= ${minSimilarity})
     ORDER BY greatest(similarity(l.name, $3), similarity(l.slug, $4)) DESC, a.created_at LIMIT 1`,
    [ownerId, id, name, slug, verifiedSince],
  );
  return rows[0] ?? null;
}

/** Listed agents that look like a verified one of somebody else, the latest first. */
export function selectLookalikes(limit: number): Promise<{ slug: string; name: string; original: Lookalike }[]> {
  return query(
    'look-alikes',
    `SELECT a.slug, a.name, jsonb_build_object('slug', o.slug, 'name', o.name) AS original
     FROM agent a JOIN agent_look l ON l.agent_id = a.id
     JOIN LATERAL (
       SELECT v.slug, v.name FROM agent_look m JOIN agent v ON v.id = m.agent_id
       WHERE 'verified' = ANY(v.badges) AND v.visibility = 'public' AND v.status IN ('active', 'deprecated')
         AND v.owner_id <> a.owner_id AND (NOT 'verified' = ANY(a.badges) OR v.created_at < a.created_at)
         AND (m.name = l.name OR m.slug = l.slug OR m.name % l.name AND similarity(m.name, l.name) >= ${minSimilarity}
           OR m.slug % l.slug AND similarity(m.slug, l.slug) >= ${minSimilarity})
       ORDER BY v.created_at LIMIT 1) o ON true
     WHERE a.visibility = 'public' AND a.status IN ('active', 'deprecated')
     ORDER BY a.created_at DESC LIMIT $1`,
    [limit],
  );
}

/** Listings whose look was never noted. */
export function selectWithoutSkeleton(limit: number): Promise<{ id: string; name: string; slug: string }[]> {
  return query(
    'without-look',
    `SELECT a.id, a.name, a.slug FROM agent a
     WHERE NOT EXISTS (SELECT FROM agent_look l WHERE l.agent_id = a.id) ORDER BY a.id LIMIT $1`,
    [limit],
  );
}
