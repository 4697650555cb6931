import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchPage } from '@/lib/discovery/schema';
import { useTestDatabase } from '../support/database';
import { type Parley, startParley } from '../support/parley';
import {
  type EvaluationQuery,
  evaluationCards,
  evaluationQueries,
  meanOf,
  ndcg,
  type Ranking,
  recall,
  reciprocalRank,
  toSeed,
} from '../support/search-evaluation';
import { seedAgents } from '../support/seed-agents';
import { waitFor } from '../support/wait-for';

const languages = ['de', 'fr', 'es', 'zh'];
const starts = { timeout: 300_000 };

useTestDatabase();

let byMeaning: Parley;
let byWords: Parley;
const idOfSlug = new Map<string, string>();
let today: Ranking[];
let rankings: Ranking[];

beforeAll(async () => {
  const slugs = await seedAgents(evaluationCards.map(toSeed));
  for (const [at, slug] of slugs.entries()) idOfSlug.set(slug, evaluationCards[at]?.id ?? '');
  byWords = await startParley();
  byMeaning = await startParley({ env: { EMBEDDINGS: 'on', APP_URL: byWords.url } });
  await filled(byMeaning);
  rankings = await rankAll(byMeaning);
  today = await rankAll(byWords);
  console.table(
    Object.fromEntries(
      ['all', 'no word shared', 'kw', 'nl', 'para', 'typo', 'task', ...languages].map((kind) => [kind, rowOf(kind)]),
    ),
  );
}, starts.timeout);

afterAll(async () => {
  await byMeaning?.stop();
  await byWords?.stop();
});

async function filled({ url }: Parley): Promise<void> {
  const isFilled = async (): Promise<boolean> => {
    const { semantic } = await search(url, 'something unusual');
    return semantic === 'on';
  };
  await waitFor(isFilled, { timeout: 240_000, what: 'the vectors of all agents' });
}

async function search(url: string, q: string): Promise<SearchPage> {
  const response = await fetch(`${url}/api/agents?limit=10&q=${encodeURIComponent(q)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

async function rankAll({ url }: Parley): Promise<Ranking[]> {
  const all: Ranking[] = [];
  for (const query of evaluationQueries) {
    const { items } = await search(url, query.q);
    all.push({ query, ids: items.map(({ slug }) => idOfSlug.get(slug) ?? slug) });
  }
  return all;
}

function isOfKind(query: EvaluationQuery, kind: string): boolean {
  if (kind === 'all') return true;
  if (kind === 'no word shared') return query.kind === 'para' && query.overlap.length === 0;
  return query.kind === kind;
}

function ofKind(all: Ranking[], kind: string): Ranking[] {
  return all.filter(({ query }) => isOfKind(query, kind));
}

function rowOf(kind: string): Record<string, string | number> {
  const now = ofKind(rankings, kind);
  const scores = { before: meanOf(ofKind(today, kind), ndcg), ndcg: meanOf(now, ndcg) };
  const others = { recall5: meanOf(now, recall), mrr: meanOf(now, reciprocalRank) };
  const rounded = Object.entries({ ...scores, ...others }).map(([name, value]) => [name, value.toFixed(3)]);
  return { queries: now.length, ...Object.fromEntries(rounded) };
}

const scoreOf = (kind: string): number => meanOf(ofKind(rankings, kind), ndcg);

describe('search by meaning', () => {
  test('finds the correct agent for most queries', () => {
    expect(scoreOf('all')).toBeGreaterThanOrEqual(0.7);
    expect(meanOf(rankings, recall)).toBeGreaterThanOrEqual(0.78);
  });

  test('finds agents by words that their cards do not contain', () => {
    expect(scoreOf('no word shared')).toBeGreaterThanOrEqual(0.7);
  });

  test.each([
    ['kw', 0.95],
    ['nl', 0.97],
    ['typo', 0.95],
  ])('ranks %s queries with an nDCG of at least %d', (kind, goal) => {
    expect(scoreOf(kind)).toBeGreaterThanOrEqual(goal);
  });

  test('finds agents in other languages', () => {
    const foreign = rankings.filter(({ query }) => languages.includes(query.kind));
    expect(meanOf(foreign, ndcg)).toBeGreaterThanOrEqual(0.55);
    for (const language of languages) expect(scoreOf(language), language).toBeGreaterThanOrEqual(0.45);
  });

  test('is at least as good as search by words for every kind of query', () => {
    for (const kind of ['kw', 'nl', 'para', 'typo', 'task', ...languages])
      expect(scoreOf(kind), kind).toBeGreaterThanOrEqual(meanOf(ofKind(today, kind), ndcg) - 0.02);
  });
});
