import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { listAgent, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { type Account, copied, listed, newAccount, signInAs } from './people';

const pageSize = 24;
/** A tag of this run only, so that counts are independent of other listings. */
const tag = `fleet${randomUUID().slice(0, 6)}`;

let owner: Account;
let cards: CardServer;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Olive');
  const listings = Array.from({ length: pageSize + 6 }, (_, index) => ({
    name: `Fleet ${String(index + 1).padStart(2, '0')} ${tag}`,
    description: 'Keeps a fleet of lorries on the road.',
    tags: [tag, index % 2 === 0 ? `${tag}-even` : `${tag}-odd`],
    streaming: index % 3 === 0,
  }));
  for (const listing of listings) await list(listing);
  await list({
    name: 'Letter Translator',
    description: 'Turns letters and documents into another language.',
    tags: [`${tag}-translation`],
  });
});
test.afterAll(() => cards?.stop());

interface Listing {
  name: string;
  description?: string;
  tags?: string[];
  visibility?: string;
  streaming?: boolean;
}

async function list({ name, description = 'An agent of a test.', tags = [], visibility, streaming = true }: Listing) {
  const path = randomUUID();
  const change = { name, description, capabilities: { streaming }, securitySchemes: {}, securityRequirements: [] };
  cards.serve(path, cardV10(cards.base(path), change));
  const agent = { url: cards.base(path), tags, ...(visibility ? { visibility } : {}) };
  return listAgent(setting('parleyUrl'), owner, agent);
}

function names(page: Page): Promise<string[]> {
  return listed(page).getByRole('heading').allInnerTexts();
}

const total = (page: Page) => page.locator('#results');

test('the home page explains Parley and shows agents, and its search leads to the catalog', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Say what you need/);
  await expect(page.getByRole('region', { name: 'Top agents' }).getByRole('article')).toHaveCount(6);
  await page.getByRole('combobox', { name: 'What do you need done?' }).fill('profile a csv');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/agents?q=profile+a+csv');
  await expect(listed(page).first()).toContainText('CSV Analyst');
});

test('results update during typing, and both a query with a typo and one in plain language find the agent', async ({
  page,
}) => {
  await page.goto('/agents');
  const search = page.locator('main').getByLabel('Search agents');
  await search.pressSequentially('lettr trnslator');
  await expect(page).toHaveURL('/agents?q=lettr+trnslator');
  await expect(listed(page).first()).toContainText('Letter Translator');
  await expect(search).toBeFocused();
  await search.fill('who can turn my letters into another language?');
  await expect(page).toHaveURL(/q=who\+can/);
  await expect.poll(async () => (await names(page)).slice(0, 3)).toContain('Letter Translator');
});

test('each facet matches its count, and the URL alone restores three selected facets', async ({ page, browser }) => {
  await page.goto(`/agents?tag=${tag}`);
  await expect(total(page)).toHaveText('30 agents');
  const filters = page.getByRole('navigation', { name: 'Filters' });
  for (const facet of [`${tag}-even`, 'Streaming']) {
    const link = filters.getByRole('link', { name: facet });
    const [, count] = /,(\d+)agents?$/.exec((await link.textContent()) ?? '') ?? [];
    await link.click();
    await expect(filters.getByRole('link', { name: `${facet} , selected` })).toHaveAttribute('aria-current', 'true');
    await expect(total(page)).toHaveText(`${count} agents`);
  }
  await expect(page).toHaveURL(`/agents?tag=${tag}&tag=${tag}-even&capability=streaming`);
  await expect(listed(page)).toHaveCount(5);

  const url = page.url();
  const shown = await names(page);
  const other = await browser.newContext();
  const anonymousPage = await other.newPage();
  await anonymousPage.goto(url);
  expect(await names(anonymousPage)).toEqual(shown);
  await other.close();

  await page.getByRole('link', { name: `Remove filter: #${tag}-even` }).click();
  await expect(total(page)).toHaveText('10 agents');
  await page.goBack();
  await expect(total(page)).toHaveText('5 agents');
  expect(await names(page)).toEqual(shown);
});

test('sorting applies across pages, no agent is on two pages, and Back restores the list position', async ({
  page,
}) => {
  await page.goto(`/agents?tag=${tag}`);
  await page.getByRole('navigation', { name: 'Sort by' }).getByRole('link', { name: 'Name' }).click();
  await expect(page).toHaveURL(`/agents?tag=${tag}&sort=name`);
  await expect.poll(async () => (await names(page))[0]).toMatch(/^Fleet 01/);
  const first = await names(page);
  const pages = page.getByRole('navigation', { name: 'Pages of results' });
  await pages.getByRole('link', { name: 'Next' }).click();
  await expect(listed(page)).toHaveCount(6);
  expect([...first, ...(await names(page))]).toEqual(
    Array.from({ length: 30 }, (_, index) => `Fleet ${String(index + 1).padStart(2, '0')} ${tag}`),
  );
  await page.goBack();
  await expect(listed(page)).toHaveCount(pageSize);

  const card = listed(page).nth(20).getByRole('link');
  await card.scrollIntoViewIfNeeded();
  const scrollBefore = await page.evaluate(() => window.scrollY);
  expect(scrollBefore).toBeGreaterThan(0);
  await card.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Fleet 21/);
  await page.goBack();
  await expect(listed(page)).toHaveCount(pageSize);
  expect(await names(page)).toEqual(first);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(scrollBefore);
});

test('a description of a need finds a suitable agent', async ({ page }) => {
  // A node prepares its model a while after its start.
  const mode = async () => (await (await page.request.get('/api/status')).json()).search.mode;
  await expect.poll(mode, { timeout: 30_000 }).toBe('meaning');
  await page.goto('/agents');
  const box = page.getByRole('searchbox').first();
  await box.fill('put my note into German');
  await box.press('Enter');
  // Agents of other tests mention translation too, one of them in Japanese.
  const best = async (): Promise<string> => (await listed(page).allInnerTexts()).slice(0, 3).join('\n');
  await expect.poll(best).toMatch(/translat/i);
  await expectNoViolations(page, 'a search by meaning');
});

test('results that fit have no heading and name their skill, and those that might fit are separate', async ({
  page,
}) => {
  // While it is typed, a word is compared as written, so that the levels do not depend on other listings.
  await page.goto('/agents?q=profile+csv&typing=1');
  const analyst = listed(page).filter({ hasText: 'CSV Analyst' });
  await expect(analyst).toContainText('Matching skill: Chart a spreadsheet');
  await expect(page.getByRole('region', { name: 'Possible matches' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Closest matches' })).toHaveCount(0);

  await page.goto(`/agents?q=lorries&typing=1&tag=${tag}`);
  const possible = page.getByRole('region', { name: 'Possible matches' });
  await expect(possible.getByRole('article').first()).toContainText('Keeps a fleet of lorries on the road.');
  await expect(possible.getByRole('heading', { level: 4 })).toHaveCount(pageSize);
  await expect(total(page)).toHaveText('30 agents');
  await expectNoViolations(page, 'results that might fit');
});

test('a search without a match says so, shows the closest agents, and offers alternatives', async ({ page }) => {
  await page.goto(`/agents?q=%F0%9F%99%82&tag=${tag}`);
  await expect(total(page)).toHaveText('No agents match “🙂”');
  await expect(page.getByRole('region', { name: 'Closest matches' }).getByRole('article').first()).toBeVisible();
  await expect(page.getByText('Matching skill')).toHaveCount(0);
  await page.getByRole('link', { name: 'Search without filters' }).click();
  await expect(page).toHaveURL('/agents?q=%F0%9F%99%82');
  await expect(total(page)).toHaveText('No agents match “🙂”');
  const ways = page.getByRole('region', { name: 'Other ways to find an agent' });
  await expect(ways.getByRole('link', { name: 'Save this search' })).toBeVisible();
  await expectNoViolations(page, 'a search that nothing fits');
  await page.setViewportSize({ width: 1280, height: 800 });
  const browse = ways.getByRole('navigation', { name: 'Browse by tag' });
  await browse.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/agents\?tag=/);
  await expect(listed(page).first()).toBeVisible();
});

test('a word that is still being typed is matched as written, and a pause starts the search by meaning', async ({
  page,
}) => {
  await page.goto('/agents');
  await page.locator('main').getByLabel('Search agents').pressSequentially('xylophonequartz');
  await expect(total(page)).toHaveText('No agents match “xylophonequartz”');
  await expect(page).toHaveURL('/agents?q=xylophonequartz');
});

test.describe('the market without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('supports search, facets, pages, an agent, its filters on a phone and the theme', async ({ page }) => {
    await page.goto('/agents');
    await page.locator('main').getByLabel('Search agents').fill(tag);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/agents?q=${tag}`);
    await page
      .getByRole('navigation', { name: 'Filters' })
      .getByRole('link', { name: `${tag}-odd` })
      .click();
    await expect(total(page)).toHaveText('15 agents');
    await page.goto(`/agents?tag=${tag}&sort=name`);
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(listed(page)).toHaveCount(6);
    await listed(page).first().getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Fleet 25/);
    const overview = page.getByRole('region', { name: 'What it does' });
    await expect(overview.getByText('Keeps a fleet of lorries on the road.', { exact: true })).toBeVisible();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/agents');
    await page.locator('summary', { hasText: 'Filters' }).click();
    await expect(page.getByRole('link', { name: /^Streaming/ })).toBeVisible();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });
});

test('the agent page shows the function, data access and permissions, with examples to try', async ({ page }) => {
  await page.goto('/agents/analyst');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('CSV Analyst');
  const facts = page.getByRole('complementary', { name: 'Facts' });
  await expect(facts.getByTitle('Answers appear while they are being written.')).toHaveText('Streaming');
  await expect(facts).toContainText('CSV');
  await expect(page.locator('main header')).not.toContainText(/Streaming|analyst/);
  const tabs = page.getByRole('navigation', { name: 'Sections of this agent' });
  await tabs.getByRole('link', { name: 'Details' }).click();
  for (const name of ['Data & permissions', 'How the score is calculated', 'Agent card'])
    await expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  const card = JSON.parse(readFileSync(await download.path(), 'utf8')) as { name: string };
  expect(card.name).toBe('CSV Analyst');
  expect(JSON.parse(await copied(page, 'agent-card.json'))).toEqual(card);

  await tabs.getByRole('link', { name: 'Skills' }).click();
  await page.getByRole('link', { name: 'Profile the sample table' }).click();
  await expect(page.getByRole('textbox', { name: /^Your message/ })).toHaveValue('Profile the sample table');
});

test('the page’s curl lines call the agent when pasted into a shell', async ({ page }) => {
  test.skip(spawnSync('curl', ['--version']).status !== 0, 'no curl on this machine');
  await page.goto('/agents/analyst?tab=code');
  const lines: string[] = [];
  for (const label of ['Access token', 'Get a token for the agent', 'Send a message', 'Or stream the answer'])
    lines.push(await copied(page, label));
  const script = lines.join('\necho ----\n');
  const output = execFileSync('bash', ['-c', script], { input: `${owner.accessToken}\n`, encoding: 'utf8' });
  const [, , sent = '', streamed = ''] = output.split('----\n');
  expect(JSON.parse(sent)).toMatchObject({
    jsonrpc: '2.0',
    result: { task: { status: { state: expect.any(String) } } },
  });
  expect(streamed).toContain('data: {"jsonrpc":"2.0"');
  expect(streamed).toMatch(/"state":"TASK_STATE_(COMPLETED|INPUT_REQUIRED)"/);
});

test('an agent is available as a page, as JSON and as a card, each with its own media type', async ({ request }) => {
  const page = await request.get('/agents/pizzeria');
  expect(page.headers()['content-type']).toContain('text/html');
  expect(await page.text()).toContain('Trattoria Parley');
  const json = await request.get('/api/agents/pizzeria');
  expect(json.headers()['content-type']).toContain('application/json');
  expect(await json.json()).toMatchObject({ slug: 'pizzeria', name: 'Trattoria Parley', status: 'active' });
  const card = await request.get('/agents/pizzeria/.well-known/agent-card.json');
  expect(card.headers()['content-type']).toContain('application/json');
  expect(await card.json()).toMatchObject({ name: 'Trattoria Parley' });
});

test.describe('a missing market page', () => {
  test.use({ expectedErrors: [/404|410/] });

  test('returns 404 for an unknown URL and 410 for a withdrawn agent, which no list contains', async ({ page }) => {
    const missing = await page.goto('/agents/no-such-agent');
    expect(missing?.status()).toBe(404);
    await expect(page.getByText('Page not found')).toBeVisible();
    await page.getByRole('link', { name: 'Browse agents' }).click();
    await expect(page).toHaveURL('/agents');

    const slug = await list({ name: `Bygone ${tag}` });
    const url = setting('parleyUrl');
    await send(`${url}/api/agents/${slug}`, { method: 'DELETE', bearer: owner.accessToken });
    const gone = await page.goto(`/agents/${slug}`);
    expect(gone?.status()).toBe(410);
    await expect(page.getByRole('heading', { level: 2, name: 'This agent was withdrawn' })).toBeVisible();
    await page.goto(`/agents?q=Bygone+${tag}`);
    await expect(listed(page).filter({ hasText: 'Bygone' })).toHaveCount(0);
  });

  test('is shown to other users for a private agent, which the search omits', async ({ page }) => {
    const slug = await list({ name: `Secretive ${tag}`, visibility: 'private' });
    const hidden = await page.goto(`/agents/${slug}`);
    expect(hidden?.status()).toBe(404);
    const words = (await page.locator('main').textContent()) ?? '';
    await page.goto('/agents/no-such-agent');
    expect(await page.locator('main').textContent()).toBe(words);
    await page.goto(`/agents?q=Secretive`);
    await expect(listed(page).filter({ hasText: 'Secretive' })).toHaveCount(0);

    await signInAs(page, owner);
    const own = await page.goto(`/agents/${slug}`);
    expect(own?.status()).toBe(200);
    await expect(page.getByText('Private', { exact: true })).toBeVisible();
  });
});

for (const [chosen, system] of [
  ['dark', 'light'],
  ['light', 'dark'],
] as const) {
  test(`the ${chosen} theme on a ${system} device is applied in the first frame and stays`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: system });
    await page.goto('/');
    await page.getByRole('button', { name: `${chosen === 'dark' ? 'Dark' : 'Light'} theme` }).click();
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.addInitScript(() => {
      const frames: string[] = [];
      Object.assign(window, { frames });
      requestAnimationFrame(function note() {
        frames.push(getComputedStyle(document.body).backgroundColor);
        requestAnimationFrame(note);
      });
    });
    for (let reload = 0; reload < 3; reload++) {
      await page.reload();
      await expect.poll(() => page.evaluate<number>('frames.length')).toBeGreaterThan(5);
      expect(await page.evaluate<string[]>('[...new Set(frames)]')).toEqual([background]);
    }
    await page.getByRole('link', { name: 'Browse all' }).click();
    await expect(page).toHaveURL('/agents');
    expect(await page.evaluate<string[]>('[...new Set(frames)]')).toEqual([background]);
  });
}
