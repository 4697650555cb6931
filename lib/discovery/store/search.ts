import { pool, query } from '../../platform/sql';
import type { Position } from '../cursor';
import type { Facets } from '../schema';
import { type SearchRequest, searchStatement } from '../search-sql';
import { type AgentSummaryRow, type RankedAgent, toRankedAgent } from './summary-row';

/** One match: what a summary is made of, and what the order and the matched skill need. */
export interface Match extends Position, RankedAgent {
  /** How well the words match. */
  score: number;
  skills: { name: string; words: string }[];
}

export interface Matches {
  /** One more than the limit when there is a next page. */
  items: Match[];
  /** All matches, counted to one more than is told. */
  counted: number;
  facets: Facets;
}

interface ResultRow {
  counted: number;
  facets: Facets;
  items: ItemRow[] | null;
}

interface ItemRow extends AgentSummaryRow {
  score: number;
  place: number;
  name_key: string;
  created_at: string;
  skill_names: string[];
  skill_words: string[];
}

export const noFacets: Facets = {
  tags: [],
  capabilities: [],
  health: [],
  price: [],
  rating: [],
  updated: [],
  publishers: [],
};

/** Finds agents, from the rows that lib/catalog writes for search. */
export async function selectMatches(request: SearchRequest): Promise<Matches> {
  // Unnamed: the planner must see the words to know how many rows they match.
  const { rows } = await pool().query<ResultRow>(searchStatement(request));
  const [row] = rows;
  return {
    items: (row?.items ?? []).map(toMatch),
    counted: row?.counted ?? 0,
    facets: row?.facets ?? noFacets,
  };
}

function toMatch(row: ItemRow): Match {
  const { score, place, name_key, created_at, skill_names, skill_words, ...shown } = row;
  return {
    ...toRankedAgent(shown),
    agentId: row.agent_id,
    score,
    place,
    nameKey: name_key,
    createdAt: new Date(created_at),
    skills: skill_names.map((name, index) => ({ name, words: skill_words[index] ?? '' })),
  };
}

const maxSimilar = 5;

/** For each word those in the documents that are most like it, by shared trigrams; at most five. */
export async function selectSimilarWords(words: string[]): Promise<Map<string, string[]>> {
  const rows = await query<{ written: string; similar: string }>(
    'search-similar-words',
    `SELECT w.written, v.word AS similar FROM unnest($1::text[]) AS w(written) CROSS JOIN LATERAL (
      SELECT word FROM agent_search_word WHERE word % w.written AND word <> w.written
      ORDER BY similarity(word, w.written) DESC, word LIMIT ${maxSimilar}) v`,
    [words],
  );
  const similar = new Map<string, string[]>();
  for (const row of rows) similar.set(row.written, [...(similar.get(row.written) ?? []), row.similar]);
  return similar;
}
