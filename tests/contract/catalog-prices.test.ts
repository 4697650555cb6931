import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchPage, SearchResult } from '@/lib/discovery/schema';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const ap2 = { uri: 'https://github.com/google-agentic-commerce/ap2/tree/v0.1', required: false };
const skill = (id: string) => ({ id, name: id, description: 'It does this.', tags: ['pricing'] });

let parley: SharedParley;
let cards: CardServer;
let ada: Person;
/** Slugs of the listed agents, by name. */
const slugs: Record<string, string> = {};

beforeAll(async () => {
  parley = await sharedParley();
  cards = await CardServer.start();
  ada = await createPerson(parley.url, 'Ada');
  await list('Gift', { prices: [price('one', 0), price('two', 0)] });
  await list('Half gift', { prices: [price('one', 0)] });
  await list('Stall', { prices: [price('one', 950), price('two', 200)], pays: true });
  await list('Haggler', { pays: true });
  await list('Silent', {});
});
afterAll(() => cards?.stop());

function price(skillId: string, amount: number): object {
  return { skillId, amount, currency: 'EUR' };
}

async function list(name: string, { prices = [], pays = false }: { prices?: object[]; pays?: boolean }): Promise<void> {
  const capabilities = { streaming: true, extensions: pays ? [ap2] : [] };
  const path = name.toLowerCase().replace(' ', '-');
  const card = cardV10(cards.base(path), { name, capabilities, skills: [skill('one'), skill('two')] });
  slugs[name] = await listAgent(parley.url, ada, { url: cards.serve(path, card) });
  await state(name, prices);
}

async function state(name: string, prices: object[]): Promise<void> {
  const options = { method: 'PATCH', body: { prices }, bearer: ada.accessToken };
  expect((await send(`${parley.url}/api/agents/${slugs[name]}`, options)).status).toBe(200);
}

async function search(query: string): Promise<SearchPage> {
  const response = await send(`${parley.url}/api/agents?${query}`, {});
  expect(response.status).toBe(200);
  return (await response.json()) as SearchPage;
}

async function priced(query: string): Promise<Record<string, SearchResult['price']>> {
  const { items } = await search(`${query}&limit=100`);
  return Object.fromEntries(items.map(({ name, price }) => [name, price]));
}

const nothing = { amount: null, currency: null, unit: null, per: null };

test('a listed agent shows the price stated by its team, or that no price is stated', async () => {
  expect(await priced('')).toEqual({
    Gift: { kind: 'free', amount: 0, currency: 'EUR', unit: 'task', per: null },
    'Half gift': { kind: 'unstated', ...nothing },
    Stall: { kind: 'from', amount: 200, currency: 'EUR', unit: 'task', per: null },
    Haggler: { kind: 'in_chat', ...nothing },
    Silent: { kind: 'unstated', ...nothing },
  });
});

test('the filters "free" and "paid" find agents by their stated price, and facets count them', async () => {
  expect(Object.keys(await priced('price=free'))).toEqual(['Gift']);
  expect(Object.keys(await priced('price=paid')).sort()).toEqual(['Haggler', 'Stall']);
  const { facets, total } = await search('q=pricing');
  expect(total).toBe(5);
  expect(facets.price).toEqual([
    { value: 'paid', count: 2 },
    { value: 'free', count: 1 },
  ]);
  expect((await search('q=pricing&price=free')).total).toBe(1);
});

test('a changed price is listed immediately, and matches the agent’s own page', async () => {
  await state('Silent', [price('two', 5)]);
  const from = { kind: 'from', amount: 5, currency: 'EUR', unit: 'task', per: null };
  expect((await priced('q=silent')).Silent).toEqual(from);
  const one = await (await send(`${parley.url}/api/agents/${slugs.Silent}`, {})).json();
  expect(one.price).toEqual(from);
  await state('Silent', []);
  expect((await priced('q=silent')).Silent).toEqual({ kind: 'unstated', ...nothing });
});

test('a listed agent shows its usage data, and no presence if it has a public URL', async () => {
  const { items } = await search('q=gift');
  expect(items[0]).toMatchObject({ online: null, presence: null, standing: { users: 0, success: null } });
});
