import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide } from '@/lib/concierge/decide';
import type { Candidate } from '@/lib/concierge/find-candidates';
import type { SearchPage } from '@/lib/discovery/schema';
import { useTestDatabase } from '../support/database';
import { outOfDomainTasks } from '../support/out-of-domain';
import { type Parley, startParley } from '../support/parley';
import { evaluationCards, evaluationQueries, toSeed } from '../support/search-evaluation';
import { seedAgents } from '../support/seed-agents';
import { waitFor } from '../support/wait-for';

useTestDatabase();

let parley: Parley;
const idOfSlug = new Map<string, string>();

beforeAll(async () => {
  const slugs = await seedAgents(evaluationCards.map(toSeed));
  for (const [at, slug] of slugs.entries()) idOfSlug.set(slug, evaluationCards[at]?.id ?? '');
  parley = await startParley({ env: { EMBEDDINGS: 'on', CONCIERGE: 'on' } });
  const isFilled = async (): Promise<boolean> => (await search('something unusual')).semantic === 'on';
  await waitFor(isFilled, { timeout: 240_000, what: 'the vectors of all agents' });
}, 300_000);

afterAll(() => parley?.stop());

async function search(q: string): Promise<SearchPage> {
  const response = await fetch(`${parley.url}/api/agents?limit=30&q=${encodeURIComponent(q.slice(0, 200))}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

/** The id of the card that the rule chooses for a text, with score and lead; null when it asks. */
async function routeOf(q: string): Promise<{ id: string; score: number; lead: number } | null> {
  const page = await search(q);
  const candidates = page.items
    .filter(({ slug }) => slug !== 'concierge')
    .map(({ slug, match }) => {
      const score = page.semantic === 'on' && match?.semantic != null ? match.score : null;
      return { agent: { slug }, score, words: match?.words ?? 0, takesPayments: false } as Candidate;
    })
    .sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
  const decision = decide(candidates, { isPrivate: false });
  if (!decision.chosen) return null;
  const { agent, score } = decision.chosen;
  return { id: idOfSlug.get(agent.slug) ?? agent.slug, score: score ?? 0, lead: decision.lead };
}

test('the concierge is right in at least 95 % of the cases that it decides alone', { timeout: 120_000 }, async () => {
  const wrong: string[] = [];
  let decided = 0;
  for (const { q, relevant } of evaluationQueries) {
    const route = await routeOf(q);
    if (!route) continue;
    decided += 1;
    if (relevant[route.id] === undefined) wrong.push(`${q} → ${route.id} (${route.score}, lead ${route.lead})`);
  }
  const share = 1 - wrong.length / decided;
  console.log(`decided ${decided} of ${evaluationQueries.length}, right ${(share * 100).toFixed(1)} %`, wrong);
  expect(decided).toBeGreaterThan(20);
  expect(share).toBeGreaterThanOrEqual(0.95);
});

test('the concierge never routes a task that no agent can do', { timeout: 120_000 }, async () => {
  const routed: string[] = [];
  for (const task of outOfDomainTasks) {
    const route = await routeOf(task);
    if (route) routed.push(`${task} → ${route.id} (${route.score}, lead ${route.lead})`);
  }
  expect(routed).toEqual([]);
});
