import type { Page } from '@playwright/test';
import * as agent03 from '../fakes/a2a03';
import { cartData } from '../fakes/merchant-carts';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, listAgent, message03, rpc, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { askForCart, openShop, review, type Shop } from './buying-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

const deliverable = 'A chart as SVG, at most 20 KB';
const check = 'It has a bar for each row';
const acceptance = { deliverable, check, days: 3 };

const parley = setting('parleyUrl');

let agent: ScriptedAgent;
let slug: string;
let seller: Account;
let shop: Shop;

test.beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Chart Maker', streaming: false });
  agent.answer(({ json, received }) => {
    json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t-1', 'completed', ['A chart without bars']) });
  });
  seller = await newAccount('Sally');
  slug = await listAgent(parley, seller, { url: agent.url });
  const body = { pricePlans: [{ kind: 'task', currency: 'EUR', amount: 500, acceptance }] };
  await send(`${parley}/api/agents/${slug}`, { method: 'PATCH', bearer: seller.accessToken, body });
  shop = await openShop(parley, seller, 'Pizzeria Certa');
});

test.afterAll(async () => {
  await agent?.stop();
  await shop?.merchant.stop();
});

async function expectNoScrolling(page: Page): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

/** A buyer who reads the terms, approves the price, and gets a result. */
async function newBuyer(page: Page): Promise<Account> {
  const buyer = await newAccount('Bo');
  await signInAs(page, buyer);
  await page.goto(`/agents/${slug}/pay`);
  await expect(page.getByText(deliverable)).toBeVisible();
  await expect(page.getByText(check)).toBeVisible();
  await expect(page.getByText('Within 3 days after the payment.')).toBeVisible();
  await expectNoViolations(page, 'a price with acceptance terms', { colors: 'both' });
  await expectNoScrolling(page);
  await page.getByRole('button', { name: 'Approve the price' }).click();
  await expect(page.getByText('Your approval')).toBeVisible();
  await rpc(await connectTo(parley, buyer, slug), 'message/send', message03('Chart this'));
  return buyer;
}

async function openResults(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto('/settings/payments');
    await expect(page.getByRole('button', { name: 'Accept result of Chart Maker' })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}

test('a seller states acceptance terms, and a buyer reads them, approves the price and accepts the result', async ({
  page,
}) => {
  await signInAs(page, seller);
  await page.goto(`/console/agents/${slug}/settings`);
  const form = page.locator('form').filter({ has: page.getByRole('combobox', { name: 'Price', exact: true }) });
  await form.getByRole('combobox', { name: 'Price', exact: true }).selectOption('Per message');
  await expect(form.getByLabel('Offer acceptance terms')).toHaveCount(0);
  await form.getByRole('combobox', { name: 'Price', exact: true }).selectOption('Per task');
  await expect(form.getByLabel('What you deliver')).toHaveValue(deliverable);
  await form.getByLabel('Offer acceptance terms').uncheck();
  await expect(form.getByLabel('What you deliver')).toHaveCount(0);
  await form.getByLabel('Offer acceptance terms').check();
  await form.getByLabel('What you deliver').fill('');
  await form.getByLabel('How the buyer checks it').fill(' ');
  await form.getByLabel('Days to accept').fill('15');
  await form.getByRole('button', { name: 'Save the price' }).click();
  await expect(form.getByText('Describe it in a few words.')).toHaveCount(2);
  await expect(form.getByText('Enter a number from 1 to 14.')).toBeVisible();
  await expectNoViolations(page, 'acceptance terms of a price', { colors: 'both' });
  await form.getByLabel('What you deliver').fill(deliverable);
  await form.getByLabel('How the buyer checks it').fill(check);
  await form.getByLabel('Days to accept').fill('3');
  await form.getByRole('button', { name: 'Save the price' }).click();
  await expect(page.getByText('Price saved').first()).toBeVisible();
  await page.goto('about:blank');

  await newBuyer(page);
  await openResults(page);
  await expect(page.getByText(deliverable).first()).toBeVisible();
  await expectNoViolations(page, 'a result to accept', { colors: 'both' });
  await expectNoScrolling(page);
  await page.getByRole('button', { name: 'Accept result of Chart Maker' }).click();
  await expect(page.getByText('Nothing to accept')).toBeVisible();
  const charge = page.getByRole('row').filter({ hasText: 'Chart Maker' }).first();
  await expect(charge).toContainText('Accepted on');
  await page.goto('about:blank');

  await signInAs(page, seller);
  await page.goto('/console/income');
  const sale = page.getByRole('row').filter({ hasText: 'Chart Maker' }).first();
  await expect(sale).toContainText('Accepted on');
  await expect(sale).toContainText('refund period until');
});

test('a result that is not as agreed becomes a dispute with the terms on top', async ({ page }) => {
  await newBuyer(page);
  await openResults(page);
  await page.getByRole('link', { name: 'Not as agreed: the result of Chart Maker' }).click();
  await expect(page.getByRole('heading', { name: 'Report a problem' })).toBeVisible();
  await expect(page.getByText(check)).toBeVisible();
  await expect(page.getByLabel('What is wrong')).toHaveValue('not_as_agreed');
  await expectNoViolations(page, 'a result that is not as agreed', { colors: 'both' });
  await page.getByLabel('Describe the problem').fill('The chart has no bars.');
  await page.getByRole('button', { name: 'Open dispute' }).click();
  await expect(page.getByText('The seller has to answer by the deadline.')).toBeVisible();
  await expect(page.getByText(deliverable)).toBeVisible();
  await expect(page.getByText('Not accepted: disputed')).toBeVisible();
  await expectNoViolations(page, 'a dispute with acceptance terms', { colors: 'both' });
  await expectNoScrolling(page);
  const path = new URL(page.url()).pathname;
  await page.goto('/settings/payments');
  await expect(page.getByText('Nothing to accept')).toBeVisible();
  await page.goto('about:blank');

  await signInAs(page, seller);
  await page.goto(`${path}`);
  await expect(page.getByText(check)).toBeVisible();
  await page.goto('/console/income');
  const sale = page.getByRole('row').filter({ hasText: 'Chart Maker' }).first();
  await expect(sale).toContainText('Not accepted: disputed');
});

test('a cart with acceptance terms shows them in the chat, in the review and on the page of the order', async ({
  page,
}) => {
  await signInAs(page, await newAccount('Cora'));
  shop.merchant.onMandate = 'confirm';
  const member = { 'urn:parley:price:v1': { acceptance } };
  shop.merchant.nextCarts.push(cartData(shop.merchant.seller, 'none', member));
  const card = await askForCart(page, shop);
  await expect(card.getByText(deliverable)).toBeVisible();
  await expectNoViolations(page, 'a cart with acceptance terms', { colors: 'both' });
  const dialog = await review(page, card);
  await expect(dialog.getByText(check)).toBeVisible();
  await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'View receipt' }).click();
  await expect(page.getByText('Not accepted yet.')).toBeVisible();
  await expectNoViolations(page, 'an order to accept', { colors: 'both' });
  await expectNoScrolling(page);
  await page.getByRole('button', { name: 'Accept result of Pizzeria Certa' }).click();
  await expect(page.getByText('Accepted on')).toBeVisible();
});
