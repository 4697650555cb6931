import { pool } from '../../platform/sql';
import { summaryColumns } from '../search-sql';
import { type AgentSummaryRow, type RankedAgent, toRankedAgent } from './summary-row';

/** Words that are compared, and agents that are looked at for each half: every one of them costs. */
const maxWords = 40;
const maxCandidates = 200;

/**
 * The listed agents that share most with one: a tag counts three times as much as a word of name, skills and tags. Words
 * that most agents have say little, so the rarest are looked up first.
 */
export async function selectSimilar(agentId: string, limit: number): Promise<RankedAgent[]> {
  const { rows } = await pool().query<AgentSummaryRow>(
    `WITH own AS (SELECT agent_id, tags, tsvector_to_array(document) AS words FROM agent_search WHERE agent_id = $1),
       words AS (SELECT word FROM own, unnest(words) word WHERE word ^@ 's:' AND length(word) > 4 ORDER BY length(word) DESC LIMIT ${maxWords}),
       wanted AS (SELECT string_agg(quote_literal(word), ' | ')::tsquery AS query FROM words),
       near AS (
         (SELECT s.agent_id FROM own, agent_search s WHERE s.tags && own.tags AND NOT s.is_withheld LIMIT ${maxCandidates})
         UNION (SELECT s.agent_id FROM wanted, agent_search s WHERE s.document @@ wanted.query AND NOT s.is_withheld LIMIT ${maxCandidates})),
       scored AS (SELECT s.agent_id, s.rank,
           3 * (SELECT count(*) FROM unnest(s.tags) tag WHERE tag = ANY(own.tags))
             + (SELECT count(*) FROM words WHERE s.document @@ quote_literal(word)::tsquery) AS shared
         FROM near JOIN agent_search s USING (agent_id), own WHERE s.agent_id <> $1)
     SELECT a.id AS agent_id, ${summaryColumns} FROM scored c JOIN agent a ON a.id = c.agent_id
       LEFT JOIN agent_standing t ON t.agent_id = a.id
     WHERE c.shared >= 2 ORDER BY c.shared DESC, c.rank DESC, a.id LIMIT $2`,
    [agentId, limit],
  );
  return rows.map(toRankedAgent);
}
