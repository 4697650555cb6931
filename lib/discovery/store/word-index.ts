import { LRUCache } from 'lru-cache';
import type { AgentCondition } from '../../embeddings';
import { readFromPrimary } from '../../platform/db/replicas/read-context';
import { float8, int4, int8, type RowOf, row, text } from '../../platform/db/rows';
import { CACHED_WORDS, FREQUENCY_TTL_MS, MAX_COUNTED, MAX_COUNTED_FREQUENCY } from '../limits';
import { PLACE_WEIGHTS } from '../ranking/score';
import { anyQuery, type SearchField } from '../terms';

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

interface FrequencyCache {
  /** Agents with a word. */
  words: LRUCache<string, number>;
  /** All agents. */
  agents: { count: number; readAt: number };
}

const cache: FrequencyCache = {
  words: new LRUCache<string, number>({ max: CACHED_WORDS, ttl: FREQUENCY_TTL_MS }),
  agents: { count: 0, readAt: Number.NEGATIVE_INFINITY },
};

const frequencyRow = row({ word: text(), agents: int8() });
const countRow = row({ agents: int8() });

/**
 * Returns the number of public agents, and for each word the number of agents with any of its forms, at most {@link
 * MAX_COUNTED_FREQUENCY}. `forms` contains the forms by word.
 */
export async function selectFrequencies(
  forms: Map<string, string[]>,
): Promise<{ agents: number; of: Map<string, number> }> {
  const { words: known } = cache;
  const words = [...forms.keys()];
  const missing = words.filter((word) => !known.has(word));
  const of = new Map(words.map((word) => [word, known.get(word) ?? 0]));
  if (missing.length > 0) {
    const rows = await readFromPrimary(() =>
      frequencyRow.query(
        'word-frequencies',
        `SELECT w.word, (SELECT count(*) FROM (
           SELECT FROM agent_search WHERE document @@ w.query::tsquery LIMIT ${MAX_COUNTED_FREQUENCY}) s) AS agents
       FROM unnest($1::text[], $2::text[]) AS w(word, query)`,
        [missing, missing.map((word) => anyQuery(forms.get(word) ?? [word], ''))],
      ),
    );
    for (const { word, agents } of rows) {
      of.set(word, agents);
      // The next agent may contain a word that no agent contains yet.
      if (agents > 0) known.set(word, agents);
    }
  }
  return { agents: await countAgents(), of };
}

const wordRow = row({ word: text() });

/** Returns the subset of the words that agents contain. Words with digits or signs are missing. */
export async function selectIndexedWords(words: string[]): Promise<Set<string>> {
  const rows = await wordRow.query('indexed-words', 'SELECT word FROM agent_search_word WHERE word = ANY($1::text[])', [
    words,
  ]);
  return new Set(rows.map(({ word }) => word));
}

async function countAgents(): Promise<number> {
  const { agents } = cache;
  if (performance.now() - agents.readAt > FREQUENCY_TTL_MS) {
    const found = await readFromPrimary(() =>
      countRow.queryFirst('search-size', 'SELECT count(*) AS agents FROM agent_search'),
    );
    agents.count = found?.agents ?? 0;
    agents.readAt = performance.now();
  }
  return agents.count;
}
