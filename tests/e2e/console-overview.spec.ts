import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { connectTo, listAgent, message03, rpc } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;
let cards: CardServer;
let slugs: string[];
const mark = randomUUID().slice(0, 8);

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Fay');
  slugs = [];
  for (let index = 1; index <= 23; index += 1) {
    const path = randomUUID();
    cards.serve(path, cardV10(cards.base(path), { name: `Figure ${index} ${mark}` }));
    slugs.push(await listAgent(setting('parleyUrl'), owner, { url: cards.base(path) }));
  }
  await addTraffic(slugs.at(-1) ?? '');
});
test.afterAll(() => cards?.stop());
test.beforeEach(({ page }) => signInAs(page, owner));

/** Inserts 1,200 calls of this hour, 60 of them failed, by 40 users, and 600 of eight days ago by 20. */
async function addTraffic(slug: string): Promise<void> {
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  const periods = `agent a, (VALUES (0, 2), (24 * 8, 1)) AS h(ago, size)`;
  const hour = `date_trunc('hour', now(), 'UTC') - h.ago * interval '1 hour'`;
  await client.query(
    `INSERT INTO agent_call_hour (agent_id, hour, bucket, calls)
     SELECT a.id, ${hour}, b.bucket, b.calls * h.size FROM ${periods}, (VALUES (0, 30), (56, 570)) AS b(bucket, calls)
     WHERE a.slug = $1`,
    [slug],
  );
  await client.query(
    `INSERT INTO agent_caller_hour (agent_id, hour, caller)
     SELECT a.id, ${hour}, 'user' || n FROM ${periods}, generate_series(1, 20 * h.size) AS n WHERE a.slug = $1`,
    [slug],
  );
  await client.query(
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, caller, code, message, task_id)
     SELECT 'call_' || left(md5(a.id || n), 20), a.id, now() - n * interval '20 seconds', 200, 'message/send', '1.0 JSONRPC',
       'req_' || n || md5(a.id), 'user' || n % 20 || md5(a.id), CASE WHEN n % 20 = 0 THEN 'agent_timeout' END,
       CASE WHEN n % 20 = 0 THEN 'It took too long.' END, 'task-' || n
     FROM agent a, generate_series(1, 120) AS n WHERE a.slug = $1`,
    [slug],
  );
  await client.end();
}

test('the console opens with figures and their changes, and lists agents in pages that a search narrows', async ({
  page,
}) => {
  await page.goto('/console');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
  const figures = page.getByRole('main').locator('dl').first();
  await expect(figures).toContainText('Calls1,200↑ Up 100%');
  await expect(figures).toContainText('Success rate95%No change');
  await expect(figures).toContainText('Users40↑ Up 100%');
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '30 days' }).click();
  await expect(figures).toContainText('Calls1,800New');
  await page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '24 hours' }).click();
  await expect(page).toHaveURL(/range=24h/);
  await expect(figures).toContainText('Calls1,200New');

  const agents = page.getByRole('region', { name: 'Your agents (23)' });
  const rows = agents.getByRole('listitem').filter({ has: page.getByRole('link', { name: /figure \d/i }) });
  await expect(rows).toHaveCount(20);
  await agents.getByRole('link', { name: 'Next page' }).click();
  await expect(rows).toHaveCount(3);
  await agents.getByRole('searchbox', { name: 'Search your agents' }).fill(`figure 23 ${mark}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/range=24h/);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Calls1.2K');
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await expectNoViolations(page, 'the overview of the console');
  await agents.getByRole('searchbox').fill('no such agent');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No matching agents' })).toBeVisible();
});

test('a new agent’s console shows what to do next, and its first call, instead of empty figures', async ({ page }) => {
  const gil = await newAccount('Gil');
  const path = randomUUID();
  cards.serve(path, cardV10(cards.base(path), { name: `Fresh ${mark}` }));
  const slug = await listAgent(setting('parleyUrl'), gil, { url: cards.base(path) });
  await signInAs(page, gil);
  await page.goto('/console');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Next steps', 'Your agents (1)']);
  await expect(page.getByRole('navigation', { name: 'Period' })).toHaveCount(0);
  const steps = page.getByRole('region', { name: 'Next steps' });
  await expect(steps.getByRole('link', { name: `View the page of Fresh ${mark}` })).toHaveAttribute(
    'href',
    `/agents/${slug}`,
  );
  await expect(steps).toContainText(/\d items are missing\./);
  await expectNoViolations(page, 'the overview without calls');
  await page.setViewportSize({ width: 1280, height: 800 });
  await steps.getByRole('link', { name: `Send a test call to Fresh ${mark}` }).click();
  await expect(page).toHaveURL(`/console/agents/${slug}/test`);

  await rpc(await connectTo(setting('parleyUrl'), gil, slug), 'message/send', message03('hello'));
  await page.goto('/console');
  const latest = page.getByRole('region', { name: 'Latest calls' });
  await expect(latest.getByRole('listitem')).toHaveCount(1);
  await expect(latest.getByRole('listitem')).toContainText('SendMessage');
  await expect(page.getByRole('main').locator('dl').first()).toContainText('Calls1');
  await expect(steps.getByRole('link', { name: /^Send a test call/ })).toHaveCount(0);
  await expectNoViolations(page, 'the overview with the first call');
  await page.setViewportSize({ width: 1280, height: 800 });
  await latest.getByRole('link', { name: `Fresh ${mark}` }).click();
  await expect(page).toHaveURL(new RegExp(`/console/agents/${slug}/calls/call_`));
});

test('an agent’s tabs keep their positions and order', async ({ page }) => {
  const home = `/console/agents/${slugs.at(-1)}`;
  await page.goto(home);
  const tabs = page.getByRole('navigation', { name: 'Sections of this agent' });
  const names = await tabs.getByRole('link').allTextContents();
  expect(names).toEqual(['Overview', 'Calls', 'Test', 'Card', 'Team', 'Settings']);
  const place = await tabs.boundingBox();
  for (const name of names.toReversed()) {
    await tabs.getByRole('link', { name }).click();
    await expect(tabs.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    await page.evaluate(() => window.scrollTo(0, 0));
    expect(await tabs.boundingBox()).toEqual(place);
    expect(await tabs.getByRole('link').allTextContents()).toEqual(names);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of ['/console', home, `${home}/calls`, `${home}/settings`]) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  }
  await expect(tabs.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 0.9 });
  await page.goto(`${home}/calls`);
  for (const label of ['Outcome', 'Duration']) {
    const value = page.locator(`td[data-label="${label}"]`).first();
    await value.scrollIntoViewIfNeeded();
    await expect(value).toBeInViewport({ ratio: 0.9 });
  }
});

test.describe('the console for a reader in New York', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('uses the reader’s zone for charts and call filters, unless another zone is chosen', async ({ page }) => {
    const path = `/console/agents/${slugs.at(-1)}/calls`;
    await page.goto('/console');
    await page.goto(`${path}?range=24h`);
    await expect(page.getByText('Times in America/New_York')).toBeVisible();
    await page.getByText('View as table').click();
    const rows = page.getByRole('table', { name: /^Calls by hour in America\/New_York$/ }).locator('tbody tr');
    const hour = { hour: 'numeric', minute: '2-digit', month: 'short', day: 'numeric' } as const;
    const thisHour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
    const expected = thisHour.toLocaleString('en-US', { ...hour, timeZone: 'America/New_York' });
    await expect(rows.last().getByRole('rowheader')).toHaveText(expected);
    await page.goto(`${path}?zone=UTC&range=24h`);
    await expect(page.getByText('Times in UTC')).toBeVisible();
    await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: '7 days' }).click();
    await expect(page).toHaveURL(/range=7d/);
    await expect(page.getByText('Times in UTC')).toBeVisible();
  });
});

test('the calls page has presets, a search, removable filters and a chart that can be read by keyboard', async ({
  page,
}) => {
  await page.goto(`/console/agents/${slugs.at(-1)}/calls`);
  await expect(page.getByText('120 calls, 6 failed')).toBeVisible();
  const table = page.getByRole('table', { name: 'Calls', exact: true });
  expect(await table.evaluate((node) => node.scrollWidth - (node.parentElement?.clientWidth ?? 0))).toBe(0);
  await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: 'Last hour' }).click();
  await expect(page).toHaveURL(/range=1h/);
  await page.getByText('Filters and custom time').click();
  const form = page.getByRole('form', { name: 'Filter calls' });
  await form.getByLabel('Status').selectOption('Failed');
  await form.getByLabel('Error code').selectOption('agent_timeout');
  await form.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page.getByText('6 calls, 6 failed')).toBeVisible();
  await expect(page).toHaveURL(/range=1h/);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await chips.getByRole('link', { name: 'Remove filter: Error code: agent_timeout' }).click();
  await expect(page).not.toHaveURL(/code=/);
  await expect(page).toHaveURL(/status=failed/);
  await chips.getByRole('link', { name: 'Remove filter: Status: Failed' }).click();
  await expect(chips).toHaveCount(0);

  const search = page.getByRole('searchbox', { name: 'Search calls' });
  await search.fill('task-117');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 call, 0 failed')).toBeVisible();
  await search.fill('agent_timeout');
  await page.keyboard.press('Enter');
  await expect(page.getByText('6 calls, 6 failed')).toBeVisible();

  const chart = page.getByRole('slider', { name: /^Values of Calls per/ });
  await chart.focus();
  const last = await chart.getAttribute('aria-valuetext');
  expect(last).toMatch(/Answered \d+, Failed \d+/);
  await page.keyboard.press('Home');
  await expect(chart).not.toHaveAttribute('aria-valuetext', last ?? '');
  await expectNoViolations(page, 'the calls of an agent, filtered');
  await page.getByText('View as table').click();
  await expect(page.getByRole('table', { name: /^Calls by / })).toBeVisible();
});
