import { bytea, int4, row, text } from '../../platform/rows';
import type { NearestPart, NearestQuery, VectorIndex } from '../vector-index';
import { packedCosine, signBits } from '../vector-math';

const candidateRow = row({ agentId: text(), part: int4(), packed: bytea() });

/** Candidates by signs per part that is returned: their order is only similar to the exact one. */
const CANDIDATES_PER_PART = 1.5;

/**
 * The index that every PostgreSQL has: it reads the signs of all vectors, and ranks the best candidates by their exact
 * cosine. `mean` is the model's.
 */
export function bitsIndex(meanOf: (model: number) => number[] | null): VectorIndex {
  return {
    async nearest({ vector, model, limit, where }: NearestQuery): Promise<NearestPart[]> {
      const values = [...(where?.values ?? [])];
      const bind = (value: unknown): string => `$${values.push(value)}`;
      const modelId = `${bind(model)}::smallint`;
      const distance = `bit_count(b.bits # ${bind(signBits(vector, meanOf(model)))}::varbit)`;
      const filter = where ? `AND b.agent_id IN (SELECT s.agent_id FROM agent_search s WHERE ${where.sql})` : '';
      // Withheld agents are few: filtering the candidates is faster than joining every vector.
      const rows = await candidateRow.queryUnprepared(
        `WITH c AS MATERIALIZED (
           SELECT b.agent_id, b.part FROM agent_embedding_bits b WHERE b.model = ${modelId} ${filter}
           ORDER BY ${distance} LIMIT ${bind(Math.ceil(limit * CANDIDATES_PER_PART))}::int)
         SELECT c.agent_id AS "agentId", c.part::int, e.packed
         FROM c JOIN agent_search s USING (agent_id)
           JOIN agent_embedding e ON (e.model, e.agent_id, e.part) = (${modelId}, c.agent_id, c.part)
         WHERE NOT s.is_withheld`,
        values,
      );
      const parts = rows.map(({ agentId, part, packed }) => ({ agentId, part, cosine: packedCosine(vector, packed) }));
      return parts.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
    },
  };
}
