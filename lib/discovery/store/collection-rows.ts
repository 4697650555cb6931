import { bool, int4, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { MAX_PREVIEWED_AGENTS } from '../limits';
import { type RankedAgent, summaryColumns, summaryRow, toRankedAgent } from './summary-row';

const collectionRow = row({
  id: text(),
  ownerId: text(),
  title: text(),
  description: text(),
  visibility: text<'public' | 'private'>(),
  isCurated: bool(),
  updatedAt: timestamptz(),
  keeper: nullable(text()),
  agents: int4(),
  preview: json<{ slug: string; name: string; iconDigest: string | null }[]>(),
  holds: bool(),
});

/** A stored collection. */
export type CollectionRecord = RowOf<typeof collectionRow>;

const counted = `(SELECT count(*)::int FROM collection_agent m JOIN agent_search s USING (agent_id) WHERE m.collection_id = c.id)`;
const preview = `(SELECT coalesce(json_agg(p), '[]') FROM (SELECT a.slug, a.name, a.icon_digest AS "iconDigest"
    FROM collection_agent m JOIN agent_search s USING (agent_id) JOIN agent a ON a.id = m.agent_id
    WHERE m.collection_id = c.id ORDER BY m.added_at DESC, a.id LIMIT ${MAX_PREVIEWED_AGENTS}) p)`;
const columns = `c.id, c.owner_id AS "ownerId", c.title, c.description, c.visibility, c.is_curated AS "isCurated",
  c.updated_at AS "updatedAt", coalesce(p.name, u.name) AS keeper, ${counted} AS agents, ${preview} AS preview`;
const joined = `collection c LEFT JOIN publisher p ON p.user_id = c.owner_id LEFT JOIN "user" u ON u.id = c.owner_id`;

export async function selectCollection(id: string): Promise<CollectionRecord | null> {
  const text = `SELECT ${columns}, false AS holds FROM ${joined} WHERE c.id = $1`;
  return collectionRow.queryFirst('collection', text, [id]);
}

/**
 * Returns a user's collections, most recently changed first. `holds` states whether they contain the agent `agentId`.
 */
export async function selectOwnCollections(ownerId: string, agentId: string | null): Promise<CollectionRecord[]> {
  return collectionRow.query(
    'own-collections',
    `SELECT ${columns},
       EXISTS (SELECT FROM collection_agent m WHERE m.collection_id = c.id AND m.agent_id = $2) AS holds
     FROM ${joined} WHERE c.owner_id = $1 ORDER BY c.updated_at DESC, c.id`,
    [ownerId, agentId],
  );
}

/** Returns the public collections that are not empty, curated ones first. */
export async function selectPublicCollections(limit: number): Promise<CollectionRecord[]> {
  return collectionRow.query(
    'public-collections',
    `SELECT * FROM (SELECT ${columns}, false AS holds FROM ${joined} WHERE c.visibility = 'public') found
     WHERE agents > 0 ORDER BY "isCurated" DESC, "updatedAt" DESC, id LIMIT $1`,
    [limit],
  );
}

/** Returns the public agents of a collection, most recently added first. */
export async function selectCollectionAgents(collectionId: string): Promise<RankedAgent[]> {
  const rows = await summaryRow.query(
    'collection-agents',
    `SELECT a.id AS agent_id, ${summaryColumns} FROM collection_agent m JOIN agent_search s USING (agent_id)
       JOIN agent a ON a.id = m.agent_id LEFT JOIN agent_ranking t ON t.agent_id = a.id
     WHERE m.collection_id = $1 ORDER BY m.added_at DESC, a.id`,
    [collectionId],
  );
  return rows.map(toRankedAgent);
}

/** Adds an agent to a collection of `ownerId`. Returns false if the collection is full. */
export async function addToCollection(
  { id, ownerId, agentId }: { id: string; ownerId: string; agentId: string },
  { now, max }: { now: Date; max: number },
): Promise<boolean> {
  const count = await execute(
    'add-to-collection',
    `WITH updated AS (UPDATE collection SET updated_at = $4 WHERE id = $1 AND owner_id = $2
         AND ((SELECT count(*) FROM collection_agent WHERE collection_id = $1) < $5
           OR EXISTS (SELECT FROM collection_agent WHERE collection_id = $1 AND agent_id = $3)) RETURNING id),
       added AS (INSERT INTO collection_agent (collection_id, agent_id, added_at) SELECT id, $3, $4 FROM updated
         ON CONFLICT DO NOTHING)
     SELECT id FROM updated`,
    [id, ownerId, agentId, now, max],
  );
  return count > 0;
}

export async function removeFromCollection(key: { id: string; ownerId: string; agentId: string }): Promise<void> {
  await execute(
    'remove-from-collection',
    `DELETE FROM collection_agent m USING collection c
     WHERE c.id = m.collection_id AND c.id = $1 AND c.owner_id = $2 AND m.agent_id = $3`,
    [key.id, key.ownerId, key.agentId],
  );
}
