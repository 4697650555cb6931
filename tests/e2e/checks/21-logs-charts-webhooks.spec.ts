import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { CardServer } from '../../fakes/card-server';
import { cardV10 } from '../../fakes/cards';
import { PushReceiver } from '../../fakes/push-receiver';
import { connectTo, listAgent, message03, rpc } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { pushInVain } from '../console-fixture';
import { type Account, copied, newAccount, signInAs } from '../people';

let owner: Account;
let cards: CardServer;
let receiver: PushReceiver;

test.beforeAll(async () => {
  cards = await CardServer.start();
  receiver = await PushReceiver.start();
  owner = await newAccount('Lena');
});
test.afterAll(async () => {
  await cards?.stop();
  await receiver?.stop();
});
test.beforeEach(({ page }) => signInAs(page, owner));

/** A listed agent with only invalid responses. */
async function listed(): Promise<string> {
  const path = randomUUID();
  cards.serve(path, cardV10(cards.base(path), { name: `Logged ${path.slice(0, 8)}` }));
  return listAgent(setting('parleyUrl'), owner, { url: cards.base(path) });
}

/** Inserts ten thousand calls of the last two days into an agent's log, every tenth failed. */
async function fillLog(slug: string): Promise<void> {
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  await client.query(
    `INSERT INTO agent_call (id, agent_id, at, ms, method, dialect, request_id, caller, code, message)
     SELECT 'call_' || left(md5(a.id || n), 20), a.id, now() - n * interval '15 seconds', n % 500, 'message/send',
       '1.0 JSONRPC', 'req_' || left(md5(n || a.id), 12) || n, 'person' || n % 20,
       CASE WHEN n % 10 = 0 THEN 'agent_timeout' END, CASE WHEN n % 10 = 0 THEN 'It took too long.' END
     FROM agent a, generate_series(1, 10000) AS n WHERE a.slug = $1`,
    [slug],
  );
  await client.end();
}

test('a sampled log states how many calls it omits', async ({ page }) => {
  const slug = await listed();
  await fillLog(slug);
  await page.goto(`/console/agents/${slug}/calls`);
  await expect(page.getByText('10,000 calls, 1,000 failed')).toBeVisible();
  await expect(page.getByText('Sampled', { exact: true })).toBeHidden();
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  await client.query(
    `INSERT INTO agent_call_hour (agent_id, hour, bucket, calls, missing)
     SELECT id, date_trunc('hour', now(), 'UTC'), 50, 52345, 42345 FROM agent WHERE slug = $1`,
    [slug],
  );
  await client.end();
  await page.reload();
  await expect(page.getByText('Sampled', { exact: true })).toBeVisible();
  await expect(page.getByText(/^42,345 more calls in this period are counted in the overview/)).toBeVisible();
});

test('ten thousand calls are filtered by URL, and the charts match the list', async ({ page }) => {
  const slug = await listed();
  await fillLog(slug);
  await page.goto(`/console/agents/${slug}/calls`);
  await expect(page.getByText('10,000 calls, 1,000 failed')).toBeVisible();
  await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: '24 hours' }).click();
  await expect(page).toHaveURL(/range=24h/);
  await page.getByText('Filters and custom time').click();
  const filter = page.getByRole('form', { name: 'Filter calls' });
  await filter.getByLabel('Status').selectOption('Failed');
  await filter.getByLabel('Time zone').selectOption('Asia/Kolkata');
  await filter.getByRole('button', { name: 'Apply filters' }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(page).toHaveURL(/zone=Asia%2FKolkata/);
  const countText = await page.getByText(/^[\d,]+ calls, [\d,]+ failed$/).textContent();
  const [total] = /\d+/.exec(countText?.replaceAll(',', '') ?? '') ?? [];
  await page.getByText('View as table').click();
  const numbers = page.getByRole('table', { name: /^Calls by hour in Asia\/Kolkata/ });
  const rows = await numbers.locator('tbody tr td:nth-child(2)').allTextContents();
  expect(rows.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)).toBe(Number(total));
  await expect(numbers.locator('tfoot')).toContainText(Number(total).toLocaleString('en'));
  await expect(page.getByRole('img', { name: /^Calls per hour: maximum/ })).toBeVisible();

  const calls = page.getByRole('table', { name: 'Calls', exact: true });
  await expect(calls.locator('tbody tr')).toHaveCount(50);
  const first = await calls.locator('tbody tr').first().textContent();
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(calls.locator('tbody tr').first()).not.toHaveText(first ?? '');
  await calls.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 2, name: 'Failed call' })).toBeVisible();
  await expect(page.getByText(/^req_/).first()).toBeVisible();
});

test('a failed call opens with its HTTP exchange, and can be copied as curl and resent as a marked replay', async ({
  page,
}) => {
  const slug = await listed();
  await rpc(await connectTo(setting('parleyUrl'), owner, slug), 'message/send', message03('say it again'));
  await page.goto(`/console/agents/${slug}/calls?status=failed`);
  await page.getByRole('table', { name: 'Calls', exact: true }).getByRole('link').first().click();
  await expect(page.getByRole('figure', { name: /^Request/ })).toContainText('say it again');
  const curl = await copied(page, 'the request as a curl command');
  expect(curl).toMatch(/^curl -X POST/);
  expect(curl).toContain('"$SECRET"');
  await page.getByRole('link', { name: 'Replay as a test' }).click();
  await page.getByRole('button', { name: 'Replay call' }).click();
  const steps = page.getByRole('list', { name: 'Test steps' });
  await expect(steps).toContainText('Between Parley and your agent');
  await expect(steps).toContainText('say it again');
  await page.goto(`/console/agents/${slug}/calls?origin=replay`);
  const replay = page.getByRole('table', { name: 'Calls', exact: true }).locator('tbody tr');
  await expect(replay).toHaveCount(1);
  await expect(replay).toContainText('Replay');
});

test('a test call takes the same path as every call: token, gateway, agent and introspection response', async ({
  page,
}) => {
  const slug = await listed();
  await page.goto(`/console/agents/${slug}/test`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('are you there?');
  await page.getByRole('button', { name: 'Send' }).click();
  const steps = page.getByRole('list', { name: 'Test steps' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'Token for this agent' })).toContainText('HTTP 200');
  await expect(page.getByRole('figure', { name: 'token claims' })).toContainText(`"agent_slug": "${slug}"`);
  await expect(steps.filter({ hasText: 'Your message through the gateway' })).toContainText('Bearer [secret]');
  await expect(steps.filter({ hasText: 'Introspection by your agent' })).toContainText('No developer app is linked');
  expect(await page.locator('main').textContent()).not.toMatch(/eyJ[\w-]{20,}/);
});

test('an undelivered push shows the receiver’s response, and can be resent later', async ({ page }) => {
  receiver.answers.set('/back', [410]);
  const taskId = await pushInVain(owner, `${receiver.url}/back`);
  await page.goto('/console/pushes');
  const push = page
    .getByRole('region', { name: 'Failed deliveries' })
    .getByRole('listitem')
    .filter({ hasText: taskId });
  await expect(push).toContainText('HTTP 410');
  receiver.answers.set('/back', [200]);
  await push.getByRole('button', { name: /^Resend/ }).click();
  await expect(page.getByText('Delivered.').last()).toBeVisible();
  await expect(push).toHaveCount(0);

  receiver.answers.set('/range', [410]);
  await pushInVain(owner, `${receiver.url}/range`);
  receiver.answers.set('/range', [200]);
  await page.reload();
  const recover = page.getByRole('form', { name: 'Replay a time range' });
  const day = new Date().toISOString().slice(0, 10);
  await recover.getByLabel('From', { exact: true }).fill(`${day}T00:00`);
  await recover.getByLabel('To', { exact: true }).fill(`${day}T23:59`);
  await recover.getByRole('button', { name: 'Resend all' }).click();
  await expect(page.getByText('1 delivered, 0 failed again.').last()).toBeVisible();
});
