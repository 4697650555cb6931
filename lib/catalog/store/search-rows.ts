import type { Db } from '../../platform/db';
import type { SearchRow } from '../search-row';

/** Makes an agent findable as it now is, or no longer findable with null; within the caller's transaction. */
export async function writeSearchRow(tx: Db, agentId: string, row: SearchRow | null): Promise<void> {
  if (!row) {
    await tx.$executeRaw`DELETE FROM agent_search WHERE agent_id = ${agentId}`;
    return;
  }
  await tx.$executeRaw`
    INSERT INTO agent_search
      (agent_id, name_key, document, skill_names, skill_words, tags, badges, created_at)
    VALUES
      (${agentId}, ${row.nameKey}, ${row.document}::tsvector, ${row.skillNames}, ${row.skillWords}, ${row.tags},
       ${row.badges}, ${row.createdAt})
    ON CONFLICT (agent_id) DO UPDATE SET
      name_key = EXCLUDED.name_key, document = EXCLUDED.document, skill_names = EXCLUDED.skill_names,
      skill_words = EXCLUDED.skill_words, tags = EXCLUDED.tags, badges = EXCLUDED.badges`;
  await tx.$executeRaw`INSERT INTO agent_search_word SELECT unnest(${row.vocabulary}::text[]) ON CONFLICT DO NOTHING`;
}
