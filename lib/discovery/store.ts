import type { SummarySource } from '../catalog';
import { pool, query } from '../platform/sql';
import type { Position } from './cursor';
import type { SearchPage } from './schema';
import { type SearchRequest, searchStatement } from './search-sql';

/** One match: what a summary is made of, and what the order and the matched skill need. */
export interface Match extends Position {
  agent: SummarySource;
  skills: { name: string; words: string }[];
}

export interface Matches {
  /** One more than the limit when there is a next page. */
  items: Match[];
  /** All matches, counted to one more than is told. */
  counted: number;
  tags: SearchPage['facets']['tags'];
  capabilities: SearchPage['facets']['capabilities'];
}

interface ResultRow {
  counted: number;
  tags: Matches['tags'] | null;
  capabilities: Matches['capabilities'] | null;
  items: ItemRow[] | null;
}

interface ItemRow extends Omit<SummarySource, 'id' | 'updatedAt' | 'iconDigest'> {
  agent_id: string;
  score: number;
  name_key: string;
  created_at: string;
  updated_at: string;
  icon_digest: string | null;
  skill_names: string[];
  skill_words: string[];
}

/** Finds agents, from the rows that lib/catalog writes for search. */
export async function selectMatches(request: SearchRequest): Promise<Matches> {
  // Unnamed: the planner must see the words to know how many rows they match.
  const { rows } = await pool().query<ResultRow>(searchStatement(request));
  const [row] = rows;
  return {
    items: (row?.items ?? []).map(toMatch),
    counted: row?.counted ?? 0,
    tags: row?.tags ?? [],
    capabilities: row?.capabilities ?? [],
  };
}

function toMatch(row: ItemRow): Match {
  const { agent_id, score, name_key, created_at, updated_at, icon_digest, skill_names, skill_words, ...agent } = row;
  return {
    agent: { ...agent, id: agent_id, updatedAt: new Date(updated_at), iconDigest: icon_digest },
    agentId: agent_id,
    score,
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

/** An agent that everybody can find, and when it changed. */
export interface ListedAgent {
  slug: string;
  updatedAt: Date;
}

/** How many agents everybody can find. */
export async function countListed(): Promise<number> {
  const [row] = await query<{ count: number }>('search-count', 'SELECT count(*) AS count FROM agent_search');
  return row?.count ?? 0;
}

/** The agents that everybody can find, in the order of their ids. */
export async function selectListed({ offset, limit }: { offset: number; limit: number }): Promise<ListedAgent[]> {
  return query<ListedAgent>(
    'search-listed',
    `SELECT a.slug, a.updated_at AS "updatedAt" FROM agent_search s JOIN agent a ON a.id = s.agent_id
     ORDER BY s.agent_id OFFSET $1 LIMIT $2`,
    [offset, limit],
  );
}
