import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, listAgent, message03, rpc } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

const tabs = ['Overview', 'Skills', 'Reviews', 'Connect', 'Details'];

let agent: ScriptedAgent;
let owner: Account;
let slug: string;

test.beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Exhibitor' });
  agent.answer(({ result, end }) => {
    const id = newUuid();
    result(agent03.status(id, 'working'));
    result(agent03.artifact(id, 'Your table is booked, **7 pm**. Write to ada@example.org.'));
    result(agent03.status(id, 'completed'));
    end();
  });
  owner = await newAccount('Olga');
  slug = await listAgent(setting('parleyUrl'), owner, { url: agent.url });
});
test.afterAll(() => agent?.stop());

test('every agent page tab has a URL and one canonical page, and marks the current location', async ({ page }) => {
  await page.goto('/agents/pizzeria');
  const nav = page.getByRole('navigation', { name: 'Sections of this agent' });
  for (const name of tabs) {
    await nav.getByRole('link', { name }).click();
    await expect(nav.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/agents\/pizzeria$/);
    await expect(page.getByRole('heading', { level: 2, name: 'Try it' })).toBeVisible();
  }
  await expect(page).toHaveURL('/agents/pizzeria?tab=details');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 2, name: 'Use from code' })).toBeVisible();
});

test('an agent’s key figures are next to its name', async ({ page }) => {
  await page.goto('/agents/pizzeria');
  const figures = page.locator('main dl').first();
  for (const name of ['Price', 'Rating', 'Users', 'Task success']) {
    await expect(figures.getByText(name, { exact: true })).toBeInViewport();
  }
});

test('values that an agent does not have are not shown', async ({ page }) => {
  await page.goto(`/agents/${slug}`);
  await expect(page.getByRole('heading', { level: 2, name: 'Reliability' })).toBeVisible();
  for (const name of ['Price', 'Rating', 'Users', 'Task success']) {
    await expect(page.getByRole('main').getByText(name, { exact: true })).toHaveCount(0);
  }
  await expect(page.getByRole('main').getByText('–', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('img', { name: /^Uptime on/ })).toHaveCount(0);
});

test('the overview shows the function, an example, the skills and the reliability, in this order', async ({ page }) => {
  // The demo publishes the example after the server is ready.
  await expect(async () => {
    await page.goto('/agents/analyst');
    await expect(page.getByRole('group', { name: 'Example conversation' })).toContainText('Profile', {
      timeout: 1_000,
    });
  }).toPass();
  const headings = page.locator('#tab').getByRole('heading', { level: 2 });
  await expect(headings).toHaveText(['What it does', 'Example conversation', 'What you can ask for', 'Reliability']);
  const skills = page.getByRole('region', { name: 'What you can ask for' });
  await skills.getByRole('link', { name: 'Profile the sample table' }).click();
  await expect(page.getByRole('region', { name: 'Try it' })).toContainText(/Profile of|columns/, { timeout: 20_000 });
  await skills.getByRole('link', { name: /skill/ }).click();
  await expect(page).toHaveURL(/\?tab=skills/);
});

test('anchors in earlier links lead to the tab with their section', async ({ page }) => {
  for (const [anchor, tab, heading] of [
    ['card', '?tab=details', 'Agent card'],
    ['reviews', '?tab=reviews', 'Reviews'],
    ['call', '?tab=code', 'Use from code'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`/agents/pizzeria#${anchor}`);
    await expect(page).toHaveURL(`/agents/pizzeria${tab}#${anchor}`);
    await expect(page.getByRole('heading', { level: 2, name: heading })).toBeInViewport();
  }
});

test.describe('the agent page without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('shows every tab’s content', async ({ page }) => {
    for (const [tab, heading] of [
      ['skills', 'Skills'],
      ['reviews', 'Reviews'],
      ['code', 'Use from code'],
      ['details', 'Data & permissions'],
      ['no-such-tab', 'What it does'],
    ]) {
      await page.goto(`/agents/pizzeria?tab=${tab}`);
      await expect(page.getByRole('heading', { level: 2, name: heading })).toBeVisible();
    }
  });
});

test('the right column is used on a wide screen, and moves below the tab on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/agents/pizzeria');
  const main = (await page.getByRole('heading', { name: 'What it does' }).boundingBox()) ?? { x: 0, y: 0 };
  const wide = (await page.locator('#try').boundingBox()) ?? { x: 0, y: 0 };
  expect(wide.x).toBeGreaterThan(main.x + 400);
  await page.setViewportSize({ width: 360, height: 740 });
  const narrow = (await page.locator('#try').boundingBox()) ?? { x: 999, y: 0 };
  expect(narrow.x).toBeLessThan(60);
});

test('an owner chooses, reviews, publishes and removes an example, which visitors see first', async ({
  page,
  browser,
}) => {
  await rpc(await connectTo(setting('parleyUrl'), owner, slug), 'message/send', message03('A table for two, please.'));
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/agents/${slug}`);
  await expect(visitor.getByRole('heading', { name: 'Example conversation' })).toHaveCount(0);

  await signInAs(page, owner);
  await page.goto(`/agents/${slug}`);
  await page.getByRole('button', { name: 'Choose an example' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /A table for two/ }).click();
  await expect(dialog.getByLabel('Agent’s answer')).toHaveValue(/Write to \[e-?mail\]/);
  await dialog.getByLabel('Your message').fill('A table for four, please.');
  await dialog.getByRole('button', { name: 'Publish example' }).click();
  await expect(page.getByText('Example published.').last()).toBeVisible();
  const talk = page.getByRole('group', { name: 'Example conversation' });
  await expect(talk).toContainText('A table for four, please.');
  await expect(talk.locator('strong')).toHaveText('7 pm');
  await expectNoViolations(page, 'an agent with an example');

  await visitor.reload();
  await expect(visitor.getByRole('group', { name: 'Example conversation' })).toBeInViewport();
  await expect(visitor.getByRole('button', { name: 'Replace' })).toHaveCount(0);
  await visitor.getByRole('link', { name: 'Report this example conversation' }).click();
  await expect(visitor.getByRole('heading', { name: 'Report an example conversation' })).toBeVisible();
  await visitor.context().close();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Example removed.').last()).toBeVisible();
  await expect(talk).toHaveCount(0);
});

test('hints for owners are shown only to owners', async ({ page, browser }) => {
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/agents/${slug}?tab=details`);
  await expect(visitor.getByText('How to improve')).toHaveCount(0);
  await visitor.context().close();
  await signInAs(page, owner);
  await page.goto(`/agents/${slug}?tab=details`);
  await waitForScore(page);
});

async function waitForScore(page: import('@playwright/test').Page): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('How to improve').first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 90_000 });
}

test('every agent page tab passes axe', async ({ page }) => {
  for (const tab of ['overview', 'skills', 'reviews', 'code', 'details']) {
    await page.goto(`/agents/analyst?tab=${tab}`);
    await expectNoViolations(page, `the tab ${tab}`, { colors: 'light' });
  }
});
