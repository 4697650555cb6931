import type { AgentCondition } from '../../embeddings';
import { DAY_MS } from '../../platform/time';
import { MAX_COUNTED } from '../limits';
import { ANY_WORD_SCORES, MATCH_LEVEL_STEP } from '../ranking/score';
import type { AgentSearch, Sort } from '../schema';
import { anyQuery, everyWordQuery, type SearchField, type Terms, wordQuery } from '../terms';
import { facetsOf, hasPriceSql } from './facets-sql';
import type { Position } from './search-cursor';
import { isOnlineSql, summaryColumns } from './summary-row';

/** A search with validated filters. */
export interface SearchRequest
  extends Pick<
    AgentSearch,
    'health' | 'price' | 'presence' | 'publisher' | 'rating' | 'updated' | 'limit' | 'anyTag' | 'skill'
  > {
  tags: string[];
  capabilities: string[];
  sort: Sort;
  /** Null matches every agent. */
  terms: Terms | null;
  /** True for a tolerant search, for any word or a similar one instead of all words. */
  relaxed: boolean;
  after: Position | null;
  now: Date;
}

/** Adds a parameter to the statement and returns its placeholder. */
type Bind = (value: unknown) => string;

const cap = MAX_COUNTED + 1;
/** Condition on every match. */
const baseFilter = 'NOT s.is_withheld';

const columns = `s.agent_id, s.name_key, s.created_at, s.tags, s.badges, s.health, s.rating, s.updated_at, s.owner_id, s.price_kind`;

/** Returns the statement for page, count and facets. All user input is passed as parameters. */
export function searchStatement(request: SearchRequest): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const filter = filterOf(request, bind);
  return { text: `WITH ${matchesCte(request, filter, bind)}, ${pageOf(request, bind)}`, values };
}

/**
 * Returns the filters of a search as a condition on row `s` of `agent_search`. `isBase` is true if there are no
 * filters.
 */
export function conditionOf(request: SearchRequest): AgentCondition & { isBase: boolean } {
  const values: unknown[] = [];
  const sql = filterOf(request, (value) => `$${values.push(value)}`);
  return { sql, values, isBase: sql === baseFilter };
}

function filterOf(request: SearchRequest, bind: Bind): string {
  const { tags, anyTag, skill, capabilities, health, price, presence, publisher, rating, updated } = request;
  const conditions = [baseFilter];
  if (tags.length > 0) conditions.push(`s.tags @> ${bind(tags)}::text[]`);
  if (anyTag) conditions.push(`s.tags && ${bind(anyTag)}::text[]`);
  if (skill) conditions.push(`s.skill_names && ${bind(skill)}::text[]`);
  if (capabilities.length > 0) conditions.push(`s.badges @> ${bind(capabilities)}::text[]`);
  if (health) conditions.push(`s.health = ${bind(health)}`);
  if (price) conditions.push(hasPriceSql('s', price));
  if (presence) conditions.push(isOnlineSql('s.agent_id'));
  if (rating) conditions.push(`s.rating >= ${bind(Number(rating) * 100)}::int`);
  if (updated) conditions.push(`s.updated_at >= ${sinceOf(request.now, Number(updated), bind)}`);
  if (publisher) conditions.push(`s.owner_id = (SELECT user_id FROM publisher WHERE handle = ${bind(publisher)})`);
  return conditions.join(' AND ');
}

function sinceOf(now: Date, days: number, bind: Bind): string {
  return `${bind(new Date(now.getTime() - days * DAY_MS))}::timestamptz`;
}

/**
 * Returns the statement for page, count and facets of agents that are already ranked: `order` contains their sort keys.
 * Filters are applied again, because an agent may have changed since.
 */
export function rankedStatement(
  request: SearchRequest,
  order: { agentId: string; sortKey: number }[],
): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const ids = bind(order.map(({ agentId }) => agentId));
  const keys = bind(order.map(({ sortKey }) => sortKey));
  const found = `found AS MATERIALIZED (SELECT ${columns}, 0 AS score, o.sort_key
    FROM unnest(${ids}::text[], ${keys}::int[]) AS o(agent_id, sort_key) JOIN agent_search s USING (agent_id)
    WHERE ${filterOf(request, bind)})`;
  return { text: `WITH ${found}, ${pageOf(request, bind)}`, values };
}

/** The first sort key of each order that uses a ranking column. */
const rankExpressions: Record<Sort, string> = {
  relevance: '0',
  best: 's.rank',
  used: 's.users',
  rating: 's.rating_rank',
  newest: '0',
  name: '0',
};

/** Returns the CTE `found`: the matches with their match level, capped if they are ranked. */
function matchesCte({ terms, sort, relaxed }: SearchRequest, filter: string, bind: Bind): string {
  const unscored = `${columns}, 0 AS score, ${rankExpressions[sort]} AS sort_key`;
  if (!terms) return `found AS NOT MATERIALIZED (SELECT ${unscored} FROM agent_search s WHERE ${filter})`;
  if (relaxed) return anyWordQuery(anyWordArms(terms, bind), filter, sort);
  const key = bind(terms.key);
  const every = (field: SearchField): string => `s.document @@ ${bind(everyWordQuery(terms, field))}::tsquery`;
  const prefix = `s.name_key ^@ ${key}`;
  const anywhere = every('');
  if (sort !== 'relevance')
    return `found AS NOT MATERIALIZED (SELECT ${unscored} FROM agent_search s WHERE (${anywhere} OR ${prefix}) AND ${filter})`;
  const steps = [`s.name_key = ${key}`, prefix, every('n:'), every('s:'), anywhere];
  return rankedQuery(steps, filter);
}

/**
 * Returns matches by relevance, one subquery per match level, best first, up to the cap. For frequent words, the first
 * levels fill the result, so that the others are not executed.
 */
function rankedQuery(conditions: string[], filter: string): string {
  const steps = conditions.map((condition, index) => {
    // The CASE hides the earlier conditions from the planner, because estimating their selectivity takes longer than
    // the query.
    const earlier =
      index > 0 ? ` AND CASE WHEN ${conditions.slice(0, index).join(' OR ')} THEN false ELSE true END` : '';
    const score = conditions.length - index;
    return `(SELECT ${columns}, ${score} AS score, ${score * MATCH_LEVEL_STEP} + s.rank AS sort_key FROM agent_search s
      WHERE ${condition}${earlier} AND ${filter} LIMIT ${cap})`;
  });
  return `found AS MATERIALIZED (SELECT * FROM (${steps.join(' UNION ALL ')}) steps LIMIT ${cap})`;
}

interface QueryArm {
  condition: string;
  score: number;
  /** Index of the word. Only the best arm of a word counts. */
  word: number;
}

function anyWordArms({ words }: Terms, bind: Bind): QueryArm[] {
  const fields: SearchField[] = ['n:', 's:', ''];
  return words.flatMap((term, word) => {
    const exact = fields.map((field) => wordQuery(term, field));
    const similar = term.similar.length > 0 ? fields.map((field) => anyQuery(term.similar, field)) : [];
    return [...exact, ...similar].map((query, index) => ({
      condition: `s.document @@ ${bind(query)}::tsquery`,
      score: ANY_WORD_SCORES[index] ?? 0,
      word,
    }));
  });
}

/** Returns the matches of any word, ordered by the sum of each word's best score. Each arm is capped before ranking. */
function anyWordQuery(arms: QueryArm[], filter: string, sort: Sort): string {
  const candidates = arms.map(
    ({ condition, score, word }) =>
      `(SELECT s.agent_id, s.rank, s.created_at, ${word} AS word, ${score} AS score FROM agent_search s
        WHERE ${condition} AND ${filter} LIMIT ${cap})`,
  );
  const rankExpr = sort === 'relevance' ? `p.score * ${MATCH_LEVEL_STEP} + s.rank` : rankExpressions[sort];
  // The sort keys are part of the hits, so that only the remaining rows are joined.
  const hit = 'agent_id, rank, created_at';
  return `hits AS (${candidates.join(' UNION ALL ')}),
    words AS (SELECT ${hit}, word, max(score) AS score FROM hits GROUP BY ${hit}, word),
    picked AS MATERIALIZED (SELECT agent_id, sum(score)::int AS score FROM words GROUP BY ${hit}
      ORDER BY sum(score) DESC, rank DESC, created_at DESC, agent_id DESC LIMIT ${cap}),
    found AS MATERIALIZED (SELECT ${columns}, p.score, ${rankExpr} AS sort_key FROM picked p JOIN agent_search s USING (agent_id))`;
}

const byRank = 'f.sort_key DESC, f.created_at DESC, f.agent_id DESC';
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
  return `sample AS MATERIALIZED (SELECT agent_id, tags, badges, health, rating, updated_at, owner_id, price_kind FROM found LIMIT ${cap}),
    page AS (SELECT f.score, f.sort_key, f.name_key, f.agent_id, f.created_at FROM found f ${next} ORDER BY ${orders[sort]} LIMIT ${bind(limit + 1)}),
    shown AS (SELECT f.*, s.skill_names, s.skill_words, ${summaryColumns}
      FROM page f JOIN agent_search s USING (agent_id) JOIN agent a ON a.id = f.agent_id
        LEFT JOIN agent_ranking t ON t.agent_id = f.agent_id ORDER BY ${orders[sort]})
    SELECT (SELECT count(*)::int FROM sample) AS counted,
      ${facetsOf(bind(now))} AS facets,
      (SELECT json_agg(i) FROM shown i) AS items`;
}

function afterCursor(sort: Sort, after: Position, bind: Bind): string {
  const agentId = bind(after.agentId);
  if (sort === 'name') return `(f.name_key, f.agent_id) > (${bind(after.nameKey)} COLLATE "C", ${agentId})`;
  const createdAt = `${bind(after.createdAt)}::timestamptz`;
  if (orders[sort] === byTime) return `(f.created_at, f.agent_id) < (${createdAt}, ${agentId})`;
  return `(f.sort_key, f.created_at, f.agent_id) < (${bind(after.sortKey)}::int, ${createdAt}, ${agentId})`;
}
