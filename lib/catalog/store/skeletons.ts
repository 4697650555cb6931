import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { json, type RowOf, row, text } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { LOOKALIKE_MIN_SIMILARITY, MAX_LISTED_LOOKALIKES } from '../limits';
import { skeletonOf } from '../names/lookalikes';
import type { AgentRecord } from '../record';
import type { Lookalike } from '../schema';

/** Stores the confusable skeletons (UTS 39) of an agent's name and slug. */
export async function upsertSkeleton(tx: Db, agentId: string, skeleton: { name: string; slug: string }): Promise<void> {
  const { name, slug } = skeleton;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO agent_skeleton (agent_id, name, slug) VALUES (${agentId}, ${name}, ${slug})
      ON CONFLICT (agent_id) DO UPDATE SET name = excluded.name, slug = excluded.slug`,
  );
}

/** The skeletons to compare with those of verified agents. */
interface LookalikeQuery {
  /** Null before the agent is listed. */
  id: string | null;
  ownerId: string;
  name: string;
  slug: string;
  /** The time at which the agent was listed, if it is verified. Only an older agent can be the original. */
  verifiedSince: Date | null;
}

const lookalikeRow = row({ slug: text(), name: text() });

const pairRow = row({ ...lookalikeRow.columns, original: json<Lookalike>() });

/** Returns the most similar verified public agent of another owner, or null. */
async function selectLookalike({ id, ownerId, name, slug, verifiedSince }: LookalikeQuery): Promise<Lookalike | null> {
  return lookalikeRow.queryFirst(
    'lookalike',
    `SELECT a.slug, a.name FROM agent_skeleton l JOIN agent a ON a.id = l.agent_id
     WHERE 'verified' = ANY(a.badges) AND a.visibility = 'public' AND a.status IN ('active', 'deprecated')
       AND a.owner_id <> $1 AND a.id IS DISTINCT FROM $2 AND ($5::timestamptz IS NULL OR a.created_at < $5)
       AND (l.name = $3 OR l.slug = $4 OR l.name % $3 AND similarity(l.name, $3) >= ${LOOKALIKE_MIN_SIMILARITY}
         OR l.slug % $4 AND similarity(l.slug, $4) >= ${LOOKALIKE_MIN_SIMILARITY})
     ORDER BY greatest(similarity(l.name, $3), similarity(l.slug, $4)) DESC, a.created_at LIMIT 1`,
    [ownerId, id, name, slug, verifiedSince],
  );
}

/** Returns the public agents that are confusable with a verified agent of another owner, newest first. */
function selectLookalikes(limit: number): Promise<RowOf<typeof pairRow>[]> {
  return pairRow.query(
    'lookalikes',
    `SELECT a.slug, a.name, jsonb_build_object('slug', o.slug, 'name', o.name) AS original
     FROM agent a JOIN agent_skeleton l ON l.agent_id = a.id
     JOIN LATERAL (
       SELECT v.slug, v.name FROM agent_skeleton m JOIN agent v ON v.id = m.agent_id
       WHERE 'verified' = ANY(v.badges) AND v.visibility = 'public' AND v.status IN ('active', 'deprecated')
         AND v.owner_id <> a.owner_id AND (NOT 'verified' = ANY(a.badges) OR v.created_at < a.created_at)
         AND (m.name = l.name OR m.slug = l.slug OR m.name % l.name AND similarity(m.name, l.name) >= ${LOOKALIKE_MIN_SIMILARITY}
           OR m.slug % l.slug AND similarity(m.slug, l.slug) >= ${LOOKALIKE_MIN_SIMILARITY})
       ORDER BY v.created_at LIMIT 1) o ON true
     WHERE a.visibility = 'public' AND a.status IN ('active', 'deprecated')
     ORDER BY a.created_at DESC LIMIT $1`,
    [limit],
  );
}

/** Returns the verified agent of another owner with a confusable name or slug, or null. */
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

/** Returns the newest listings that are confusable with a verified agent of another owner, for moderation. */
export function listLookalikes(): Promise<{ slug: string; name: string; original: Lookalike }[]> {
  return selectLookalikes(MAX_LISTED_LOOKALIKES);
}

type LookalikeCandidate = Pick<AgentRecord, 'ownerId' | 'name' | 'slug'> &
  Partial<Pick<AgentRecord, 'id' | 'badges' | 'createdAt'>>;
