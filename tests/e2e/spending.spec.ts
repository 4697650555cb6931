import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { askForCart, openShop, review, type Shop, withAuthenticator } from './buying-fixture';
import { startConversation } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

let shop: Shop;
let buyer: Account;

test.beforeAll(async () => {
  shop = await openShop(setting('parleyUrl'), await newAccount('Sally'), 'Limit Pizza');
});
test.afterAll(() => shop?.merchant.stop());
test.beforeEach(async ({ page }) => {
  buyer = await newAccount('Lina');
  await signInAs(page, buyer);
});

async function addPasskey(page: Page): Promise<void> {
  await withAuthenticator(page);
  await page.goto('/settings/payments');
  await page.getByLabel('Passkey name').fill('Laptop');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('button', { name: 'Rename the passkey Laptop' })).toBeVisible();
}

/** The dialog that changes a limit. */
async function openLimit(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Save limit' })).toBeVisible();
  return dialog;
}

async function setLimit(page: Page, name: string, amount: string): Promise<void> {
  const dialog = await openLimit(page, name);
  await dialog.getByRole('textbox', { name: 'Limit' }).fill(amount);
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(dialog).toBeHidden();
}

test('a limit can be set, disables a payment with the reason, and is raised with a passkey', async ({ page }) => {
  await addPasskey(page);
  await page.goto('/settings/payments#limits');
  await setLimit(page, 'Change the limit Per month of your account', '10.00');
  await expect(page.getByText('€0.00 of €10.00 used')).toBeVisible();
  await expectNoViolations(page, 'spending limits');

  const card = await askForCart(page, shop);
  const dialog = await review(page, card);
  await expect(dialog).toContainText('Above a spending limit');
  await expect(dialog).toContainText('The spending limit for your account is 10.00 EUR per month.');
  await expect(dialog.getByRole('button', { name: 'Pay €18.98' })).toBeDisabled();
  const chat = page.url();
  await dialog.getByRole('link', { name: 'Change limits' }).click();

  await expect(page).toHaveURL('/settings/payments#limits');
  await setLimit(page, 'Change the limit Per month of your account', '40.00');
  await expect(page.getByText('€0.00 of €40.00 used')).toBeVisible();
  await page.goto(chat);
  const again = await review(page, page.getByRole('figure', { name: 'Cart' }));
  await expect(again).toContainText('€21.02 of €40.00 left for this month after this payment.');
  await again.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });

  await page.goto('/settings/payments#limits');
  await expect(page.getByText('€18.98 of €40.00 used')).toBeVisible();
  const seller = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Limit Pizza' }) });
  await expect(seller).toContainText('No limit · €18.98 used');
});

test('a limit can be removed, an invalid amount is explained, and each currency has its own limit', async ({
  page,
}) => {
  await page.goto('/settings/payments#limits');
  const name = 'Change the limit Per day of your account';
  const dialog = await openLimit(page, name);
  await dialog.getByRole('textbox', { name: 'Limit' }).fill('ten');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(dialog.getByText('Enter an amount, for example 25.00.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Limit' })).toBeFocused();
  await dialog.getByRole('textbox', { name: 'Limit' }).fill('5.00');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(page.getByText('€0.00 of €5.00 used')).toBeVisible();
  await page.getByRole('link', { name: 'USD', exact: true }).click();
  await expect(page).toHaveURL(/currency=USD/);
  await expect(page.getByText('€0.00 of €5.00 used')).toBeHidden();
  await page.getByRole('link', { name: 'EUR', exact: true }).click();
  await expect(page.getByText('€0.00 of €5.00 used')).toBeVisible();
  const removing = await openLimit(page, name);
  await removing.getByLabel('Limit the amount').uncheck();
  await removing.getByRole('button', { name: 'Save limit' }).click();
  await expect(page.getByText('€0.00 of €5.00 used')).toBeHidden();
});

test('spending alerts are shown in the header until the user opens the page that lists them', async ({ page }) => {
  const dialog = await review(page, await askForCart(page, shop));
  await dialog.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });

  await page.goto('/orders');
  await page.getByRole('button', { name: 'Account menu for Lina, with new spending alerts' }).click();
  const seen = page.waitForResponse((response) => response.url().endsWith('/api/spending/alerts/seen'));
  await page.getByRole('link', { name: 'New spending alerts' }).click();
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await expect(alerts.getByText('First payment to Limit Pizza.')).toBeVisible();
  await expect(alerts.getByText('New', { exact: true })).toBeVisible();
  expect((await seen).status()).toBe(204);

  await alerts.getByRole('link', { name: /18\.98.* order with/ }).click();
  await expect(page).toHaveURL(/\/orders\/ord_/);
  await expect(page.getByRole('button', { name: 'Account menu for Lina', exact: true })).toBeVisible();
  await page.goBack();
  await expect(alerts.getByText('First payment to Limit Pizza.')).toBeVisible();
  await expect(alerts.getByText('New', { exact: true })).toBeHidden();
  await expectNoViolations(page, 'spending alerts');
});

test('a standing approval pays twice without asking and asks the third time, and all can be stopped', async ({
  page,
}) => {
  test.slow();
  await addPasskey(page);
  const dialog = await review(page, await askForCart(page, shop));
  await dialog.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });
  await page.getByRole('dialog').getByRole('link', { name: 'View receipt' }).click();
  await page.getByRole('link', { name: 'Pay this merchant automatically' }).click();

  await expect(page.getByRole('heading', { name: 'Pay Limit Pizza automatically', level: 1 })).toBeVisible();
  await expectNoViolations(page, 'a new standing approval');
  await page.getByLabel('Maximum per order').fill('much');
  await page.getByRole('button', { name: 'Sign with passkey' }).click();
  await expect(page.getByText('Enter an amount, for example 25.00.')).toBeVisible();
  await page.getByLabel('Maximum number of payments').fill('a few');
  await page.getByRole('button', { name: 'Sign with passkey' }).click();
  await expect(page.getByText('Enter a whole number, for example 10, or leave it empty.')).toBeVisible();
  await page.getByLabel('Maximum number of payments').fill('10');
  const perDay = page.getByLabel('Maximum automatic payments a day');
  await expect(perDay).toHaveValue('3');
  await perDay.fill('0');
  await page.getByRole('button', { name: 'Sign with passkey' }).click();
  await expect(page.getByText('Enter a whole number from 1 to 100.')).toBeVisible();
  await perDay.fill('4');
  await page.getByLabel('Maximum per order').fill('20.00');
  await page.getByLabel('Maximum per month').fill('40.00');
  await page.getByRole('button', { name: 'Sign with passkey' }).click();
  await expect(page).toHaveURL('/settings/payments#automatic');
  const approval = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: /Limit Pizza.*Active/ }) });
  await expect(approval).toContainText('€0.00 of €40.00 this month');
  await expect(approval).toContainText('Maximum 4 automatic payments a day');

  for (let turn = 0; turn < 2; turn++) {
    await startConversation(page, shop.slug, 'The same again, please');
    await expect(page.getByRole('figure', { name: 'Cart' })).toContainText('€18.98 paid with test credits.');
  }
  await startConversation(page, shop.slug, 'And once more');
  const third = page.getByRole('figure', { name: 'Cart' });
  await expect(third).toContainText('Not paid automatically');
  await expect(third).toContainText('The payment would exceed the maximum per month of your standing approval.');
  await expect(third.getByRole('button', { name: 'Review and pay €18.98' })).toBeEnabled();

  await page.goto('/settings/payments#limits');
  await expect(approval).toContainText('€37.96 of €40.00 this month');
  await expectNoViolations(page, 'standing approvals');
  await expect(
    page.getByRole('region', { name: 'Alerts' }).getByText('Paid automatically to Limit Pizza.'),
  ).toHaveCount(2);
  await expect(page.getByText('2 automatic payments to Limit Pizza within an hour.')).toBeVisible();
  await page.getByLabel('Emails about automatic payments').selectOption('Once a day');
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Email setting saved.');
  await page.getByRole('button', { name: 'Stop all automatic payments' }).click();
  await expect(page.getByText('All automatic payments are stopped.')).toBeVisible();
  await startConversation(page, shop.slug, 'Anything');
  await expect(page.getByRole('figure', { name: 'Cart' })).toContainText('Automatic payments are stopped.');
});
