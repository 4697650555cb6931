import { bytea, int4, row, text } from '../../platform/rows';
import type { NearestPart, NearestQuery, VectorIndex } from '../vector-index';
import { packedCosine, signBits } from '../vector-math';

const candidateRow = row({ agentId: text(), part: int4(), packed: bytea(), candidates: int4() });

/** Candidates by signs per part that is returned: their order is only similar to the exact one. */
const CANDIDATES_PER_PART = 1.5;
/** Share of the pages, in percent, that the greatest distance of a candidate is estimated from. */
const SAMPLED_PERCENT = 2;
/** The estimate lets through so many times the candidates, so that it rarely lets through too few. */
const ESTIMATE_MARGIN = 3;

/**
 * The index that every PostgreSQL has: it reads the signs of all vectors, and ranks the best candidates by their cosine.
 * `mean` is the model's.
 */
export function bitsIndex(meanOf: (model: number) => number[] | null): VectorIndex {
  return {
    async nearest(query: NearestQuery): Promise<NearestPart[]> {
      const bits = signBits(query.vector, meanOf(query.model));
      const wanted = Math.ceil(query.limit * CANDIDATES_PER_PART);
      const estimated = query.where ? null : await selectCandidates(query, { bits, wanted, isEstimated: true });
      const isEnough = estimated !== null && (estimated[0]?.candidates ?? 0) >= wanted;
      const rows = isEnough ? estimated : await selectCandidates(query, { bits, wanted, isEstimated: false });
      return rows
        .map(({ agentId, part, packed }) => ({ agentId, part, cosine: packedCosine(query.vector, packed) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, query.limit);
    },
  };
}

/**
 * The parts whose signs differ least. With `isEstimated` those above a distance are not sorted, which is most of the
 * work after reading; if less than `wanted` are below it, there may be others.
 */
function selectCandidates(
  { model, where }: NearestQuery,
  { bits, wanted, isEstimated }: { bits: string; wanted: number; isEstimated: boolean },
) {
  const values = [...(where?.values ?? [])];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const modelId = `${bind(model)}::smallint`;
  const distance = `bit_count(b.bits # ${bind(bits)}::varbit)`;
  const filter = where ? `AND b.agent_id IN (SELECT s.agent_id FROM agent_search s WHERE ${where.sql})` : '';
  const bound = isEstimated ? `AND ${distance} <= (${estimateSql({ modelId, distance, wanted })})` : '';
  // Withheld agents are few: filtering the candidates is faster than joining every vector.
  return candidateRow.queryUnprepared(
    `WITH c AS MATERIALIZED (
       SELECT b.agent_id, b.part FROM agent_embedding_bits b WHERE b.model = ${modelId} ${filter} ${bound}
       ORDER BY ${distance}, b.agent_id, b.part LIMIT ${bind(wanted)}::int)
     SELECT c.agent_id AS "agentId", c.part::int, e.packed, (SELECT count(*)::int FROM c) AS candidates
     FROM c JOIN agent_search s USING (agent_id)
       JOIN agent_embedding e ON (e.model, e.agent_id, e.part) = (${modelId}, c.agent_id, c.part)
     WHERE NOT s.is_withheld`,
    values,
  );
}

/** SQL: a distance that about {@link ESTIMATE_MARGIN} × `wanted` vectors do not exceed. */
function estimateSql({ modelId, distance, wanted }: { modelId: string; distance: string; wanted: number }): string {
  const place = Math.ceil((wanted * ESTIMATE_MARGIN * SAMPLED_PERCENT) / 100);
  return `SELECT CASE WHEN count(*) < ${place} THEN 2147483647 ELSE max(near.distance) END FROM (
    SELECT ${distance} AS distance FROM agent_embedding_bits b TABLESAMPLE SYSTEM (${SAMPLED_PERCENT})
    WHERE b.model = ${modelId} ORDER BY 1 LIMIT ${place}) near`;
}
