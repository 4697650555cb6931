import '../support/process-env';
import type { Page } from '@playwright/test';
import { earn } from '../contract/payouts-fixture';
import { StripeDouble } from '../fakes/stripe/stripe-double';
import { createPerson, type Person } from '../support/fixtures';
import { test as base, expect } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { expectNoViolations } from './expect-no-violations';

interface Fixture {
  credits: Parley;
  connected: Parley;
  stripe: StripeDouble;
}

const test = base.extend<object, { fixture: Fixture }>({
  fixture: [
    // Playwright reads a fixture's dependencies from a destructured parameter; this fixture has none.
    async ({ browserName: _ }, use) => {
      const stripe = await StripeDouble.start();
      const credits = await startParley({ env: { PAYOUT_CANCEL_SECONDS: '1', PAYOUT_TEST_SECONDS: '1' } });
      const connected = await startParley({ env: stripe.env });
      stripe.notify(connected.url);
      await use({ credits, connected, stripe });
      await credits.stop();
      await connected.stop();
      await stripe.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

async function open(page: Page, { url }: Parley): Promise<Person> {
  const seller = await createPerson(url, 'Sella');
  const [name = '', value = ''] = seller.cookie.split('=');
  await page.context().addCookies([{ name, value, url }]);
  await earn(seller, 4_250);
  await page.goto(`${url}/console/income/payouts`);
  return seller;
}

async function enter(page: Page, bank: string): Promise<void> {
  await page.getByLabel('Legal name').fill('Sella Verde');
  await page.getByLabel('Bank account number').fill(bank);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Payouts are set up', { exact: true })).toBeVisible();
}

async function expectState(page: Page, state: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('cell', { name: state })).toBeVisible({ timeout: 3_000 });
  }).toPass();
}

test('a seller sets up payouts, and reads why one failed and what to do', async ({ page, fixture }) => {
  // Two payouts, each of which waits for several rounds of the worker.
  test.slow();
  await open(page, fixture.credits);
  await expect(page.getByText('Payouts are not set up')).toBeVisible();
  await expectNoViolations(page, 'payouts that are not set up', { colors: 'both' });
  await enter(page, '000111111113');
  await page.getByRole('button', { name: 'Pay out €42.50 now' }).click();
  await expectState(page, 'Failed');
  await expect(page.getByText('The bank account is closed.')).toBeVisible();
  await expect(page.getByText('A bank account that accepts payouts')).toBeVisible();
  await expectNoViolations(page, 'a failed payout', { colors: 'both' });
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await enter(page, '000123456789');
  await page.getByRole('button', { name: 'Pay out €42.50 now' }).click();
  await expectState(page, 'Paid');
});

test('the onboarding leads through Stripe’s page and back, where nothing is missing', async ({ page, fixture }) => {
  await open(page, fixture.connected);
  await page.getByRole('button', { name: 'Set up payouts at Stripe' }).click();
  await page.waitForURL(`${fixture.stripe.url}/onboarding/**`);
  await page.getByRole('button', { name: 'Agree and submit' }).click();
  await page.waitForURL(`${fixture.connected.url}/console/income/payouts**`);
  await expect(page.getByText('Payouts are set up', { exact: true })).toBeVisible();
  await page.getByLabel('Payouts', { exact: true }).selectOption('Every month');
  await page.getByLabel('Day of the month').selectOption('15');
  await page.getByLabel('At least').fill('20.00');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await expect(page.getByText('€42.50 on')).toBeVisible();
});
