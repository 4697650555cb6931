import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { askForCart, openShop, review, type Shop } from './buying-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

const parley = setting('parleyUrl');

test.use({ expectedErrors: [/400/] });

let seller: Account;
let shop: Shop;

test.beforeAll(async () => {
  seller = await newAccount('Sally');
  shop = await openShop(parley, seller, 'Paper Pizza');
});
test.afterAll(() => shop?.merchant.stop());

/** Opens a page and checks it in both themes, wide and narrow. */
async function look(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectNoViolations(page, path, { colors: 'both' });
}

/** A text field. Optional ones say so after their name. */
function field(page: Page, label: string): ReturnType<Page['getByLabel']> {
  return page.getByLabel(new RegExp(`^${label}`));
}

async function enter(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await field(page, label).fill(text);
  await page.getByLabel('Country', { exact: true }).selectOption('DE');
}

test('a seller and a buyer enter who they are; a sale gets an invoice, a refund a credit note, both a statement', async ({
  page,
}) => {
  await signInAs(page, seller);
  await page.goto('/console/income');
  await page.getByRole('link', { name: 'Tax and statements' }).click();
  await expect(page.getByText('No statements yet')).toBeVisible();
  await enter(page, { 'Name or company': 'Sally GmbH', 'Street and number': 'Ring 1', City: 'Bonn', 'VAT id': 'DE1' });
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Not a valid VAT id of DE')).toBeVisible();
  await field(page, 'VAT id').fill('DE 136 695 976');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByRole('button', { name: 'Remove details' })).toBeVisible();

  const buyer = await newAccount('Bo');
  await signInAs(page, buyer);
  await page.goto('/settings/payments#billing');
  await enter(page, { 'Name or company': 'Bo Bakery', 'Street and number': 'Allee 2', City: 'Bonn' });
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByRole('button', { name: 'Remove details' })).toBeVisible();
  const dialog = await review(page, await askForCart(page, shop));
  await dialog.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });
  await page.goto('/orders');
  await page.getByRole('link', { name: 'Invoices' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Invoices' })).toBeVisible();
  const number = `TEST-INV-${new Date().getUTCFullYear()}-000001`;
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(number)).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: `${number} as PDF` }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`parley-${number}.pdf`);
  await look(page, '/orders/papers');
  await look(page, '/settings/payments');

  await page.goto('about:blank');
  await signInAs(page, seller);
  await page.goto('/console/income');
  await page.getByRole('button', { name: /^Refund the sale of/ }).click();
  const refund = page.getByRole('dialog');
  await refund.getByLabel('Amount in EUR').fill('5.00');
  await refund.getByRole('button', { name: 'Refund €5.00' }).click();
  await expect(refund).toBeHidden();
  await expect(async () => {
    await page.goto('/console/income/papers');
    await expect(page.getByText(number.replace('INV', 'CN'))).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  await look(page, '/console/income/papers');
  await expect(page.getByText(number)).toBeVisible();
  const [statement] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Year \d+ as PDF$/ }).click(),
  ]);
  expect(statement.suggestedFilename()).toMatch(/^parley-statement-20\d\d\.pdf$/);
});
