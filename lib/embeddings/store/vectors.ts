import { bytea, int4, row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { packVector } from '../vector-math';
import type { DueAgent } from './due';
import { signBitsSql } from './model-rows';
import { nearestListSql } from './vector-lists';

const hashRow = row({ part: int4(), hash: text() });

/** The hashes of the texts whose vectors are stored, hexadecimal, by part. */
export async function selectHashes(model: number, agentId: string): Promise<Map<number, string>> {
  const rows = await hashRow.query(
    'embedding-hashes',
    `SELECT part::int, encode(source_hash, 'hex') AS hash FROM agent_embedding WHERE model = $1 AND agent_id = $2`,
    [model, agentId],
  );
  return new Map(rows.map(({ part, hash }) => [part, hash]));
}

export interface PartVector {
  part: number;
  /** SHA-256 of the text, hexadecimal. */
  hash: string;
  vector: Float32Array;
}

/**
 * Stores the vectors of changed parts, keeps those of the parts in `unchanged`, deletes all others of the agent, and
 * clears the due mark unless the agent has changed again.
 */
export async function storeVectors(
  { model, agentId, changedAt }: DueAgent,
  { changed, unchanged }: { changed: PartVector[]; unchanged: number[] },
): Promise<void> {
  const kept = [...unchanged, ...changed.map(({ part }) => part)];
  await execute(
    'store-embeddings',
    `WITH m AS MATERIALIZED (SELECT mean FROM embedding_model WHERE id = $1 FOR SHARE),
       p AS MATERIALIZED (SELECT part, decode(hash, 'hex') AS hash, decode(packed, 'hex') AS packed, vec::real[] AS vec
         FROM unnest($4::smallint[], $5::text[], $6::text[], $7::text[]) AS u(part, hash, packed, vec)),
       s AS MATERIALIZED (SELECT p.part, ${signBitsSql('p.vec', 'm.mean')} AS bits FROM p, m),
       gone AS (DELETE FROM agent_embedding WHERE model = $1 AND agent_id = $2 AND NOT part = ANY($8::smallint[])),
       stored AS (INSERT INTO agent_embedding (model, agent_id, part, source_hash, packed, vec)
         SELECT $1, $2, p.part, p.hash, p.packed, p.vec FROM p ON CONFLICT (model, agent_id, part) DO UPDATE
         SET source_hash = excluded.source_hash, packed = excluded.packed, vec = excluded.vec),
       signs AS (INSERT INTO agent_embedding_bits (model, agent_id, part, bits, list)
         SELECT $1, $2, s.part, s.bits, ${nearestListSql('$1', 's.bits')} FROM s
         ON CONFLICT (model, agent_id, part) DO UPDATE SET bits = excluded.bits, list = excluded.list)
     DELETE FROM embedding_due WHERE model = $1 AND agent_id = $2 AND changed_at = $3::timestamptz`,
    [
      model,
      agentId,
      changedAt,
      changed.map(({ part }) => part),
      changed.map(({ hash }) => hash),
      changed.map(({ vector }) => packVector(vector).toString('hex')),
      changed.map(({ vector }) => `{${vector.join()}}`),
      kept,
    ],
  );
}

const packedRow = row({ agentId: text(), part: int4(), packed: bytea() });

/** The vectors of agents. */
export function selectPacked(
  model: number,
  agentIds: string[],
): Promise<{ agentId: string; part: number; packed: Uint8Array }[]> {
  return packedRow.query(
    'embeddings-of-agents',
    `SELECT agent_id AS "agentId", part::int, packed FROM agent_embedding WHERE model = $1 AND agent_id = ANY($2::text[])`,
    [model, agentIds],
  );
}

const nameRow = row({ name: text() });

/** Names of up to `limit` agents that have vectors. */
export async function selectNames(model: number, limit: number): Promise<string[]> {
  const rows = await nameRow.query(
    'embedded-names',
    `SELECT a.name FROM agent_embedding_bits b JOIN agent a ON a.id = b.agent_id WHERE b.model = $1 AND b.part = 0 LIMIT $2`,
    [model, limit],
  );
  return rows.map(({ name }) => name);
}
