import { readFile } from 'node:fs/promises';
import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, password, signInAs, signUp } from './people';

test('AUD-1 a user can read their account activity, page by page', async ({ page }) => {
  const ada = await signUp('Ada');
  const session = { cookie: ada.cookie, origin: setting('parleyUrl') };
  for (let turn = 0; turn < 30; turn++) {
    const scopes = turn % 2 === 0 ? ['email', 'delegate'] : [];
    await send(`${setting('parleyUrl')}/api/grants/pizzeria`, { ...session, method: 'PUT', body: { scopes } });
  }
  await signInAs(page, ada);
  await page.goto('/settings/account');
  const places = page.getByRole('navigation', { name: 'Settings' });
  await places.getByRole('link', { name: 'Security' }).click();
  await places.getByRole('link', { name: 'Activity log' }).click();
  await expect(page).toHaveURL('/settings/security#activity');
  const rows = page.getByRole('region', { name: 'Activity log' }).getByRole('listitem');
  const first = rows.first();
  await expect(first).toContainText('Agent permissions changed: Trattoria Parley');
  await expect(page.getByText('Your email · Acting on your behalf').first()).toBeVisible();
  await expectNoViolations(page, 'the first page of activity');
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page.getByText('Signed in', { exact: true })).toBeVisible();
  await expect(page.getByText('With your sign-up link')).toBeVisible();
  await expectNoViolations(page, 'the last page of activity');
  await page.getByRole('link', { name: 'First page' }).click();
  await expect(page).toHaveURL('/settings/security#activity');
  await page.getByLabel('Topic').selectOption('Payments');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByRole('heading', { name: 'No matching activity' })).toBeVisible();
  await page.getByLabel('Topic').selectOption('Sign-in and security');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(rows).toHaveCount(2);
});

test('GDPR-1 a user can download their data', async ({ page }) => {
  const bea = await newAccount('Bea');
  await signInAs(page, bea);
  await page.goto('/settings/data');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download data' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^parley-account-\d{4}-\d\d-\d\d\.json$/);
  const { profile } = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(profile).toMatchObject({ email: bea.email, name: 'Bea' });
  await expect(page).toHaveURL('/settings/data');
});

test.describe('an account deletion', () => {
  test.use({ expectedErrors: [/400/] });

  test('GDPR-1 is possible by keyboard alone, even after a mistake, and signs the user out', async ({ page }) => {
    const cleo = await newAccount('Cleo');
    await signInAs(page, cleo);
    await page.goto('/settings/data');
    await expectNoViolations(page, 'one’s own data');
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.getByRole('button', { name: 'Delete account' }).click();
    const email = page.getByLabel('Email');
    await expect(email).toBeFocused();
    await expect(page.getByText('the email of this account')).toBeVisible();
    await expectNoViolations(page, 'a deletion without a word');
    await email.fill(cleo.email);
    await page.getByLabel('Password', { exact: true }).fill('not my password');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Expected the password of this account.')).toBeVisible();
    await expect(email).toHaveValue(cleo.email);

    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/');
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible();
    await page.goto('/settings/data');
    await expect(page).toHaveURL('/sign-in?next=%2Fsettings%2Fdata');
  });
});
