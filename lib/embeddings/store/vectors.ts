import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bytea, float8, int4, int8, json, type RowOf, row, text } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { packVector } from '../vector-index';
import { signBitsSql } from './model-rows';
import { nearestListSql } from './vector-lists';

const hashRow = row({ part: int4(), hash: text() });

/** Returns the hashes of the texts whose vectors are stored, hexadecimal, by part. */
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

/** Returns the packed vectors of these agents for one model. */
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

/** Returns at most `limit` vectors. The ids of agents are random, so that their order is a random sample. */
export async function selectSample(model: number, limit: number): Promise<{ agentId: string; packed: Uint8Array }[]> {
  return packedRow.query(
    'embeddings-sample',
    `SELECT agent_id AS "agentId", part::int, packed FROM agent_embedding WHERE model = $1 ORDER BY agent_id, part LIMIT $2`,
    [model, limit],
  );
}

const nameRow = row({ name: text() });

/** Selects the names of at most `limit` agents that have vectors. */
export async function selectNames(model: number, limit: number): Promise<string[]> {
  const rows = await nameRow.query(
    'embedded-names',
    `SELECT a.name FROM agent_embedding_bits b JOIN agent a ON a.id = b.agent_id WHERE b.model = $1 AND b.part = 0 LIMIT $2`,
    [model, limit],
  );
  return rows.map(({ name }) => name);
}

/** Marks the vectors of an agent as due for every model. Must be called in the transaction that changes the agent. */
export async function markVectorsDue(tx: Db, agentId: string, now: Date): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO embedding_due (model, agent_id, due_at, changed_at)
      SELECT id, ${agentId}, ${now}, clock_timestamp() FROM embedding_model
      ON CONFLICT (model, agent_id) DO UPDATE SET due_at = excluded.due_at, changed_at = excluded.changed_at`,
  );
}

/** Deletes the vectors of an agent that is not public anymore. */
export async function deleteVectors(tx: Db, agentId: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM embedding_due WHERE agent_id = ${agentId}`);
  await executeIn(tx, Prisma.sql`DELETE FROM agent_embedding WHERE agent_id = ${agentId}`);
}

const dueRow = row({
  model: int4(),
  agentId: text(),
  /** Microseconds, as text. */
  changedAt: text(),
  card: json<CoreCard>(),
});

/** An agent whose vectors of one model are due, leased to this node. */
export type DueAgent = RowOf<typeof dueRow>;

/** Leases at most `limit` agents, most recently changed first. */
export function claimDue(
  models: number[],
  { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
): Promise<DueAgent[]> {
  return dueRow.query(
    'claim-embedding-due',
    `WITH due AS (
       SELECT model, agent_id FROM embedding_due WHERE model = ANY($1::smallint[]) AND due_at <= $2
       ORDER BY changed_at DESC LIMIT $4 FOR UPDATE SKIP LOCKED
     ), claimed AS (
       UPDATE embedding_due d SET due_at = $3 FROM due WHERE (d.model, d.agent_id) = (due.model, due.agent_id)
       RETURNING d.model, d.agent_id, d.changed_at
     )
     SELECT c.model::int, c.agent_id AS "agentId", c.changed_at::text AS "changedAt", v.card
     FROM claimed c JOIN agent a ON a.id = c.agent_id JOIN agent_version v ON v.id = a.current_version_id`,
    [models, now, leaseUntil, limit],
  );
}

/** Returns the time at which the first vector of these models is due or its lease expires; null if there is none. */
export function selectNextVectors(models: number[]): Promise<Date | null> {
  const statement = 'SELECT min(due_at) AS due FROM embedding_due WHERE model = ANY($1::smallint[])';
  return selectDue('next-embedding-due', statement, [models]);
}

/** Makes leased agents due again at `at`. */
export async function releaseDue({ model, agentId, changedAt }: DueAgent, at: Date): Promise<void> {
  await execute(
    'release-embedding-due',
    'UPDATE embedding_due SET due_at = $4 WHERE model = $1 AND agent_id = $2 AND changed_at = $3::timestamptz',
    [model, agentId, changedAt, at],
  );
}

const backlogRow = row({ due: int8(), seconds: float8() });

/** Returns the number of due agents of these models, at most 100,000 of each, and the age of the oldest in seconds. */
export async function measureDue(models: number[], now: Date): Promise<RowOf<typeof backlogRow>> {
  const found = await backlogRow.queryFirst(
    'measure-embedding-due',
    `SELECT count(*) AS due, greatest(0, max(extract(epoch FROM $2 - d.changed_at)))::float8 AS seconds
     FROM unnest($1::smallint[]) AS m(id), LATERAL (
       SELECT changed_at FROM embedding_due WHERE model = m.id ORDER BY changed_at LIMIT 100000) d`,
    [models, now],
  );
  return found ?? { due: 0, seconds: 0 };
}
