import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { listAgent, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { type Account, listed, newAccount, signInAs } from './people';

/** A tag of this run only, so that counts are independent of other listings. */
const tag = `loom${randomUUID().slice(0, 6)}`;
const names = ['Warp', 'Weft', 'Shuttle', 'Heddle'].map((name) => `${name} ${tag}`);

let cards: CardServer;
let owner: Account;
/** Slugs by the first word of the name. */
const slugs: Record<string, string> = {};

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Wilma');
  for (const name of names) await list(name);
  await state('Warp', 0);
  await state('Weft', 200);
  await list(`Secret ${tag}`, 'private');
});
test.afterAll(() => cards?.stop());

async function list(name: string, visibility = 'public'): Promise<void> {
  const path = randomUUID();
  const skills = [{ id: 'weave', name: `Weave ${name}`, description: 'Weaves cloth from yarn.', tags: [tag] }];
  const pays = name.startsWith('Shuttle');
  const ap2 = { uri: 'https://github.com/google-agentic-commerce/ap2/tree/v0.1', required: false };
  const capabilities = { streaming: !pays, extensions: pays ? [ap2] : [] };
  const change = { name, skills, capabilities, securitySchemes: {}, securityRequirements: [] };
  cards.serve(path, cardV10(cards.base(path), change));
  slugs[name.split(' ')[0] ?? ''] = await listAgent(setting('parleyUrl'), owner, { url: cards.base(path), visibility });
}

async function state(name: string, amount: number): Promise<void> {
  const body = { prices: [{ skillId: 'weave', amount, currency: 'EUR' }] };
  const url = `${setting('parleyUrl')}/api/agents/${slugs[name]}`;
  expect((await send(url, { method: 'PATCH', body, bearer: owner.accessToken })).status).toBe(200);
}

const cardOf = (page: Page, name: string) => listed(page).filter({ hasText: `${name} ${tag}` });
const chosen = (page: Page) => page.getByRole('complementary', { name: 'Agents to compare' });

test('each card shows the stated price or none, and the filter finds free agents', async ({ page }) => {
  await page.goto(`/agents?tag=${tag}`);
  await expect(cardOf(page, 'Warp')).toContainText('Free');
  await expect(cardOf(page, 'Weft')).toContainText('From €2 per task');
  await expect(cardOf(page, 'Shuttle')).toContainText('Price given in chat');
  await expect(cardOf(page, 'Heddle')).not.toContainText('Price');
  await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Free' }).click();
  await expect(page).toHaveURL(/price=free/);
  await expect(listed(page)).toHaveCount(1);
  await expect(cardOf(page, 'Warp')).toBeVisible();
});

test('an owner marks all skills as free with one button', async ({ page }) => {
  await signInAs(page, owner);
  await page.goto(`/console/agents/${slugs.Heddle}/settings`);
  const prices = page.getByRole('region', { name: 'Prices' });
  await prices.getByRole('button', { name: 'All skills are free' }).click();
  await prices.getByRole('button', { name: 'Save prices' }).click();
  await expect(page.getByText('Prices saved.').last()).toBeVisible();
  await page.goto(`/agents?tag=${tag}`);
  await expect(cardOf(page, 'Heddle')).toContainText('Free');
});

test('a visitor can choose up to three agents on cards and compare them at a URL that others can open', async ({
  page,
  browser,
}) => {
  await page.goto(`/agents?tag=${tag}&sort=name`);
  for (const name of ['Warp', 'Weft', 'Shuttle']) {
    await page.getByRole('checkbox', { name: `Compare ${name} ${tag}` }).check();
  }
  await page.getByRole('checkbox', { name: `Compare Heddle ${tag}` }).click({ force: true });
  await expect(page.getByRole('checkbox', { name: `Compare Heddle ${tag}` })).not.toBeChecked();
  await expect(chosen(page).getByRole('listitem')).toHaveCount(3);
  await expectNoViolations(page, 'catalog with chosen agents');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await expect(chosen(page).getByRole('listitem')).toHaveCount(3);
  await chosen(page).getByRole('link', { name: 'Compare 3 agents' }).click();
  await expect(page).toHaveURL(`/compare?agents=${slugs.Warp},${slugs.Weft},${slugs.Shuttle}`);

  const other = await (await browser.newContext()).newPage();
  await other.goto(page.url());
  await expect(other.getByRole('columnheader', { name: new RegExp(`Weft ${tag}`) })).toBeVisible();
  const price = other.getByRole('row', { name: /^Price/ });
  const scores = await other
    .getByRole('row', { name: /^Score\b/ })
    .first()
    .getByRole('cell')
    .allTextContents();
  expect(scores.filter((text) => !/\d\/100$|^Unknown$/.test(text))).toEqual([]);
  await expect(price.getByRole('cell')).toHaveText(['Free', 'From €2 per task', 'Price given in chat']);
  await expect(price.getByRole('rowheader')).toHaveText('Price (differs)');
  await expect(other.getByRole('row', { name: /^Users/ }).getByRole('rowheader')).toHaveText('Users, 30 days');
  await other.getByRole('link', { name: 'Show only differences' }).click();
  await expect(other.getByRole('row', { name: /^Users/ })).toHaveCount(0);
  await expect(price).toBeVisible();
  await other.getByRole('link', { name: `Remove Weft ${tag} from the comparison` }).click();
  await expect(other).toHaveURL(`/compare?agents=${slugs.Warp},${slugs.Shuttle}`);
  await other.context().close();
});

test('a comparison treats unknown and private agents alike, and shows private agents to their team', async ({
  page,
}) => {
  const path = `/compare?agents=${slugs.Warp},no-such-agent,${slugs.Secret}`;
  expect((await page.goto(path))?.status()).toBe(200);
  await expect(
    page.getByText(`These agents don’t exist, or you don’t have access to them: “no-such-agent, ${slugs.Secret}”`),
  ).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveCount(1);
  await signInAs(page, owner);
  await page.goto(path);
  await expect(page.getByRole('columnheader', { name: new RegExp(`Secret ${tag}`) })).toBeVisible();
  await page.goto('/compare');
  await expect(page.getByRole('heading', { name: 'Nothing to compare yet' })).toBeVisible();
  await page.goto(`/compare?agents=a,b,c,d`);
  await expect(page.getByText('You can compare up to 3 agents. Left out: d.')).toBeVisible();
});

test('the comparison scrolls in its own frame on a phone, keeps row names in view, and passes axe', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/compare?agents=${slugs.Warp},${slugs.Weft},${slugs.Shuttle}`);
  const frame = page.getByRole('group', { name: 'Agent comparison' });
  await frame.focus();
  for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => frame.evaluate((element) => element.scrollLeft)).toBeGreaterThan(100);
  await expect(page.getByRole('rowheader', { name: /^Price/ })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await expectNoViolations(page, 'comparison');
});

test.describe('the comparison without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('shows the agents chosen on a page', async ({ page }) => {
    await page.goto(`/agents?tag=${tag}`);
    for (const name of ['Warp', 'Weft']) await page.getByRole('checkbox', { name: `Compare ${name} ${tag}` }).check();
    await page.getByRole('button', { name: 'Compare selected agents' }).click();
    await expect(page.getByRole('columnheader')).toHaveCount(2);
  });
});
