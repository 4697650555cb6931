import type { AgentCondition } from '../../embeddings';
import { MAX_COUNTED } from '../limits';
import { PLACE_WEIGHTS } from '../ranking/ranking-weights';
import { anyQuery, type SearchField } from '../search/terms';
import type { WeighedWord } from './weigh-words';

interface Statement {
  text: string;
  values: unknown[];
}

type Bind = (value: unknown) => string;

const cap = MAX_COUNTED + 1;
const places = Object.entries(PLACE_WEIGHTS) as [SearchField, number][];

function queryOf({ forms, prefix }: WeighedWord, field: SearchField): string {
  const query = anyQuery(forms, field);
  return prefix === null ? query : `${query} | '${field}${prefix}':*`;
}

/**
 * The statement for the agents that match by words: those with any word, by the sum of the weights of their words in
 * the best field, and those whose name begins with the whole text. The matches of each word and field are capped first.
 */
export function wordMatchesStatement(
  words: WeighedWord[],
  { key, where }: { key: string; where: AgentCondition },
): Statement {
  const values = [...where.values];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const arms = words.flatMap((word, at) =>
    places.map(
      ([field, weight]) => `(SELECT s.agent_id, s.rank, ${at} AS word, ${word.weight * weight} AS weight
        FROM agent_search s WHERE s.document @@ ${bind(queryOf(word, field))}::tsquery AND ${where.sql} LIMIT ${cap})`,
    ),
  );
  const name = bind(key);
  return {
    text: `WITH hits AS (${arms.join(' UNION ALL ')}),
      best AS (SELECT agent_id, rank, word, max(weight) AS weight FROM hits GROUP BY agent_id, rank, word),
      matched AS (SELECT agent_id, rank, sum(weight) AS weight, count(*) AS words FROM best GROUP BY agent_id, rank
        ORDER BY sum(weight) DESC, rank DESC, agent_id DESC LIMIT ${cap}),
      named AS (SELECT s.agent_id, s.rank, s.name_key = ${name} AS is_exact FROM agent_search s
        WHERE s.name_key ^@ ${name} AND ${where.sql} LIMIT ${cap})
      SELECT agent_id AS "agentId", coalesce(m.rank, n.rank) AS rank, coalesce(m.weight, 0)::float8 AS weight,
        coalesce(m.words, 0)::int AS words, CASE WHEN n.is_exact THEN 2 WHEN n.agent_id IS NOT NULL THEN 1 ELSE 0 END AS "nameLevel"
      FROM matched m FULL JOIN named n USING (agent_id)`,
    values,
  };
}

/** The statement for the weights of the words that given agents have. */
export function weightsStatement(words: WeighedWord[], agentIds: string[]): Statement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const weights = words.map((word) => {
    const cases = places.map(
      ([field, weight]) => `WHEN s.document @@ ${bind(queryOf(word, field))}::tsquery THEN ${word.weight * weight}`,
    );
    return `(CASE ${cases.join(' ')} ELSE 0 END)`;
  });
  const present = weights.map((weight) => `(${weight} > 0)::int`);
  return {
    text: `SELECT s.agent_id AS "agentId", s.rank, (${weights.join(' + ')})::float8 AS weight, (${present.join(' + ')})::int AS words,
        0 AS "nameLevel" FROM agent_search s WHERE s.agent_id = ANY(${bind(agentIds)}::text[])`,
    values,
  };
}
