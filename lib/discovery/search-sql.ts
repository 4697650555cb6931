import type { Position } from './cursor';
import { facetsOf } from './facets-sql';
import type { SearchQuery, Sort } from './schema';
import { everyWordQuery, type SearchField, similarQuery, type Terms, wordQuery } from './terms';

/** Most matches that are ranked, counted and faceted; ranking every hit of a frequent word is what makes search slow. */
export const MAX_COUNTED = 1_000;

/** How far one step of the match outweighs the agents' scores, which go to 100. */
const scoreStep = 200;

export interface SearchRequest
  extends Pick<SearchQuery, 'health' | 'price' | 'publisher' | 'rating' | 'updated' | 'limit'> {
  tags: string[];
  capabilities: string[];
  sort: Sort;
  /** Null: everything that passes the filters. */
  terms: Terms | null;
  /** Any of the words, or one similar to it, instead of all of them. */
  relaxed: boolean;
  after: Position | null;
  now: Date;
}

/** Adds a value to the statement and answers its placeholder. */
type Bind = (value: unknown) => string;

const cap = MAX_COUNTED + 1;
/** What every match has to pass. */
const baseFilter = 'NOT s.is_withheld';

const columns = `s.agent_id, s.name_key, s.created_at, s.tags, s.badges, s.health, s.rating, s.updated_at, s.owner_id`;

/** The statement that finds, counts and facets in one go; everything a caller wrote is among the values. */
export function searchStatement(request: SearchRequest): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const filter = filterOf(request, bind);
  return { text: `WITH ${matchesCte(request, filter, bind)}, ${pageOf(request, bind)}`, values };
}

function filterOf(request: SearchRequest, bind: Bind): string {
  const { tags, capabilities, health, price, publisher, rating, updated } = request;
  const conditions = [baseFilter];
  if (tags.length > 0) conditions.push(`s.tags @> ${bind(tags)}::text[]`);
  if (capabilities.length > 0) conditions.push(`s.badges @> ${bind(capabilities)}::text[]`);
  if (health) conditions.push(`s.health = ${bind(health)}`);
  if (price) conditions.push(`${price === 'free' ? 'NOT ' : ''}s.badges @> ARRAY['payments']`);
  if (rating) conditions.push(`s.rating >= ${bind(Number(rating) * 100)}::int`);
  if (updated) conditions.push(`s.updated_at >= ${sinceOf(request.now, Number(updated), bind)}`);
  if (publisher) conditions.push(`s.owner_id = (SELECT user_id FROM publisher WHERE handle = ${bind(publisher)})`);
  return conditions.join(' AND ');
}

function sinceOf(now: Date, days: number, bind: Bind): string {
  return `${bind(new Date(now.getTime() - days * 86_400_000))}::timestamptz`;
}

/** What each order that is not one by match, time or name compares first. */
const rankExpressions: Record<Sort, string> = {
  relevance: '0',
  best: 's.rank',
  used: 's.users',
  rating: 's.rating_rank',
  newest: '0',
  name: '0',
};

/** The CTE `found`: the matches with their score; capped wherever they are ranked. */
function matchesCte({ terms, sort, relaxed }: SearchRequest, filter: string, bind: Bind): string {
  const unscored = `${columns}, 0 AS score, ${rankExpressions[sort]} AS place`;
  if (!terms) return `found AS NOT MATERIALIZED (SELECT ${unscored} FROM agent_search s WHERE ${filter})`;
  if (relaxed) return anyWordQuery(anyWordArms(terms, bind), filter, sort);
  const key = bind(terms.key);
  const every = (part: SearchField): string => `s.document @@ ${bind(everyWordQuery(terms, part))}::tsquery`;
  const prefix = `s.name_key ^@ ${key}`;
  const anywhere = every('');
  const passing = `(${anywhere} OR ${prefix}) AND ${filter}`;
  if (sort !== 'relevance')
    return `found AS NOT MATERIALIZED (SELECT ${unscored} FROM agent_search s WHERE ${passing})`;
  const steps = [`s.name_key = ${key}`, prefix, every('n:'), every('s:'), anywhere];
  return filter === baseFilter ? rankedQuery(steps, filter) : filteredQuery(steps, passing);
}

/** Matches by relevance among the few that pass a filter: found once, as every step would look for the filter again. */
function filteredQuery(conditions: string[], passing: string): string {
  const scores = conditions.map((condition, index) => `WHEN ${condition} THEN ${conditions.length - index}`);
  const found = `SELECT s.*, CASE ${scores.join(' ')} END AS score FROM agent_search s WHERE ${passing}`;
  return `found AS MATERIALIZED (SELECT ${columns}, s.score, s.score * ${scoreStep} + s.rank AS place FROM (${found}) s
    ORDER BY place DESC, s.created_at DESC, s.agent_id DESC LIMIT ${cap})`;
}

/**
 * Matches by relevance: those of the first condition before those of the second, until there are enough. Frequent words fill
 * the page by the best places alone, and the rest is never read.
 */
function rankedQuery(conditions: string[], filter: string): string {
  const steps = conditions.map((condition, index) => {
    // In a CASE, which the planner does not look into: how many rows pass is known from the condition, and asking the statistics
    // of words again for each that was tried before takes longer than finding them.
    const earlier =
      index > 0 ? ` AND CASE WHEN ${conditions.slice(0, index).join(' OR ')} THEN false ELSE true END` : '';
    const score = conditions.length - index;
    return `(SELECT ${columns}, ${score} AS score, ${score * scoreStep} + s.rank AS place FROM agent_search s
      WHERE ${condition}${earlier} AND ${filter} LIMIT ${cap})`;
  });
  return `found AS MATERIALIZED (SELECT * FROM (${steps.join(' UNION ALL ')}) steps LIMIT ${cap})`;
}

interface QueryArm {
  condition: string;
  score: number;
  /** Of the arms of one word only the best counts. */
  word: number;
}

// Of each word the best place counts: written so in name, skill, anywhere; then similar in name, skill, anywhere.
function anyWordArms({ words }: Terms, bind: Bind): QueryArm[] {
  const parts: SearchField[] = ['n:', 's:', ''];
  return words.flatMap((term, word) => {
    const written = parts.map((part) => wordQuery(term, part));
    const similar = term.similar.length > 0 ? parts.map((part) => similarQuery(term, part)) : [];
    const scores = [40, 30, 20, 18, 14, 10];
    return [...written, ...similar].map((query, index) => ({
      condition: `s.document @@ ${bind(query)}::tsquery`,
      score: scores[index] ?? 0,
      word,
    }));
  });
}

/** What a list shows of agent `a` and its standing `t`. */
export const summaryColumns = `a.slug, a.name, a.description, a.version, a.tags, a.visibility, a.status, a.badges, a.icon_digest,
  a.updated_at, t.health, t.rung, t.users, t.rating, t.review_count,
  CASE WHEN t.computed_at IS NOT NULL THEN t.score END AS standing_score`;

/** Matches of any word, the more and the better the words the higher; each is capped before anything is ranked. */
function anyWordQuery(arms: QueryArm[], filter: string, sort: Sort): string {
  const candidates = arms.map(
    ({ condition, score, word }) =>
      `(SELECT s.agent_id, s.rank, s.created_at, ${word} AS word, ${score} AS score FROM agent_search s
        WHERE ${condition} AND ${filter} LIMIT ${cap})`,
  );
  const rankExpr = sort === 'relevance' ? `p.score * ${scoreStep} + s.rank` : rankExpressions[sort];
  // What orders the hits comes with them: the rows are looked up for those alone that stay.
  const hit = 'agent_id, rank, created_at';
  return `hits AS (${candidates.join(' UNION ALL ')}),
    words AS (SELECT ${hit}, word, max(score) AS score FROM hits GROUP BY ${hit}, word),
    picked AS MATERIALIZED (SELECT agent_id, sum(score)::int AS score FROM words GROUP BY ${hit}
      ORDER BY sum(score) DESC, rank DESC, created_at DESC, agent_id DESC LIMIT ${cap}),
    found AS MATERIALIZED (SELECT ${columns}, p.score, ${rankExpr} AS place FROM picked p JOIN agent_search s USING (agent_id))`;
}

const byRank = 'f.place DESC, f.created_at DESC, f.agent_id DESC';
const byTime = 'f.created_at DESC, f.agent_id DESC';
const orders: Record<Sort, string> = {
  relevance: byRank,
  best: byRank,
  used: byRank,
  rating: byRank,
  newest: byTime,
  name: 'f.name_key, f.agent_id',
};

function pageOf({ sort, after, limit, now }: SearchRequest, bind: Bind): string {
  const next = after ? `WHERE ${afterCursor(sort, after, bind)}` : '';
  return `sample AS MATERIALIZED (SELECT tags, badges, health, rating, updated_at, owner_id FROM found LIMIT ${cap}),
    page AS (SELECT f.score, f.place, f.name_key, f.agent_id, f.created_at FROM found f ${next} ORDER BY ${orders[sort]} LIMIT ${bind(limit + 1)}),
    shown AS (SELECT f.*, s.skill_names, s.skill_words, ${summaryColumns}
      FROM page f JOIN agent_search s USING (agent_id) JOIN agent a ON a.id = f.agent_id
        LEFT JOIN agent_standing t ON t.agent_id = f.agent_id ORDER BY ${orders[sort]})
    SELECT (SELECT count(*)::int FROM sample) AS counted,
      ${facetsOf(bind(now))} AS facets,
      (SELECT json_agg(i) FROM shown i) AS items`;
}

function afterCursor(sort: Sort, after: Position, bind: Bind): string {
  const agentId = bind(after.agentId);
  if (sort === 'name') return `(f.name_key, f.agent_id) > (${bind(after.nameKey)} COLLATE "C", ${agentId})`;
  const createdAt = `${bind(after.createdAt)}::timestamptz`;
  if (orders[sort] === byTime) return `(f.created_at, f.agent_id) < (${createdAt}, ${agentId})`;
  return `(f.place, f.created_at, f.agent_id) < (${bind(after.place)}::int, ${createdAt}, ${agentId})`;
}
