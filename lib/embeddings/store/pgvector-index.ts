import type { WithConnection } from '../../platform/db/connections';
import type { AgentCondition, NearestPart, NearestQuery, VectorIndex } from '../vector-index';

/** Number of parts that the index visits per step. More are visited until `limit` of them pass the condition. */
const visited = 200;

const settings = `BEGIN READ ONLY; SET LOCAL hnsw.iterative_scan = strict_order; SET LOCAL hnsw.ef_search = ${visited}`;

/**
 * The index of pgvector (see hnsw-index.ts): the order of parts is approximate, their cosines are exact. A condition
 * that few agents pass may leave less than `limit` parts although more exist.
 */
export function pgvectorIndex(withConnection: WithConnection): VectorIndex {
  return {
    nearest: ({ vector, model, limit, where }: NearestQuery): Promise<NearestPart[]> =>
      withConnection(async (connection) => {
        const { sql, values } = where ?? everyAgent;
        const text = nearestStatement({ model, dimensions: vector.length, where: { sql, values } });
        await connection.query(settings);
        const { rows } = await connection.query(text, [...values, `[${vector.join()}]`, limit]);
        await connection.query('COMMIT');
        return rows.map(({ agent_id, part, cosine }) => ({
          agentId: String(agent_id),
          part: Number(part),
          cosine: Number(cosine),
        }));
      }),
  };
}

const everyAgent: AgentCondition = { sql: 'NOT s.is_withheld', values: [] };

/** The model and the length are part of the text, so that the planner finds the partial index. */
function nearestStatement(query: { model: number; dimensions: number; where: AgentCondition }): string {
  const { sql, values } = query.where;
  const [model, length] = [Math.trunc(query.model), Math.trunc(query.dimensions)];
  const vector = `$${values.length + 1}::vector(${length})`;
  return `SELECT agent_id, part, 1 - (vec::vector(${length}) <=> ${vector}) AS cosine FROM (
      SELECT e.agent_id, e.part, e.vec FROM agent_embedding e JOIN agent_search s USING (agent_id)
      WHERE e.model = ${model} AND ${sql}
      ORDER BY e.vec::halfvec(${length}) <=> ${vector}::halfvec(${length}) LIMIT $${values.length + 2}::int) near
    ORDER BY cosine DESC, agent_id, part`;
}
