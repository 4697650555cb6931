import { int4, int8, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { MAX_SIMILAR_CANDIDATES, MAX_SIMILAR_WORDS } from '../limits';
import { MIN_SHARED, SHARED_TAG_WEIGHT } from '../ranking/score';
import type { Facets } from '../schema';
import type { Position } from './search-cursor';
import { rankedStatement, type SearchRequest, searchStatement } from './search-sql';
import { type AgentSummaryRow, type RankedAgent, summaryColumns, summaryRow, toRankedAgent } from './summary-row';

/** One match with its sort keys and the words of its skills. */
export interface Match extends Position, RankedAgent {
  /** Match level. */
  score: number;
  skills: { name: string; words: string }[];
}

/** One page of matches. */
export interface Matches {
  /** One item more than the limit if there is a next page. */
  items: Match[];
  /** Number of all matches, counted up to `MAX_COUNTED` + 1. */
  counted: number;
  facets: Facets;
}

interface ItemRow extends AgentSummaryRow {
  score: number;
  sort_key: number;
  name_key: string;
  created_at: string;
  skill_names: string[];
  skill_words: string[];
}

const resultRow = row({ counted: int4(), facets: json<Facets>(), items: nullable(json<ItemRow[]>()) });

/** The facets of an empty result. */
export const noFacets: Facets = {
  tags: [],
  capabilities: [],
  health: [],
  price: [],
  presence: [],
  rating: [],
  updated: [],
  publishers: [],
};

/** Executes a search on the rows that lib/catalog writes. */
export async function selectMatches(request: SearchRequest): Promise<Matches> {
  // Not a prepared statement, because the planner needs the words to estimate the number of rows.
  return readMatches(searchStatement(request));
}

/** Reads a page of agents that are already ranked (see {@link rankedStatement}). */
export function selectRanked(request: SearchRequest, order: { agentId: string; sortKey: number }[]): Promise<Matches> {
  return readMatches(rankedStatement(request, order));
}

async function readMatches({ text: statement, values }: { text: string; values: unknown[] }): Promise<Matches> {
  const [found] = await resultRow.queryUnprepared(statement, values);
  return {
    items: (found?.items ?? []).map(toMatch),
    counted: found?.counted ?? 0,
    facets: found?.facets ?? noFacets,
  };
}

function toMatch(item: ItemRow): Match {
  const { score, sort_key: sortKey, name_key, created_at, skill_names, skill_words, ...shown } = item;
  return {
    ...toRankedAgent(shown),
    agentId: item.agent_id,
    score,
    sortKey,
    nameKey: name_key,
    createdAt: new Date(created_at),
    skills: skill_names.map((name, index) => ({ name, words: skill_words[index] ?? '' })),
  };
}

const similarWordRow = row({ written: text(), similar: text() });

/**
 * Selects at most `limit` indexed words most similar to each word, with a trigram similarity of at least `similarity`.
 */
export async function selectSimilarWords(
  words: string[],
  { limit, similarity }: { limit: number; similarity: number },
): Promise<Map<string, string[]>> {
  const rows = await similarWordRow.query(
    'search-similar-words',
    `SELECT w.written, v.word AS similar FROM unnest($1::text[]) AS w(written) CROSS JOIN LATERAL (
      SELECT word FROM agent_search_word
      WHERE word % w.written AND word <> w.written AND similarity(word, w.written) >= $3
      ORDER BY similarity(word, w.written) DESC, word LIMIT $2) v`,
    [words, limit, similarity],
  );
  const similar = new Map<string, string[]>();
  for (const found of rows) similar.set(found.written, [...(similar.get(found.written) ?? []), found.similar]);
  return similar;
}

/**
 * Selects the public agents that share the most tags, and the most words of their names, skills and tags, with an
 * agent. Long words are compared first.
 */
export async function selectSimilar(agentId: string, limit: number): Promise<RankedAgent[]> {
  const rows = await summaryRow.queryUnprepared(
    `WITH own AS (SELECT agent_id, tags, tsvector_to_array(document) AS words FROM agent_search WHERE agent_id = $1),
       words AS (SELECT word FROM own, unnest(words) word WHERE word ^@ 's:' AND length(word) > 4 ORDER BY length(word) DESC LIMIT ${MAX_SIMILAR_WORDS}),
       wanted AS (SELECT string_agg(quote_literal(word), ' | ')::tsquery AS query FROM words),
       near AS (
         (SELECT s.agent_id FROM own, agent_search s WHERE s.tags && own.tags AND NOT s.is_withheld LIMIT ${MAX_SIMILAR_CANDIDATES})
         UNION (SELECT s.agent_id FROM wanted, agent_search s WHERE s.document @@ wanted.query AND NOT s.is_withheld LIMIT ${MAX_SIMILAR_CANDIDATES})),
       scored AS (SELECT s.agent_id, s.rank,
           ${SHARED_TAG_WEIGHT} * (SELECT count(*) FROM unnest(s.tags) tag WHERE tag = ANY(own.tags))
             + (SELECT count(*) FROM words WHERE s.document @@ quote_literal(word)::tsquery) AS shared
         FROM near JOIN agent_search s USING (agent_id), own WHERE s.agent_id <> $1)
     SELECT a.id AS agent_id, ${summaryColumns} FROM scored c JOIN agent a ON a.id = c.agent_id JOIN agent_search s ON s.agent_id = c.agent_id
       LEFT JOIN agent_ranking t ON t.agent_id = a.id
     WHERE c.shared >= ${MIN_SHARED} ORDER BY c.shared DESC, c.rank DESC, a.id LIMIT $2`,
    [agentId, limit],
  );
  return rows.map(toRankedAgent);
}

const countRow = row({ count: int8() });
const sitemapRow = row({ slug: text(), updatedAt: timestamptz() });

/** A public agent and its last change. */
export type SitemapEntry = RowOf<typeof sitemapRow>;

/** Returns the number of public agents. */
export async function countSitemapEntries(): Promise<number> {
  const found = await countRow.queryFirst('search-count', 'SELECT count(*) AS count FROM agent_search');
  return found?.count ?? 0;
}

/** Returns a range of the public agents by id. */
export async function selectSitemapEntries({
  offset,
  limit,
}: {
  offset: number;
  limit: number;
}): Promise<SitemapEntry[]> {
  return sitemapRow.query(
    'search-listed',
    `SELECT a.slug, a.updated_at AS "updatedAt" FROM agent_search s JOIN agent a ON a.id = s.agent_id
     ORDER BY s.agent_id OFFSET $1 LIMIT $2`,
    [offset, limit],
  );
}
