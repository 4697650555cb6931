import { Client } from 'pg';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import {
  askForCart,
  eurosOf,
  latestOrder,
  listen,
  openShop,
  review,
  type Shop,
  withAuthenticator,
} from '../buying-fixture';
import { signInAsDemo, startConversation } from '../chat-fixture';
import { expectNoViolations } from '../expect-no-violations';
import { type Account, newAccount, password, signInAgain, signInAs } from '../people';

let seller: Account;
let shop: Shop;
/** A buyer with 100 test credits and no orders. */
let buyer: Account;

test.beforeAll(async () => {
  seller = await newAccount('Sally');
  shop = await openShop(setting('parleyUrl'), seller, 'Pizza Sally');
});
test.afterAll(() => shop?.merchant.stop());
test.beforeEach(async ({ page }) => {
  Object.assign(shop.merchant, { fault: 'none', onMandate: 'confirm', onText: 'cart' });
  shop.merchant.mandates.length = 0;
  buyer = await newAccount('Bob');
  await signInAs(page, buyer);
});

test.describe('buying', () => {
  test('without a passkey shows all details first, charges once for two clicks, and shows the result with proof', async ({
    page,
  }) => {
    const card = await askForCart(page, shop);
    await expect(card).toContainText('Ready to pay');
    const dialog = await review(page, card);
    for (const text of ['Pizza Sally', 'Pizza Margherita, large', '€15.48', 'Delivery', '€3.50', '€18.98']) {
      await expect(dialog).toContainText(text);
    }
    for (const text of ['within 30 days', /left/, 'Test credits', '€100.00 available']) {
      await expect(dialog).toContainText(text);
    }
    // The merchant's key belongs to no website with HTTPS.
    await expect(dialog).not.toContainText(/Signed by|127\.0\.0\.1/);
    const announcements = await listen(page);
    await dialog.getByRole('button', { name: 'Pay €18.98' }).dblclick();
    const result = page.getByRole('heading', { name: 'Paid €18.98 to Pizza Sally.' });
    await expect(result).toBeFocused({ timeout: 20_000 });
    await expect.poll(announcements).toContain('Paid 18.98 euros to Pizza Sally.');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(card).toContainText('€18.98 paid with test credits.');
    await expect(card.getByText('€18.98 paid with test credits.')).toBeFocused();
    expect(shop.merchant.mandates).toHaveLength(1);
    expect(await eurosOf(setting('parleyUrl'), buyer)).toEqual({ available: 8_102, held: 0 });
    await expect(page.getByText('You approved €18.98')).toBeVisible();
    await expect(page.getByText(/Paid €18.98 with test credits/)).toBeVisible();
    await expect(page.getByText('Processing the payment')).toHaveCount(0);
    await expect(page.getByText('paid for this task')).toContainText('€18.98');

    await card.getByRole('link', { name: 'View receipt' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Pizza Margherita, large/);
    await expect(page).toHaveTitle(/^Pizza Margherita, large/);
    for (const text of ['Receipt', 'Parley receipt', 'Merchant receipt', 'Your approval', 'Merchant confirmed']) {
      await expect(page.getByRole('main')).toContainText(text);
    }
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(page.getByRole('main')).toContainText('€18.98');
  });

  test.describe('with a passkey', () => {
    // The refusal of the removal contains the challenge to sign.
    test.use({ expectedErrors: [/403 \(Forbidden\).*\/api\/auth\/passkeys\//] });

    test('registers the passkey, signs the approval, and can rename and remove the passkey', async ({ page }) => {
      await withAuthenticator(page);
      await page.goto('/settings/payments');
      await page.getByLabel('Passkey name').fill('Laptop');
      await page.getByRole('button', { name: 'Add passkey' }).click();
      await expect(page.getByRole('button', { name: 'Rename the passkey Laptop' })).toBeVisible();
      await page.getByLabel('Require a passkey above an amount').check();
      await page.getByRole('textbox', { name: 'Passkey threshold' }).fill('10.00');
      await page.getByRole('button', { name: 'Save threshold' }).click();
      await expect(page.getByText('Passkey threshold saved.').first()).toBeVisible();

      const card = await askForCart(page, shop);
      const dialog = await review(page, card);
      await expect(dialog).toContainText('You approve with your passkey.');
      await expect(dialog.getByRole('button', { name: 'Pay without passkey' })).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
      await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });
      expect((await latestOrder(setting('parleyUrl'), buyer)).approval).toMatchObject({ method: 'passkey' });

      await page.goto('/settings/payments');
      await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click();
      await page.getByLabel('New name').fill('Desk');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Remove the passkey Desk' }).click();
      await page.getByRole('button', { name: 'Remove passkey' }).click();
      await expect(page.getByRole('heading', { name: 'No passkeys' })).toBeVisible();
    });
  });

  test('causes no charge if the buyer declines, and the cart can no longer be paid', async ({ page }) => {
    const card = await askForCart(page, shop);
    const dialog = await review(page, card);
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await expect(page.getByRole('heading', { name: 'You declined this offer.' })).toBeFocused();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(card.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
    expect(await eurosOf(setting('parleyUrl'), buyer)).toEqual({ available: 10_000, held: 0 });
  });

  test.describe('an offer that another tab ended', () => {
    test.use({ expectedErrors: [/409 \(Conflict\).*\/api\/orders\//] });

    for (const how of ['Decline', 'Stop'] as const) {
      const tag = how === 'Stop' ? '@nightly' : [];
      test(`cannot be paid in the tab that is still open (${how})`, { tag }, async ({ page, context }) => {
        const card = await askForCart(page, shop);
        shop.merchant.onText = 'completed';
        const second = await context.newPage();
        await second.goto(page.url());
        const sameCard = second.getByRole('figure', { name: 'Cart' });
        const dialog = await review(second, sameCard);
        // On the card the offer is declined, in the bar above the composer the whole task.
        if (how === 'Decline') await card.getByRole('button', { name: 'More actions for this offer' }).click();
        const button =
          how === 'Decline'
            ? page.getByRole('menuitem', { name: 'Decline offer' })
            : page.getByRole('button', { name: 'Cancel this task' });
        await button.click();
        await expect(card.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
        await expect(card).toContainText('You were not charged.');
        // The second tab still has the review open: it must not be able to pay.
        await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
        await expect(dialog).toContainText('You were not charged.');
        await second.keyboard.press('Escape');
        await expect(sameCard.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
        if (how === 'Decline') {
          for (const tab of [page, second]) {
            await expect(tab.getByText('You declined the offer from Pizza Sally.')).toHaveCount(1);
            await expect(tab.getByText(/I decline this offer/)).toHaveCount(0);
          }
        }
        for (const tab of [page, second]) await expect(tab.getByText('€0.00')).toHaveCount(0);
        expect(shop.merchant.mandates).toHaveLength(0);
        expect(await eurosOf(setting('parleyUrl'), buyer)).toEqual({ available: 10_000, held: 0 });
      });
    }
  });

  test('returns the held money if the merchant rejects the payment', async ({ page }) => {
    shop.merchant.onMandate = 'refuse';
    const card = await askForCart(page, shop);
    const dialog = await review(page, card);
    await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
    await expect(page.getByRole('heading', { name: 'Not paid.' })).toBeFocused({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(card).toContainText('Declined by the merchant');
    await expect(page.getByText('Not paid. You were not charged.')).toHaveCount(1);
    await expect(page.getByText('€0.00')).toHaveCount(0);
    await expect.poll(() => eurosOf(setting('parleyUrl'), buyer)).toEqual({ available: 10_000, held: 0 });
  });

  test('shows the order’s current state after the browser was closed', { tag: '@nightly' }, async ({
    page,
    browser,
  }) => {
    shop.merchant.onMandate = 'silent';
    const card = await askForCart(page, shop);
    const dialog = await review(page, card);
    await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
    await expect(page.getByRole('heading', { name: /^Paying/ })).toBeVisible();
    const conversation = page.url();
    await page.close();
    const other = await (await browser.newContext()).newPage();
    await signInAs(other, buyer);
    await other.goto(conversation);
    const there = other.getByRole('figure', { name: 'Cart' });
    await expect(there).toContainText('Processing');
    await expect(there).toContainText(/The payment is held/);
    await expect(there.getByRole('button', { name: /Pay/ })).toHaveCount(0);
    expect(shop.merchant.mandates).toHaveLength(1);
    await other.context().close();
  });

  test('renews an old sign-in, and reopens the review automatically', async ({ page }) => {
    const card = await askForCart(page, shop);
    // A session that was never used is in no cache.
    const cookie = await signInAgain(buyer);
    await ageSessions(buyer);
    await signInAs(page, { cookie });
    await page.reload();
    await card.getByRole('button', { name: 'Review and pay €18.98' }).click();
    const dialog = page.getByRole('dialog', { name: 'Review and pay' });
    await expect(dialog.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
    await dialog.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/sign-in\?.*reason=pay/);
    await page.getByLabel('Email').fill(buyer.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Pay €18.98' })).toBeEnabled();
  });

  test('from the demo pizzeria works from the first message to the receipt', async ({ page }) => {
    await signInAsDemo(page);
    await startConversation(page, 'pizzeria', 'Two large margheritas, to 12 Via Roma, Florence');
    const card = page.getByRole('figure', { name: 'Cart' }).last();
    await card.getByRole('button', { name: 'Review and pay €23.50' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pay €23.50' }).click();
    await expect(page.getByRole('heading', { name: 'Paid €23.50 to Trattoria Parley.' })).toBeFocused({
      timeout: 20_000,
    });
  });
});

/** Every session of this user started two days ago. */
async function ageSessions({ email }: Account): Promise<void> {
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  const longAgo = `UPDATE session SET signed_in_at = now() - interval '2 days'
    WHERE user_id = (SELECT id FROM "user" WHERE email = $1)`;
  await client.query(longAgo, [email]);
  await client.end();
}

test('orders and sales can be found, filtered and exported, and a refund can be requested and decided', async ({
  page,
  browser,
}) => {
  const parley = setting('parleyUrl');
  const card = await askForCart(page, shop);
  const dialog = await review(page, card);
  await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
  await expect(page.getByRole('heading', { name: /^Paid/ })).toBeFocused({ timeout: 20_000 });

  await page.goto('/orders?state=paid');
  await expect(page.getByRole('table', { name: 'Your orders' }).getByRole('row')).toHaveCount(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  await page.getByLabel('Agent', { exact: true }).selectOption('Pizza Sally');
  await page.getByLabel('Status', { exact: true }).selectOption('Paid');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/agent=/);
  await expect(page.getByRole('table', { name: 'Your orders' }).getByRole('row')).toHaveCount(2);
  const { id } = await latestOrder(parley, buyer);
  const nameOfOrder = page.getByRole('link', { name: `order ${id}` });
  await expect(nameOfOrder).toHaveText(/^Pizza Margherita, large/);
  await expect(nameOfOrder).toHaveAttribute('href', `/orders/${id}`);
  await page.goto('/orders?state=refunded');
  await expect(page.getByRole('heading', { name: 'No matching orders' })).toBeVisible();

  await page.goto(`/orders/${id}`);
  await page.getByLabel('Reason for refund').fill('It was cold.');
  await page.getByRole('button', { name: 'Request refund' }).click();
  await expect(page.getByText('Refund requested').first()).toBeVisible();

  const desk = await (await browser.newContext({ baseURL: parley })).newPage();
  await signInAs(desk, seller);
  await desk.goto('/console/sales');
  await desk.getByLabel('Agent', { exact: true }).selectOption('Pizza Sally');
  await desk.getByRole('button', { name: 'Apply' }).click();
  await expect(desk).toHaveURL(/agent=/);
  const sale = desk.getByRole('row', { name: /It was cold/ });
  await expect(sale).toContainText('€18.98');
  await sale.getByRole('button', { name: 'Review request' }).click();
  await desk.getByLabel('Amount in EUR').fill('5.00');
  await desk.getByRole('button', { name: 'Refund €5.00' }).click();
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await desk.context().close();

  await expect
    .poll(async () => (await latestOrder(parley, buyer)).state, { timeout: 20_000 })
    .toBe('partially_refunded');
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Partially refunded');
  await expect(page.getByRole('main')).toContainText('€5.00');
  expect(await eurosOf(parley, buyer)).toEqual({ available: 8_602, held: 0 });
});

test('the buying and selling pages have no accessibility violations, empty or full', async ({ page }) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of ['/orders', '/settings/payments', '/console/sales']) {
    await page.goto(path);
    await expectNoViolations(page, `${path}, empty`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  shop.merchant.fault = 'no signature';
  await askForCart(page, shop);
  await expectNoViolations(page, 'a cart that cannot be paid', { colors: 'light' });
  shop.merchant.fault = 'none';
  const card = await askForCart(page, shop);
  await expectNoViolations(page, 'a cart', { colors: 'light' });
  const dialog = await review(page, card);
  await expectNoViolations(page, 'the review', { colors: 'light' });
  await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
  await expect(page.getByRole('heading', { name: /^Paid/ })).toBeFocused({ timeout: 20_000 });
  await expectNoViolations(page, 'the result', { colors: 'light' });
  const { id } = await latestOrder(setting('parleyUrl'), buyer);
  for (const path of ['/orders', `/orders/${id}`, '/settings/payments']) {
    await page.goto(path);
    await expectNoViolations(page, path, { colors: 'light' });
  }
  await signInAs(page, seller);
  for (const path of ['/console/sales', `/console/agents/${shop.slug}`]) {
    await page.goto(path);
    await expectNoViolations(page, path, { colors: 'light' });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/console/sales');
  await page.getByRole('button', { name: 'Refund' }).first().click();
  await expectNoViolations(page, 'a refund', { colors: 'light' });
});
