import type { Page } from '@playwright/test';
import { ScriptedAgent } from '../../fakes/scripted-agent';
import { listAgent } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { type Parley, startParley } from '../../support/parley';
import { expectNoViolations } from '../expect-no-violations';
import { type Account, newAccount, setEmail, signInAs } from '../people';

test.describe.configure({ mode: 'serial' });

const moderatorEmail = 'moderator-23@example.test';
let parley: Parley;
let agent: ScriptedAgent;
let owner: Account;
let judge: Account;
let slug: string;

test.beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Questionable Deals' });
  parley = await startParley({
    env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ADMIN_EMAILS: moderatorEmail },
  });
  owner = await newAccount('Olive', parley);
  judge = await newAccount('Judith', parley);
  await setEmail(judge, moderatorEmail, parley);
  slug = await listAgent(parley.url, owner, { url: agent.url });
});
test.afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

const as = (page: Page, person: Account): Promise<void> => signInAs(page, person, parley);

test('an anonymous user can report illegal content in three steps and gets a receipt', async ({ page }) => {
  await page.goto(`${parley.url}/agents/${slug}`);
  await page.getByRole('link', { name: 'Report this agent' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Report an agent' })).toBeVisible();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Choose a reason.')).toBeVisible();
  await expect(page.getByLabel('Illegal content')).toBeFocused();
  await expectNoViolations(page, 'a report without a reason');
  await page.getByLabel('Illegal content').check();
  await page.getByLabel(/Details/).fill('It sells what is forbidden.');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page).toHaveURL(/\/reports\/rpt_/);
  await expect(page.locator('main')).toContainText('Questionable Deals');
  await expect(page.locator('main')).toContainText('Open');
});

test.describe('a user who is not a moderator', () => {
  test.use({ expectedErrors: [/404/] });

  test('cannot find the moderation queue', async ({ page }) => {
    expect((await page.goto(`${parley.url}/admin`))?.status()).toBe(404);
    await as(page, owner);
    expect((await page.goto(`${parley.url}/admin`))?.status()).toBe(404);
  });
});

test('a moderator can read the evidence and remove the agent', async ({ page }) => {
  await as(page, judge);
  await page.goto(`${parley.url}/admin`);
  const filter = page.getByRole('form', { name: 'Filter cases' });
  await filter.getByRole('searchbox', { name: 'Search' }).fill('no such case');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('heading', { name: 'No matching cases' })).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await filter.getByRole('searchbox', { name: 'Search' }).fill('forbidden');
  await filter.getByLabel('Reason').selectOption('Illegal content');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/q=forbidden/);
  await page.getByRole('link', { name: 'Questionable Deals' }).click();
  await expect(page.locator('main')).toContainText('It sells what is forbidden.');
  await expect(page.locator('main')).toContainText(agent.url);
  await page.getByLabel('Take down').check();
  await page.getByLabel(/Reason/).selectOption('illegal');
  await page.getByLabel(/Message to the owner/).fill('Forbidden goods.');
  await page.getByRole('button', { name: 'Save decision' }).click();
  await expect(page.locator('main')).toContainText('Taken down');
});

test('a moderator can read the activity, including as a table', async ({ page }) => {
  await as(page, judge);
  for (const path of ['/admin', '/admin/activity']) {
    await page.goto(`${parley.url}${path}`);
    await expectNoViolations(page, path);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator('dl').first()).toContainText('Takedowns1');
  await page.getByText('View as table').click();
  const week = page
    .getByRole('table', { name: /^Decisions per week/ })
    .getByRole('row')
    .nth(1);
  await expect(week).toContainText(/1.*1/);
  await page.getByRole('link', { name: 'Questionable Deals' }).click();
  await expect(page).toHaveURL(/\/admin\/cases\/mod_/);
});

test.describe('a removed agent', () => {
  test.use({ expectedErrors: [/404|410/] });

  test('returns 410 with the reason on its page, and is omitted from every list', async ({ page }) => {
    const gone = await page.goto(`${parley.url}/agents/${slug}`);
    expect(gone?.status()).toBe(410);
    await expect(page.getByRole('heading', { level: 2, name: 'Moderators took down this agent' })).toBeVisible();
    await page.goto(`${parley.url}/agents?q=Questionable`);
    await expect(page.locator('main')).toBeVisible();
    await expect(page.locator('main article').filter({ hasText: 'Questionable Deals' })).toHaveCount(0);
  });
});

test('an owner can read the reason and appeal, and a moderator can restore the agent', async ({ page, browser }) => {
  await as(page, owner);
  await page.goto(`${parley.url}/agents/${slug}`);
  await page.getByRole('link', { name: 'See the reason and appeal' }).click();
  await expect(page.locator('main')).toContainText('Forbidden goods.');
  await page.getByLabel('Your explanation').fill('They are toys.');
  await page.getByRole('button', { name: 'Send appeal' }).click();
  await expect(page.locator('main')).toContainText('Your appeal');
  await expect(page.getByRole('button', { name: 'Send appeal' })).toHaveCount(0);

  const other = await (await browser.newContext()).newPage();
  await as(other, judge);
  await other.goto(`${parley.url}/admin?state=appealed`);
  await other.getByRole('link', { name: 'Questionable Deals' }).click();
  await expect(other.locator('main')).toContainText('They are toys.');
  await other.getByLabel('Restore').check();
  await other.getByRole('button', { name: 'Save decision' }).click();
  await expect(other.locator('main')).toContainText('Restored');
  await other.context().close();

  await page.context().clearCookies();
  expect((await page.goto(`${parley.url}/agents/${slug}`))?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Questionable Deals');
});

test('only a moderator finds Admin in the account menu and in the palette', async ({ page }) => {
  const search = page.getByRole('combobox', { name: /^Search agents, conversations/ });
  const lookFor = async (count: number): Promise<void> => {
    await page.goto(`${parley.url}/docs`);
    await page.getByRole('button', { name: /^Account menu for/ }).click();
    await expect(page.getByRole('link', { name: 'Admin', exact: true })).toHaveCount(count);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await search.fill('moderation');
    await expect(page.getByRole('option', { name: 'Admin', exact: true })).toHaveCount(count);
    await page.keyboard.press('Escape');
  };
  await as(page, judge);
  await lookFor(1);
  await as(page, owner);
  await lookFor(0);
});
