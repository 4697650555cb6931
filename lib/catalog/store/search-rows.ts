import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { SearchRow } from '../search-row';

/** Makes an agent findable as it now is, or no longer findable with null; within the caller's transaction. */
export async function writeSearchRow(tx: Db, agentId: string, row: SearchRow | null): Promise<void> {
  if (!row) {
    await tx.$executeRaw`DELETE FROM agent_search WHERE agent_id = ${agentId}`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO agent_search
      (agent_id, name_key, document, skill_names, skill_words, tags, badges, created_at, owner_id,
       updated_at)
    VALUES
      (${agentId}, ${row.nameKey}, ${row.document}::tsvector, ${row.skillNames}, ${row.skillWords}, ${row.tags},
       ${row.badges}, ${row.createdAt}, ${row.ownerId}, ${row.updatedAt})
    ON CONFLICT (agent_id) DO UPDATE SET
      name_key = EXCLUDED.name_key, document = EXCLUDED.document, skill_names = EXCLUDED.skill_names,
      skill_words = EXCLUDED.skill_words, tags = EXCLUDED.tags, badges = EXCLUDED.badges,
      owner_id = EXCLUDED.owner_id, updated_at = EXCLUDED.updated_at`;
  await tx.$executeRaw`INSERT INTO agent_search_word SELECT unnest(${row.vocabulary}::text[]) ON CONFLICT DO NOTHING`;
}

/** What search sorts and filters by beside the listing itself; computed by lib/discovery. */
export interface SearchRanking {
  agentId: string;
  health: string;
  isWithheld: boolean;
  /** What the order by score compares. */
  rank: number;
  users: number;
  /** Hundredths of a star. */
  rating: number;
  ratingRank: number;
}

/** Writes standings into the rows of those agents that can be found; rows that say the same already are left alone. */
export async function writeSearchRankings(rankings: SearchRanking[]): Promise<void> {
  const column = <Key extends keyof SearchRanking>(key: Key): SearchRanking[Key][] => rankings.map((row) => row[key]);
  await query(
    'write-search-standings',
    `UPDATE agent_search s SET health = n.health, is_withheld = n.is_withheld, rank = n.rank, users = n.users,
       rating = n.rating, rating_rank = n.rating_rank, is_ranked = true
     FROM unnest($1::text[], $2::text[], $3::bool[], $4::int[], $5::int[], $6::int[], $7::int[])
       AS n(agent_id, health, is_withheld, rank, users, rating, rating_rank)
     WHERE s.agent_id = n.agent_id AND (s.health, s.is_withheld, s.rank, s.users, s.rating, s.rating_rank, s.is_ranked)
       IS DISTINCT FROM (n.health, n.is_withheld, n.rank, n.users, n.rating, n.rating_rank, true)`,
    [
      column('agentId'),
      column('health'),
      column('isWithheld'),
      column('rank'),
      column('users'),
      column('rating'),
      column('ratingRank'),
    ],
  );
}
