import type { AgentCondition } from '../../embeddings';
import { float8, int4, type RowOf, row, text } from '../../platform/db/rows';
import { MAX_COUNTED } from '../limits';
import { PLACE_WEIGHTS } from '../ranking/score';
import { anyQuery, type SearchField } from '../terms/terms';

const matchRow = row({
  agentId: text(),
  /** The standing; negative under maintenance. */
  rank: int4(),
  /** Sum of the weights of the words that the agent has. */
  weight: float8(),
  /** The number of these words that the agent contains. */
  words: int4(),
  nameLevel: int4(),
});

/** An agent with some of the words. */
export type WordMatch = RowOf<typeof matchRow>;

/** Selects the agents with any of the words, and those whose name starts with `key`. */
export function selectWordMatches(
  words: WeighedWord[],
  options: { key: string; where: AgentCondition },
): Promise<WordMatch[]> {
  // Not prepared, because the planner needs the words to estimate the number of rows.
  const { text: statement, values } = wordMatchesStatement(words, options);
  return matchRow.queryUnprepared(statement, values);
}

/** Returns the words that given agents have. */
export async function selectWeights(words: WeighedWord[], agentIds: string[]): Promise<WordMatch[]> {
  if (agentIds.length === 0) return [];
  const { text: statement, values } = weightsStatement(words, agentIds);
  return matchRow.queryUnprepared(statement, values);
}

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
 * Returns the statement for the agents that match by words: those with any word, by the sum of the weights of their
 * words in the best field, and those whose name starts with the whole text. The matches of each word and field are
 * capped first.
 */
function wordMatchesStatement(words: WeighedWord[], { key, where }: { key: string; where: AgentCondition }): Statement {
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

/** Returns the statement for the weights of the words that given agents have. */
function weightsStatement(words: WeighedWord[], agentIds: string[]): Statement {
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

/** A word of a search with its weight. */
export interface WeighedWord {
  /** The word used for the search, corrected if it is a misspelling. */
  text: string;
  /** The word as it was written. */
  written: string;
  /** The words that match: it and its inflected forms. */
  forms: string[];
  /** While the word is being typed: words with this prefix match too. */
  prefix: string | null;
  /** Its contribution to the coverage in the best field. */
  weight: number;
  /** Inverse document frequency: larger for rarer words. */
  idf: number;
}
