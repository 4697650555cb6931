import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { SearchPage } from '@/lib/discovery/schema';
import { CardServer } from '../../fakes/card-server';
import { cardV10 } from '../../fakes/cards';
import { listAgent } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { type Account, listed, newAccount } from '../people';

/** A tag of this run only, so that counts are independent of other listings. */
const tag = `harbour${randomUUID().slice(0, 6)}`;
const listings = 28;

let cards: CardServer;
let owner: Account;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Hanna');
  for (let at = 0; at < listings; at++) {
    await list({
      name: `Harbour ${String(at + 1).padStart(2, '0')} ${tag}`,
      streaming: at % 2 === 0,
      pays: at % 4 === 0,
    });
  }
  await list({ name: 'Tide Interpreter', description: `Translates tide tables into plain words. ${tag}` });
});
test.afterAll(() => cards?.stop());

interface Listing {
  name: string;
  description?: string;
  streaming?: boolean;
  pays?: boolean;
}

async function list({ name, description = 'Keeps a harbour in order.', streaming = false, pays = false }: Listing) {
  const path = randomUUID();
  const extensions = pays ? [{ uri: 'https://github.com/google-agentic-commerce/ap2/tree/v0.1', required: false }] : [];
  const capabilities = { streaming, extensions };
  const change = { name, description, capabilities, securitySchemes: {}, securityRequirements: [] };
  cards.serve(path, cardV10(cards.base(path), change));
  return listAgent(setting('parleyUrl'), owner, { url: cards.base(path), tags: [tag] } as { url: string });
}

const names = (page: Page): Promise<string[]> => listed(page).getByRole('heading').allInnerTexts();
const total = (page: Page): Locator => page.locator('#results');
const search = (page: Page): Locator => page.locator('main').getByLabel('Search agents');

test('three filters and a sort order are in the URL, match their counts, and match the API', async ({
  page,
  browser,
}) => {
  await page.goto(`/agents?tag=${tag}`);
  await expect(total(page)).toHaveText(`${listings + 1} agents`);
  const filters = page.getByRole('navigation', { name: 'Filters' });
  for (const facet of ['Streaming', 'Takes payments', 'Last 7 days']) {
    const link = filters.getByRole('link', { name: facet }).last();
    const [, count] = /,(\d+)agents?$/.exec((await link.textContent()) ?? '') ?? [];
    await link.click();
    await expect(filters.getByRole('link', { name: `${facet} , selected` }).first()).toBeVisible();
    await expect(total(page)).toHaveText(`${count} agents`);
  }
  await page.getByRole('navigation', { name: 'Sort by' }).getByRole('link', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=name/);
  await expect.poll(async () => (await names(page))[0]).toMatch(/^Harbour 01/);
  const shown = await names(page);
  expect(shown).toHaveLength(7);

  const query = new URL(page.url()).search;
  const anonymousPage = await browser.newPage();
  await anonymousPage.goto(page.url());
  expect(await names(anonymousPage)).toEqual(shown);
  await anonymousPage.close();
  const response = await page.request.get(`/api/agents${query}`);
  const { items, total: counted } = (await response.json()) as SearchPage;
  expect(items.map(({ name }) => name)).toEqual(shown);
  expect(counted).toBe(shown.length);
});

test('Back restores the list, the scroll position and the focus', async ({ page }) => {
  await page.goto(`/agents?tag=${tag}&sort=name`);
  const first = await names(page);
  const card = listed(page).nth(20).getByRole('link');
  await card.scrollIntoViewIfNeeded();
  const scrollBefore = await page.evaluate(() => window.scrollY);
  expect(scrollBefore).toBeGreaterThan(0);
  await card.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Harbour 21/);
  await page.goBack();
  await expect(listed(page)).toHaveCount(24);
  expect(await names(page)).toEqual(first);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollBefore);
  await expect(listed(page).nth(20).getByRole('link')).toBeFocused();
});

test('a query with a typo and one in plain language both find the agent in the top three, and an empty result offers alternatives', async ({
  page,
}) => {
  await page.goto('/agents');
  await search(page).fill('tide interpretr');
  await expect.poll(async () => (await names(page)).slice(0, 3)).toContain('Tide Interpreter');
  await search(page).fill('who explains tide tables to me in plain words?');
  await expect(page).toHaveURL(/q=who\+explains/);
  await expect.poll(async () => (await names(page)).slice(0, 3)).toContain('Tide Interpreter');

  await page.goto(`/agents?q=tide&tag=${tag}&rating=4`);
  await expect(page.getByRole('heading', { name: 'No matching agents' })).toBeVisible();
  await page.getByRole('link', { name: 'Search without filters' }).click();
  await expect(listed(page).first()).toBeVisible();
  await expect(page).toHaveURL('/agents?q=tide');
});
