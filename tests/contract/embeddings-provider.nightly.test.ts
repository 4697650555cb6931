import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SearchPage } from '@/lib/discovery/schema';
import { EmbeddingsProvider, sendJson } from '../fakes/embeddings-provider';
import { useTestDatabase } from '../support/database';
import { type Parley, startParley } from '../support/parley';
import { seedAgents } from '../support/seed-agents';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

const agents = [
  { name: 'Tortilla', description: 'Orders food from restaurants nearby.' },
  { name: 'Ledger', description: 'Fills in taxes for freelancers.' },
  { name: 'Atlas', description: 'Plans travel by train.' },
];
/** Words that mean the same to the fake model. */
const meanings = { hungry: 'food', eat: 'food', declare: 'taxes', income: 'taxes', holiday: 'travel', ride: 'train' };

useTestDatabase();

let provider: EmbeddingsProvider;
let parley: Parley;

beforeAll(async () => {
  provider = await EmbeddingsProvider.start();
  provider.dimensions = 64;
  provider.meanings = meanings;
  await seedAgents(agents);
  parley = await start('m3');
  await waitFor(async () => (await search(parley, 'something else entirely')).semantic === 'on', {
    timeout: 60_000,
    what: 'the vectors',
  });
});
afterAll(async () => {
  await parley?.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.always = undefined;
});

function start(model: string, extra: Record<string, string> = {}): Promise<Parley> {
  const own = { EMBEDDINGS: 'on', EMBEDDINGS_URL: provider.url, EMBEDDINGS_MODEL: model };
  return startParley({ env: { ...own, ...extra } });
}

async function search({ url }: Parley, q: string): Promise<SearchPage> {
  const response = await fetch(`${url}/api/agents?q=${encodeURIComponent(q)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

test('a search finds agents by meaning, in any language that the provider reads', async () => {
  const page = await search(parley, 'so hungry today');
  expect(page.semantic).toBe('on');
  expect(page.items[0]?.name).toBe('Tortilla');
  provider.meanings = { ...meanings, steuern: 'taxes', freiberufler: 'freelancers' };
  expect((await search(parley, 'Steuern für Freiberufler')).items[0]?.name).toBe('Ledger');
});

test.each<[string, typeof provider.always]>([
  ['is silent', () => undefined],
  ['answers 429', (_request, response) => sendJson(response, 429, {})],
  [
    'answers with another length',
    (_request, response) => sendJson(response, 200, { data: [{ index: 0, embedding: [1, 2] }] }),
  ],
  ['closes the connection', (_request, response) => response.destroy()],
])('a search matches only words, within two seconds, if the provider %s', async (problem, misbehavior) => {
  provider.always = misbehavior;
  const startedAt = performance.now();
  const page = await search(parley, `freelancers and ${problem}`);
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  expect(page.semantic).toBe('unavailable');
  expect(page.items[0]?.name).toBe('Ledger');
  provider.always = undefined;
  expect((await search(parley, `declare what ${problem}`)).semantic).toBe('on');
});

test('a new model’s vectors are computed and replace the old ones while searches continue', async () => {
  const next = await start('m4', { APP_URL: parley.url });
  try {
    let searches = 0;
    const isActive = async (): Promise<boolean> => {
      for (const node of [parley, next]) {
        const page = await search(node, `declare my income number ${searches++}`);
        if (page.semantic === 'on') expect(page.items[0]?.name).toBe('Ledger');
      }
      const models = await query<{ name: string }>('active', `SELECT name FROM embedding_model WHERE state = 'active'`);
      return models[0]?.name === 'm4/r1';
    };
    await waitFor(isActive, { timeout: 60_000, what: 'the vectors' });
    await waitFor(async () => (await search(next, `a holiday ${searches++}`)).semantic === 'on', {
      timeout: 10_000,
      what: 'a comparison',
    });
    expect((await search(next, 'a holiday by rail')).items[0]?.name).toBe('Atlas');
  } finally {
    await next.stop();
  }
});

test('a provider that is down at startup is used as soon as it responds', { timeout: 90_000 }, async () => {
  provider.always = (_request, response) => sendJson(response, 500, {});
  const node = await start('m5', { APP_URL: parley.url });
  try {
    await waitFor(() => node.output().includes('embeddings.model_unavailable'), { what: 'the first attempt' });
    provider.always = undefined;
    const selectActive = `SELECT name FROM embedding_model WHERE state = 'active'`;
    const isActive = async (): Promise<boolean> =>
      (await query<{ name: string }>('active', selectActive))[0]?.name === 'm5/r1';
    await waitFor(isActive, { timeout: 60_000, what: 'the model to be active' });
    await waitFor(async () => (await search(node, 'something to eat')).semantic === 'on', { what: 'a comparison' });
  } finally {
    await node.stop();
  }
});
