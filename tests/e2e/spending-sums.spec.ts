import type { Page, Route } from '@playwright/test';
import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { askForCart, openShop, review, type Shop } from './buying-fixture';
import { startConversation } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

const parley = setting('parleyUrl');

let shop: Shop;
let buyer: Account;

test.beforeAll(async () => {
  const seller = await newAccount('Sally');
  shop = await openShop(parley, seller, 'Two Euro Pizza');
  const prices = [{ skillId: 'script', amount: 200, currency: 'EUR' }];
  const { accessToken: bearer } = seller;
  const stated = await send(`${parley}/api/agents/${shop.slug}`, { method: 'PATCH', body: { prices }, bearer });
  expect(stated.status, await stated.text()).toBe(200);
});
test.afterAll(() => shop?.merchant.stop());
test.beforeEach(async ({ page }) => {
  buyer = await newAccount('Lina');
  await signInAs(page, buyer);
});

async function limitMonthTo(amount: number): Promise<void> {
  const { cookie } = buyer;
  const body = { scope: 'account', subject: '', period: 'month', currency: 'EUR', amount };
  const set = await send(`${parley}/api/spending/limits`, { method: 'PUT', body, cookie, origin: parley });
  expect(set.status, await set.text()).toBe(200);
}

async function buy(page: Page): Promise<void> {
  const dialog = await review(page, page.getByRole('figure', { name: 'Cart' }));
  await dialog.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });
  await page.keyboard.press('Escape');
}

test('the composer shows the price and the remaining limit, and the conversation shows the amount paid', async ({
  page,
}) => {
  await limitMonthTo(4_000);
  await askForCart(page, shop);
  const composer = page.getByRole('form', { name: /Two Euro Pizza$/ });
  await expect(composer).toContainText('€40.00 left this month');
  await expect(composer).toContainText('From €2 per task');
  const header = page.getByRole('main').locator('header');
  await expect(header).not.toContainText('paid');

  await buy(page);
  await expect(header).toContainText('18.98 euros paid');
  await expect(composer).toContainText('€21.02 left this month');
  await expectNoViolations(page, 'a conversation with what was paid');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(composer.getByText('€21.02 left', { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  const conversation = page.url();
  await page.goto('/settings/payments#paid');
  const paid = page.getByRole('region', { name: 'Spending', exact: true });
  await expect(paid).toContainText('€18.98');
  await expect(paid).toContainText('in 1 order');
  await expectNoViolations(page, 'what was paid');
  await page.setViewportSize({ width: 1280, height: 800 });
  const byConversation = paid.getByRole('table', { name: /^Paid by conversation/ });
  await byConversation.getByRole('link', { name: 'A pizza, please' }).click();
  await expect(page).toHaveURL(conversation);
  await page.goBack();
  await paid
    .getByRole('table', { name: /^Paid by agent/ })
    .getByRole('link', { name: 'Two Euro Pizza' })
    .click();
  await expect(page).toHaveURL(`/orders?agent=${shop.slug}`);
});

test('the composer without a limit shows this month’s payments, and highlights a limit below the price', async ({
  page,
}) => {
  await askForCart(page, shop);
  const composer = page.getByRole('form', { name: /Two Euro Pizza$/ });
  await buy(page);
  await expect(composer).toContainText('€18.98 paid this month');
  await limitMonthTo(2_000);
  await page.reload();
  await expect(composer).toContainText('€1.02 left this month');
});

test('spending figures appear without a layout shift, and are omitted for agents without a price', async ({ page }) => {
  await limitMonthTo(4_000);
  const held: Route[] = [];
  await page.route('**/api/spending/agents/*', (route) => void held.push(route));
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`/chat/new?agent=${shop.slug}`);
    await expect.poll(() => held.length).toBe(1);
    const composer = page.getByRole('form', { name: /Two Euro Pizza$/ });
    const parts = [composer.getByText('From €2'), composer.getByRole('button', { name: 'Send' }), composer];
    const boxes = () => Promise.all(parts.map((part) => part.boundingBox()));
    const before = await boxes();
    await held.pop()?.continue();
    await expect(composer).toContainText('€40.00 left');
    expect(await boxes()).toEqual(before);
  }
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await startConversation(page, 'conformance', 'Hello');
  expect(requests.filter((path) => path.startsWith('/api/spending'))).toEqual([]);
});

test('a month links to the previous month, and its orders can be downloaded as a file', async ({ page }) => {
  await page.goto('/settings/payments#paid');
  const paid = page.getByRole('region', { name: 'Spending', exact: true });
  const thisMonth = (await paid.getByRole('heading', { level: 3 }).textContent()) ?? '';
  await expect(paid).toContainText(`No payments in ${thisMonth}.`);
  await expectNoViolations(page, 'nothing paid');
  await page.setViewportSize({ width: 1280, height: 800 });
  const months = paid.getByRole('navigation', { name: 'Other months' });
  await expect(months.getByRole('link')).toHaveCount(1);
  const before = (await months.getByRole('link').textContent()) ?? '';
  await months.getByRole('link').click();
  await expect(paid.getByRole('heading', { level: 3 })).toHaveText(before);
  await expect(months.getByRole('link')).toHaveCount(2);
  await months.getByRole('link', { name: thisMonth }).click();
  await expect(paid.getByRole('heading', { level: 3 })).toHaveText(thisMonth);

  await askForCart(page, shop);
  await buy(page);
  await page.goto('/settings/payments#paid');
  const saving = page.waitForEvent('download');
  await paid.getByRole('link', { name: 'CSV' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^parley-orders-.+\.csv$/);
});
