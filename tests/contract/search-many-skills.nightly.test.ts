import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchPage } from '@/lib/discovery/schema';
import { useTestDatabase } from '../support/database';
import { type Parley, startParley } from '../support/parley';
import { type EvaluationCard, evaluationCards, evaluationQueries, toSeed } from '../support/search-evaluation';
import { seedAgents } from '../support/seed-agents';
import { waitFor } from '../support/wait-for';

useTestDatabase();

/** Agents with six unlike skills each, made of the first cards; the other cards stay agents of their own. */
const mergedAgents = 12;
const skillsPerAgent = 6;
const englishKinds = ['kw', 'nl', 'para', 'task'];

let parley: Parley;
/** The agent's slug by id of a merged card. */
const slugOfCard = new Map<string, string>();

beforeAll(async () => {
  const merged = Array.from({ length: mergedAgents }, (_, at) => cardsOf(at));
  const others = evaluationCards.slice(mergedAgents * skillsPerAgent);
  const slugs = await seedAgents([...merged.map(mergedAgent), ...others.map(toSeed)]);
  for (const [at, cards] of merged.entries()) for (const { id } of cards) slugOfCard.set(id, slugs[at] ?? '');
  parley = await startParley({ env: { EMBEDDINGS: 'on' } });
  await waitFor(async () => (await search('anything')).semantic === 'on', {
    timeout: 240_000,
    what: 'the vectors of all agents',
  });
}, 300_000);

afterAll(async () => {
  await parley?.stop();
});

function cardsOf(at: number): EvaluationCard[] {
  return Array.from({ length: skillsPerAgent }, (_, skill) => evaluationCards[at + skill * mergedAgents]).flatMap(
    (card) => card ?? [],
  );
}

function mergedAgent(cards: EvaluationCard[], at: number): ReturnType<typeof toSeed> {
  const skills = cards.map(({ id, name, description, skills: own }) => ({
    id,
    name,
    description: [description, ...own.map((skill) => `${skill.name}: ${skill.description}`)].join(' '),
    tags: own.flatMap(({ tags }) => tags),
    examples: own.flatMap(({ examples }) => examples),
  }));
  return { name: `Office ${at + 1}`, description: 'Does many unlike things.', skills };
}

async function search(q: string): Promise<SearchPage> {
  const response = await fetch(`${parley.url}/api/agents?limit=20&q=${encodeURIComponent(q)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

test('an agent with many different skills is found by each of them, and the matching skill is named', async () => {
  const asked = evaluationQueries.filter(
    ({ kind, relevant }) =>
      englishKinds.includes(kind) && Object.entries(relevant).some(([id, value]) => value === 2 && slugOfCard.has(id)),
  );
  expect(asked.length).toBeGreaterThan(20);
  let reciprocalRanks = 0;
  let named = 0;
  let first = 0;
  for (const { q, relevant } of asked) {
    const best = Object.keys(relevant).filter((id) => relevant[id] === 2);
    const { items } = await search(q);
    const place = items.findIndex(({ slug }) => best.some((id) => slugOfCard.get(id) === slug));
    if (place >= 0) reciprocalRanks += 1 / (place + 1);
    // An agent that is only one of the closest names no skill.
    if (place !== 0 || items[0]?.fit === 'closest') continue;
    first += 1;
    const names = best.map((id) => evaluationCards.find((card) => card.id === id)?.name);
    if (names.includes(items[0]?.matchedSkill ?? '')) named += 1;
  }
  console.log(
    `merged agents: MRR ${(reciprocalRanks / asked.length).toFixed(3)} of ${asked.length} texts, skill named ${named} of ${first}`,
  );
  expect(reciprocalRanks / asked.length).toBeGreaterThanOrEqual(0.7);
  expect(first).toBeGreaterThan(20);
  expect(named / first).toBeGreaterThan(0.9);
});
