import '../../support/process-env';
import type { Page } from '@playwright/test';
import { StripeDouble } from '../../fakes/stripe/stripe-double';
import { createPerson, type Person } from '../../support/fixtures';
import { test as base, expect } from '../../support/page';
import { type Parley, startParley } from '../../support/parley';
import { askForCart, openShop, review, type Shop } from '../buying-fixture';

/** A Parley that charges cards at a Stripe double, a shop, and a buyer. */
interface Fixture {
  parley: Parley;
  stripe: StripeDouble;
  shop: Shop;
}

const test = base.extend<{ buyer: Person }, { fixture: Fixture }>({
  fixture: [
    // Playwright reads a fixture's dependencies from a destructured parameter; this fixture has none.
    async ({ browserName: _ }, use) => {
      const stripe = await StripeDouble.start();
      const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ...stripe.env };
      const parley = await startParley({ env });
      stripe.notify(parley.url);
      const shop = await openShop(parley.url, await createPerson(parley.url, 'Sally'), 'Pizza Sally');
      await use({ parley, stripe, shop });
      await shop.merchant.stop();
      await parley.stop();
      await stripe.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ fixture }, use) => use(fixture.parley.url),
  buyer: async ({ context, fixture }, use) => {
    const buyer = await createPerson(fixture.parley.url, 'Bob');
    const [name = '', value = ''] = buyer.cookie.split('=');
    await context.addCookies([{ name, value, url: fixture.parley.url }]);
    fixture.shop.merchant.mandates.length = 0;
    await use(buyer);
  },
});

/** Approves a cart and waits for the payment provider's page. */
async function approve(page: Page, { shop, stripe }: Fixture): Promise<string> {
  const dialog = await review(page, await askForCart(page, shop));
  await expect(dialog.getByRole('radio', { name: /^Card/ })).toBeChecked();
  const conversation = page.url();
  await dialog.getByRole('button', { name: 'Pay €18.98' }).click();
  await page.waitForURL(`${stripe.url}/pay/**`);
  return conversation;
}

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('Card').selectOption(card);
  await page.getByRole('button', { name: 'Pay 18.98 EUR' }).click();
}

test('a payment with 3-D Secure leads through the bank’s page and back to the chat, where the cart is paid', async ({
  page,
  fixture,
  buyer: _,
}) => {
  await approve(page, fixture);
  await payWith(page, 'pm_card_threeDSecureRequired');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.waitForURL(/\/chat\/cnv_/);
  const card = page.getByRole('figure', { name: 'Cart' });
  await expect(card).toContainText('€18.98 paid', { timeout: 20_000 });
  expect(fixture.shop.merchant.mandates).toHaveLength(1);
});

test('a declined card is shown on the provider’s page, which the buyer can reopen after going back', async ({
  page,
  fixture,
  buyer: _,
}) => {
  await approve(page, fixture);
  await payWith(page, 'pm_card_visa_chargeDeclined');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await page.waitForURL(/\/chat\/cnv_/);
  const card = page.getByRole('figure', { name: 'Cart' });
  await expect(card).toContainText('Action needed');
  await card.getByRole('link', { name: 'Open payment page' }).click();
  await page.waitForURL(`${fixture.stripe.url}/pay/**`);
  await payWith(page, 'pm_card_visa');
  await page.waitForURL(/\/chat\/cnv_/);
  await expect(card).toContainText('€18.98 paid', { timeout: 20_000 });
});

test('a payment that was left at the bank can be completed in another browser', { tag: '@nightly' }, async ({
  page,
  fixture,
  buyer,
  browser,
}) => {
  const conversation = await approve(page, fixture);
  await payWith(page, 'pm_card_threeDSecureRequired');
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await page.close();
  const other = await (await browser.newContext()).newPage();
  const [name = '', value = ''] = buyer.cookie.split('=');
  await other.context().addCookies([{ name, value, url: fixture.parley.url }]);
  await other.goto(conversation);
  await other.getByRole('link', { name: 'Open payment page' }).click();
  await payWith(other, 'pm_card_visa');
  await other.waitForURL(/\/chat\/cnv_/);
  await expect(other.getByRole('figure', { name: 'Cart' })).toContainText('€18.98 paid', { timeout: 20_000 });
  expect(fixture.shop.merchant.mandates).toHaveLength(1);
  await other.context().close();
});

test('a wallet can be topped up on the provider’s page', async ({ page, fixture, buyer: _ }) => {
  await page.goto('/settings/payments');
  await expect(page.getByText('Your wallet is empty.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Amount' }).fill('30.00');
  await page.getByRole('button', { name: 'Add test credits' }).click();
  await page.waitForURL(`${fixture.stripe.url}/pay/**`);
  await page.getByLabel('Card').selectOption('pm_card_visa');
  await page.getByRole('button', { name: /^Pay 30\.00 EUR/ }).click();
  await page.waitForURL(/\/settings\/payments\?topup=/);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('main')).toContainText('€30.00', { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
});
