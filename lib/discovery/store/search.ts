import type { SummarySource } from '../../catalog';
import { pool, query } from '../../platform/sql';
import type { Position } from '../cursor';
import type { Facets, Health, Rung, StandingSummary } from '../schema';
import { type SearchRequest, searchStatement } from '../search-sql';

/** One match: what a summary is made of, and what the order and the matched skill need. */
export interface Match extends Position {
  agent: SummarySource;
  /** How well the words match. */
  score: number;
  standing: StandingSummary;
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

interface ItemRow extends Omit<SummarySource, 'id' | 'updatedAt' | 'iconDigest'> {
  agent_id: string;
  score: number;
  place: number;
  name_key: string;
  created_at: string;
  updated_at: string;
  icon_digest: string | null;
  skill_names: string[];
  skill_words: string[];
  health: Health | null;
  rung: Rung | null;
  users: number | null;
  rating: number | null;
  review_count: number | null;
  standing_score: number | null;
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
  const { agent_id, score, place, name_key, created_at, updated_at, icon_digest, ...rest } = row;
  const { skill_names, skill_words, health, rung, users, rating, review_count, standing_score, ...agent } = rest;
  return {
    agent: { ...agent, id: agent_id, updatedAt: new Date(updated_at), iconDigest: icon_digest },
    agentId: agent_id,
    score,
    place,
    nameKey: name_key,
    createdAt: new Date(created_at),
    skills: skill_names.map((name, index) => ({ name, words: skill_words[index] ?? '' })),
    standing: {
      health: health ?? 'unknown',
      score: standing_score,
      users: users ?? 0,
      rating: rating === null ? null : { average: rating, count: review_count ?? 0 },
      isUnderMaintenance: rung !== null && rung !== 'listed',
    },
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
