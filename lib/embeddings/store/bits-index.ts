import { bytea, int4, row, text } from '../../platform/db/rows';
import { VECTOR_LISTS } from '../limits';
import { type NearestPart, type NearestQuery, packedCosine, signBits, type VectorIndex } from '../vector-index';
import type { ModelRecord } from './model-rows';
import { byDistance } from './vector-lists';

const candidateRow = row({ agentId: text(), part: int4(), packed: bytea(), candidates: int4() });

/**
 * Number of candidates that are selected by signs for each returned part, because the order by signs is only
 * approximate.
 */
const CANDIDATES_PER_PART = 1.5;

/**
 * Returns the index that every PostgreSQL supports. It reads the signs of vectors and ranks the best candidates by
 * their cosine. With many vectors, it reads only the lists nearest to the query (see vector-lists.ts), or all lists if
 * too few vectors pass the condition.
 */
export function bitsIndex(
  modelOf: (id: number) => Pick<ModelRecord, 'mean' | 'listedVectors'> | undefined,
  lists = VECTOR_LISTS.searched,
): VectorIndex {
  return {
    async nearest(query: NearestQuery): Promise<NearestPart[]> {
      const { mean = null, listedVectors = 0 } = modelOf(query.model) ?? {};
      const bits = signBits(query.vector, mean);
      const wanted = Math.ceil(query.limit * CANDIDATES_PER_PART);
      const near = listedVectors > 0 ? await selectCandidates(query, { bits, wanted, lists }) : [];
      const isEnough = (near[0]?.candidates ?? 0) >= wanted;
      const rows = isEnough ? near : await selectCandidates(query, { bits, wanted, lists: null });
      return rows
        .map(({ agentId, part, packed }) => ({ agentId, part, cosine: packedCosine(query.vector, packed) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, query.limit);
    },
  };
}

/** Selects the parts whose signs differ least, in this number of lists; `null` for all lists. */
function selectCandidates(
  { model, where }: NearestQuery,
  { bits, wanted, lists }: { bits: string; wanted: number; lists: number | null },
) {
  const values = [...(where?.values ?? [])];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const modelId = `${bind(model)}::smallint`;
  const signs = `${bind(bits)}::varbit`;
  const filter = where ? `AND b.agent_id IN (SELECT s.agent_id FROM agent_search s WHERE ${where.sql})` : '';
  const nearby =
    lists === null
      ? ''
      : `AND b.list = ANY(ARRAY(SELECT l.list FROM embedding_list l WHERE l.model = ${modelId}
          ORDER BY ${byDistance(signs)} LIMIT ${lists}))`;
  // There are few withheld agents, so filtering the candidates is faster than joining every vector.
  return candidateRow.queryUnprepared(
    `WITH c AS MATERIALIZED (
       SELECT b.agent_id, b.part FROM agent_embedding_bits b WHERE b.model = ${modelId} ${nearby} ${filter}
       ORDER BY bit_count(b.bits # ${signs}), b.agent_id, b.part LIMIT ${bind(wanted)}::int)
     SELECT c.agent_id AS "agentId", c.part::int, e.packed, (SELECT count(*)::int FROM c) AS candidates
     FROM c JOIN agent_search s USING (agent_id)
       JOIN agent_embedding e ON (e.model, e.agent_id, e.part) = (${modelId}, c.agent_id, c.part)
     WHERE NOT s.is_withheld`,
    values,
  );
}
