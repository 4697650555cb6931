import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, listAgent, message03, rpc, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, setEmail, signInAs } from './people';

const moderatorEmail = 'moderator-of-disputes@example.test';

let parley: Parley;
let agent: ScriptedAgent;
let slug: string;
let seller: Account;
let moderator: Account;

test.beforeAll(async () => {
  parley = await startParley({ env: { ADMIN_EMAILS: moderatorEmail, AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
  agent = await ScriptedAgent.start({ name: 'Chart Maker', streaming: false });
  agent.answer(({ json, received }) => {
    const result = agent03.task('t-1', 'completed', ['A chart without bars']);
    json({ jsonrpc: '2.0', id: received.id, result });
  });
  seller = await newAccount('Sally', parley);
  slug = await listAgent(parley.url, seller, { url: agent.url });
  const body = { pricePlans: [{ kind: 'task', currency: 'EUR', amount: 500 }] };
  await send(`${parley.url}/api/agents/${slug}`, { method: 'PATCH', bearer: seller.accessToken, body });
  moderator = await newAccount('Judith', parley);
  await setEmail(moderator, moderatorEmail, parley);
});

test.afterAll(async () => {
  await agent?.stop();
  await parley?.stop();
});

/** A buyer who paid 5.00 euros for a task. */
async function newBuyer(): Promise<Account> {
  const buyer = await newAccount('Bo', parley);
  const call = { cookie: buyer.cookie, origin: parley.url };
  const terms = await send(`${parley.url}/api/price-approvals/agents/${slug}`, call);
  const { plans } = (await terms.json()) as { plans: { id: string }[] };
  const body = { agent: slug, planId: plans[0]?.id, total: 1_000 };
  await send(`${parley.url}/api/price-approvals`, { ...call, body });
  await rpc(await connectTo(parley.url, buyer, slug), 'message/send', message03('Chart this'));
  return buyer;
}

test('a buyer reports a problem, both sides talk, and a moderator decides', async ({ page }) => {
  const buyer = await newBuyer();
  await signInAs(page, buyer, parley);
  await expect(async () => {
    await page.goto(`${parley.url}/settings/payments`);
    await expect(page.getByRole('row').filter({ hasText: 'Chart Maker' }).getByText('Paid')).toBeVisible({
      timeout: 1_000,
    });
  }).toPass({ timeout: 20_000 });
  await expectNoViolations(page, 'charges', { colors: 'both' });
  await page.getByRole('link', { name: 'Report a problem with the charge of Chart Maker' }).click();
  await expect(page.getByRole('heading', { name: 'Report a problem' })).toBeVisible();
  await page.getByLabel('What you want back, in EUR').fill('6.00');
  await page.getByRole('button', { name: 'Open dispute' }).click();
  await expect(page.getByText('Enter an amount of at most €5.00.')).toBeVisible();
  await expect(page.getByText('Describe what is wrong.')).toBeVisible();
  await expectNoViolations(page, 'a new dispute', { colors: 'both' });
  await page.getByLabel('What you want back, in EUR').fill('3.00');
  await page.getByLabel('Describe the problem').fill('The chart has no bars.');
  const files = page.getByLabel(/^Files/);
  await files.setInputFiles({ name: 'chart.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });
  await expect(page.getByText('Choose fewer or smaller files')).toBeVisible();
  await files.setInputFiles({ name: 'chart.txt', mimeType: 'text/plain', buffer: Buffer.from('no bars') });
  await page.getByRole('button', { name: 'Open dispute' }).click();
  await expect(page.getByText('The seller has to answer by the deadline.')).toBeVisible();
  await expect(page.getByText('A chart without bars')).toBeVisible();
  await expect(page.getByRole('link', { name: 'chart.txt' })).toBeVisible();
  await expectNoViolations(page, 'a dispute of the buyer', { colors: 'both' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  const path = new URL(page.url()).pathname;
  await page.goto('about:blank');

  await signInAs(page, seller, parley);
  await page.goto(`${parley.url}/console/income`);
  await expect(page.getByRole('row').filter({ hasText: 'Chart Maker' }).first()).toContainText('open dispute, until');
  await page.getByRole('link', { name: 'Disputes', exact: true }).click();
  await expectNoViolations(page, 'the disputes of a seller', { colors: 'both' });
  await page.getByRole('link', { name: 'Chart Maker' }).first().click();
  await page.getByLabel('Message', { exact: true }).fill('The bars are gray.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('You can agree until the deadline.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask a moderator' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask a moderator' }).click();
  await expect(page.getByText('A moderator decides. Until then, you can still agree.')).toBeVisible();
  await page.goto('about:blank');

  await signInAs(page, moderator, parley);
  await page.goto(`${parley.url}/admin/disputes`);
  await expectNoViolations(page, 'the disputes of moderators', { colors: 'both' });
  await page.getByRole('link', { name: 'Chart Maker' }).first().click();
  await expect(page.getByText('Your decision is due.')).toBeVisible();
  await page.getByLabel('Refund in EUR, 0 for none').fill('2.00');
  await page.getByLabel('Reasons').fill('Gray bars are hard to see.');
  await page.getByRole('button', { name: 'Decide' }).click();
  await expect(page.getByText('A moderator decided. The reasons are below.')).toBeVisible();
  await page.goto('about:blank');

  await signInAs(page, buyer, parley);
  await page.goto(`${parley.url}${path}`);
  await expect(page.getByText('Gray bars are hard to see.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What you can do' })).toHaveCount(0);
  await page.goto(`${parley.url}/settings/payments`);
  await expect(page.getByRole('row').filter({ hasText: 'Chart Maker' }).first()).toContainText('€2.00');
});

test('a seller refunds a part of a charge from the income page', async ({ page }) => {
  await newBuyer();
  await signInAs(page, seller, parley);
  const row = page.getByRole('row').filter({ hasText: 'Chart Maker' }).first();
  await expect(async () => {
    await page.goto(`${parley.url}/console/income`);
    // The newest sale, of which nothing is refunded yet.
    await expect(row).toContainText('€4.75', { timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await row.getByRole('button', { name: 'Refund the sale of Chart Maker' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount in EUR').fill('7');
  await expect(dialog.getByText('Enter an amount of at most €5.00.')).toBeVisible();
  await dialog.getByLabel('Amount in EUR').fill('2.00');
  await expectNoViolations(page, 'a refund', { colors: 'both' });
  await dialog.getByRole('button', { name: 'Refund €2.00' }).click();
  await expect(row).toContainText('-€2.00');
  await expect(row).toContainText('€2.85');
});
