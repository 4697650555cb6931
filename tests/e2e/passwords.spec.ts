import { expect, test } from '../support/page';
import { linkMailedTo, newAccount, password, signInAgain, signInAs } from './people';

const fresh = 'an entirely new sentence';

test('a forgotten password is replaced through a link, which signs in and signs out other browsers', async ({
  page,
  browser,
}) => {
  const ada = await newAccount('Ada');
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await signInAs(elsewhere, { cookie: await signInAgain(ada) });
  await page.goto('/sign-in?next=%2Forders');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset password' })).toBeVisible();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page).toHaveURL(/\/forgot\/sent/);
  await expect.poll(() => linkMailedTo(ada.email)).toContain('/reset?');
  const link = linkMailedTo(ada.email);

  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Save password and sign in' }).click();
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused();
  await page.getByLabel('New password', { exact: true }).fill(fresh);
  await page.getByRole('button', { name: 'Save password and sign in' }).click();
  await expect(page).toHaveURL('/orders');

  await elsewhere.goto('/settings/account#profile');
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await other.close();
  await page.goto(link);
  await expect(page.getByText('This link is no longer valid')).toBeVisible();
});

test.describe('an email link without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('signs in with one click', async ({ page }) => {
    const bea = await newAccount('Bea');
    await page.goto('/sign-in/mail');
    await page.getByLabel('Email').fill(bea.email);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect.poll(() => linkMailedTo(bea.email)).toContain('/sign-in/link?');
    await page.goto(linkMailedTo(bea.email));
    await expect(page.getByText(bea.email)).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await expect(page).not.toHaveURL(/sign-in|api/);
    await page.goto('/settings/account#profile');
    await expect(page.getByRole('region', { name: 'Profile' }).getByLabel('Name')).toHaveValue('Bea');
  });
});

test.describe('the sign-in settings', () => {
  test.use({ expectedErrors: [/400/] });

  test('change the password if the old one is given', async ({ page }) => {
    const cora = await newAccount('Cora');
    await signInAs(page, cora);
    await page.goto('/settings/security#password');
    await page.getByLabel('Current password', { exact: true }).fill('not the old one');
    await page.getByLabel('New password', { exact: true }).fill(fresh);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Expected your current password')).toBeVisible();
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('status')).toContainText('Password saved.');
  });
});

test('signing out everywhere ends the sessions in other browsers immediately', async ({ page, browser }) => {
  const dora = await newAccount('Dora');
  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await signInAs(elsewhere, { cookie: await signInAgain(dora) });
  await signInAs(page, dora);
  await page.goto('/settings/security#sessions');
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByRole('status')).toContainText('Signed out everywhere else.');
  await elsewhere.goto('/settings/account#profile');
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await other.close();
});

test('email preferences can be changed in the settings', async ({ page }) => {
  await signInAs(page, await newAccount('Edda'));
  await page.goto('/settings/notifications');
  await expect(page.getByLabel(/^Security/)).toBeDisabled();
  await page.getByLabel(/^Reviews/).uncheck();
  const emails = page.getByRole('region', { name: 'Emails' });
  await emails.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status')).toContainText('Notification settings saved.');
  await page.reload();
  await expect(page.getByLabel(/^Reviews/)).not.toBeChecked();
});
