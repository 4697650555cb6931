import type { Position } from './cursor';
import type { SearchQuery } from './schema';
import { everyWordQuery, type Part, similarQuery, type Terms, wordQuery } from './terms';

/** Most matches that are ranked, counted and faceted; ranking every hit of a frequent word is what makes search slow. */
export const MAX_COUNTED = 1_000;

export interface SearchRequest extends Pick<SearchQuery, 'sort' | 'limit'> {
  tags: string[];
  capabilities: string[];
  /** Null: everything that passes the filters. */
  terms: Terms | null;
  /** Any of the words, or one similar to it, instead of all of them. */
  relaxed: boolean;
  after: Position | null;
}

/** Adds a value to the statement and answers its placeholder. */
type Put = (value: unknown) => string;

const cap = MAX_COUNTED + 1;
const columns = 's.agent_id, s.name_key, s.created_at, s.tags, s.badges';

/** The statement that finds, counts and facets in one go; everything a caller wrote is among the values. */
export function searchStatement(request: SearchRequest): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const put: Put = (value) => `$${values.push(value)}`;
  const filter = filterOf(request, put);
  return { text: `WITH ${foundBy(request, filter, put)}, ${pageOf(request, put)}`, values };
}

function filterOf({ tags, capabilities }: SearchRequest, put: Put): string {
  const conditions: string[] = [];
  if (tags.length > 0) conditions.push(`s.tags @> ${put(tags)}::text[]`);
  if (capabilities.length > 0) conditions.push(`s.badges @> ${put(capabilities)}::text[]`);
  return conditions.join(' AND ') || 'true';
}

/** The CTE `found`: the matches with their score; capped wherever they are ranked. */
function foundBy({ terms, sort, relaxed }: SearchRequest, filter: string, put: Put): string {
  if (!terms) return `found AS NOT MATERIALIZED (SELECT ${columns}, 0 AS score FROM agent_search s WHERE ${filter})`;
  if (relaxed) return scored(anyWordArms(terms, put), 'sum(score)', filter);
  const key = put(terms.key);
  const every = (part: Part): string => `s.document @@ ${put(everyWordQuery(terms, part))}::tsquery`;
  if (sort !== 'relevance') {
    return `found AS NOT MATERIALIZED (SELECT ${columns}, 0 AS score FROM agent_search s
      WHERE (${every('')} OR s.name_key ^@ ${key}) AND ${filter})`;
  }
  const arms: Arm[] = [
    { condition: `s.name_key = ${key}`, score: 5 },
    { condition: `s.name_key ^@ ${key}`, score: 4 },
    { condition: every('n:'), score: 3 },
    { condition: every('s:'), score: 2 },
    { condition: every(''), score: 1 },
  ];
  return scored(arms, 'max(score)', filter);
}

interface Arm {
  condition: string;
  score: number;
  /** Of the arms of one word only the best counts. */
  word?: number;
}

// Of each word the best place counts: written so in name, skill, anywhere; then similar in name, skill, anywhere.
function anyWordArms({ words }: Terms, put: Put): Arm[] {
  const parts: Part[] = ['n:', 's:', ''];
  return words.flatMap((term, word) => {
    const written = parts.map((part) => wordQuery(term, part));
    const similar = term.similar.length > 0 ? parts.map((part) => similarQuery(term, part)) : [];
    const scores = [40, 30, 20, 18, 14, 10];
    return [...written, ...similar].map((query, index) => ({
      condition: `s.document @@ ${put(query)}::tsquery`,
      score: scores[index] ?? 0,
      word,
    }));
  });
}

/** Each arm is answered by an index and capped before anything is ranked (security-performance.md §3.5). */
function scored(arms: Arm[], total: 'max(score)' | 'sum(score)', filter: string): string {
  const candidates = arms.map(
    ({ condition, score, word = 0 }) =>
      `(SELECT s.agent_id, ${word} AS word, ${score} AS score FROM agent_search s WHERE ${condition} AND ${filter} LIMIT ${cap})`,
  );
  return `hits AS (${candidates.join(' UNION ALL ')}),
    words AS (SELECT agent_id, word, max(score) AS score FROM hits GROUP BY agent_id, word),
    picked AS (SELECT agent_id, ${total}::int AS score FROM words GROUP BY agent_id),
    found AS MATERIALIZED (SELECT ${columns}, p.score FROM picked p JOIN agent_search s USING (agent_id)
      ORDER BY p.score DESC, s.created_at DESC, s.agent_id DESC LIMIT ${cap})`;
}

const orders = {
  relevance: 'f.score DESC, f.created_at DESC, f.agent_id DESC',
  newest: 'f.created_at DESC, f.agent_id DESC',
  name: 'f.name_key, f.agent_id',
} as const;

function pageOf({ sort, after, limit }: SearchRequest, put: Put): string {
  const next = after ? `WHERE ${beginsAfter(sort, after, put)}` : '';
  return `sample AS MATERIALIZED (SELECT tags, badges FROM found LIMIT ${cap}),
    page AS (SELECT f.score, f.name_key, f.agent_id, f.created_at FROM found f ${next} ORDER BY ${orders[sort]} LIMIT ${put(limit + 1)}),
    shown AS (SELECT f.*, s.skill_names, s.skill_words, a.slug, a.name, a.description, a.version, a.tags, a.visibility,
        a.status, a.badges, a.icon_digest, a.updated_at
      FROM page f JOIN agent_search s USING (agent_id) JOIN agent a ON a.id = f.agent_id ORDER BY ${orders[sort]})
    SELECT (SELECT count(*)::int FROM sample) AS counted,
      (SELECT json_agg(t) FROM (${facet('tags')}) t) AS tags,
      (SELECT json_agg(b) FROM (${facet('badges')}) b) AS capabilities,
      (SELECT json_agg(i) FROM shown i) AS items`;
}

function facet(column: 'tags' | 'badges'): string {
  return `SELECT value, count(*)::int AS count FROM (SELECT unnest(${column}) AS value FROM sample) v
    GROUP BY value ORDER BY count(*) DESC, value COLLATE "C" LIMIT 30`;
}

function beginsAfter(sort: SearchQuery['sort'], after: Position, put: Put): string {
  const agentId = put(after.agentId);
  if (sort === 'name') return `(f.name_key, f.agent_id) > (${put(after.nameKey)} COLLATE "C", ${agentId})`;
  const createdAt = `${put(after.createdAt)}::timestamptz`;
  if (sort === 'newest') return `(f.created_at, f.agent_id) < (${createdAt}, ${agentId})`;
  return `(f.score, f.created_at, f.agent_id) < (${put(after.score)}::int, ${createdAt}, ${agentId})`;
}
