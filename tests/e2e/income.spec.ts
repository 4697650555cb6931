import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { askForCart, latestOrder, openShop, review, type Shop } from './buying-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

const parley = setting('parleyUrl');

let seller: Account;
let shop: Shop;

test.beforeAll(async () => {
  seller = await newAccount('Sally');
  shop = await openShop(parley, seller, 'Income Pizza');
});
test.afterAll(() => shop?.merchant.stop());

async function change(sql: string, values: unknown[]): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: setting('databaseUrl') });
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Makes the seller owe 4.20 dollars, as refunds after a payout do. */
async function owe({ email }: Account): Promise<void> {
  const [user] = await change('SELECT id FROM "user" WHERE email = $1', [email]);
  const accounts = [
    ['available', user?.id, -420],
    ['outside', `parley-${user?.id}`, 420],
  ];
  for (const [kind, owner, balance] of accounts) {
    await change(
      `INSERT INTO ledger_account (id, kind, owner, currency, test, balance)
       VALUES ('lac_' || left(md5($2), 20), $1, $2, 'USD', true, $3)`,
      [kind, owner, balance],
    );
  }
  await change(
    `WITH posted AS (INSERT INTO ledger_transaction (id, key, kind, at)
         VALUES ('ltx_' || left(md5($1), 20), 'test:' || $1, 'correction', now()) RETURNING id)
     INSERT INTO ledger_entry (transaction_id, account_id, amount)
       SELECT posted.id, a.id, a.balance FROM posted, ledger_account a WHERE a.owner IN ($1, 'parley-' || $1) AND a.currency = 'USD'
         AND a.kind IN ('available', 'outside')`,
    [user?.id],
  );
}

/** A buyer pays 18.98 euros. Returns the id of the order. */
async function sell(page: Page): Promise<string> {
  const buyer = await newAccount('Bo');
  await signInAs(page, buyer);
  const dialog = await review(page, await askForCart(page, shop));
  await dialog.getByRole('button', { name: 'Pay €18.98', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Paid €18\.98/ })).toBeFocused({ timeout: 20_000 });
  // The open conversation would ask for the buyer's order as the next user.
  await page.goto('about:blank');
  return (await latestOrder(parley, buyer)).id;
}

/** The tile of a balance. */
function tile(page: Page, name: string): ReturnType<Page['locator']> {
  return page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
}

test('a seller sees what is pending with its date and reason, what is taken, and what is available', async ({
  page,
}) => {
  await signInAs(page, seller);
  await page.goto('/console/sales');
  await page.getByRole('main').getByRole('link', { name: 'Income', exact: true }).last().click();
  await expect(page.getByRole('heading', { name: 'No income yet' })).toBeVisible();
  await expect(page.getByText('Parley keeps 5% of each sale. Of €10.00, you get €9.50.')).toBeVisible();
  await expectNoViolations(page, 'income without sales');

  const saleId = await sell(page);
  await signInAs(page, seller);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/console/income');
  await expect(tile(page, 'Pending')).toContainText('€18.04');
  await expect(tile(page, 'Available')).toContainText('€0.00');
  const holds = page.getByRole('listitem').filter({ hasText: 'Refund period' });
  await expect(holds).toContainText('€18.04');
  await expect(holds).toContainText('1 sale');
  await expect(holds.locator('time')).toBeVisible();
  const row = page.getByRole('row').filter({ hasText: saleId });
  for (const amount of ['€18.98', '-€0.94', '€18.04']) await expect(row).toContainText(amount);
  await expect(row).toContainText('refund period until');
  await expectNoViolations(page, 'income with a pending sale', { colors: 'both' });

  await change('UPDATE earning SET available_at = now() WHERE sale_id = $1', [saleId]);
  await expect(async () => {
    await page.goto('/console/income');
    await expect(tile(page, 'Available')).toContainText('€18.04', { timeout: 500 });
  }).toPass();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(row).toContainText('Available');
  await expect(tile(page, 'Pending')).toContainText('€0.00');
});

test('a negative balance and a longer hold are explained in words', async ({ page }) => {
  const saleId = await sell(page);
  await change(`UPDATE earning SET hold = 'new_seller', available_at = now() + interval '7 days' WHERE sale_id = $1`, [
    saleId,
  ]);
  await owe(seller);
  await signInAs(page, seller);
  await page.goto('/console/income');
  const dollars = page.getByRole('region', { name: /^Balance in USD/ });
  await expect(dollars).toContainText('-$4.20');
  await expect(dollars).toContainText('You owe this.');
  await expect(dollars).toContainText('Your next sales pay this first.');
  const euros = page.getByRole('region', { name: /^Balance in EUR/ });
  await expect(euros.getByRole('listitem').filter({ hasText: 'New seller' })).toContainText('first 30 days');
  await expectNoViolations(page, 'income with a negative balance', { colors: 'both' });
});

test('fees are shown before an agent is listed, next to prices, and in a public table', async ({ page }) => {
  await page.goto('/fees');
  const row = page.getByRole('row').filter({ hasText: 'EUR' });
  await expect(row).toContainText('5%');
  await expect(row).toContainText('Of €10.00, the seller gets €9.50');
  await expectNoViolations(page, 'the table of fees', { colors: 'both' });
  await signInAs(page, seller);
  for (const path of ['/console/agents/new', `/console/agents/${shop.slug}/settings`]) {
    await page.goto(path);
    await expect(page.getByText('Parley keeps 5% of each sale. Of €10.00, you get €9.50.')).toBeVisible();
  }
  await page.getByRole('link', { name: 'Fees in all currencies' }).click();
  await expect(page).toHaveURL(/\/fees$/);
});
