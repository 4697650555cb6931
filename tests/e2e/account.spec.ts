import type { Browser, Page } from '@playwright/test';
import { OidcProvider } from '../fakes/oidc-provider';
import { demoUser, expect, test } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { setting } from '../support/settings';
import {
  type Account,
  fillSignIn,
  linkMailedTo,
  newAccount,
  newAddress,
  password,
  signInAgain,
  signInAs,
} from './people';

const account = (page: Page) => page.getByRole('button', { name: /^Account menu for/ });

test('a sign-up through the emailed link ends on the original page, signed in', async ({ page }) => {
  await page.goto('/agents/pizzeria');
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Sign up' }).click();
  const email = newAddress('Sarah');
  await page.getByLabel('Name').fill('Sarah');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/sign-up\/sent/);

  await page.goto(linkMailedTo(email));
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Confirm and sign in' }).click();
  await expect(page).toHaveURL('/agents/pizzeria');
  await expect(account(page)).toHaveAccessibleName('Account menu for Sarah');

  await page.goto(linkMailedTo(email));
  await expect(page.getByText('This link is no longer valid')).toBeVisible();
});

test.describe('a wrong password', () => {
  test.use({ expectedErrors: [/401/] });

  test('shows an error and keeps the email, and the right password leads to the requested page', async ({ page }) => {
    const { email, password: right } = demoUser();
    await page.goto('/settings/connections');
    await expect(page).toHaveURL('/sign-in?next=%2Fsettings%2Fconnections');
    await fillSignIn(page, { email, password: 'not the password' });
    await expect(page.getByRole('alert').filter({ hasText: /Incorrect/ })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await fillSignIn(page, { email, password: right });
    await expect(page).toHaveURL('/settings/connections');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connections');
  });
});

test('sign-in works by keyboard alone, accepts a pasted password, and labels fields for password managers', async ({
  page,
}) => {
  const { email, password: right } = demoUser();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/sign-in?next=%2Fagents%2Fanalyst');
  await page.evaluate((text) => navigator.clipboard.writeText(text), right);
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username');
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'current-password');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.press('ControlOrMeta+V');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/agents/analyst');
  await expect(account(page)).toBeVisible();
});

test.describe('an account holder without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('can sign in, continue to the requested page, and sign out', async ({ page }) => {
    await page.goto('/sign-in?next=%2Fagents%2Fanalyst');
    await fillSignIn(page, demoUser());
    await expect(page).toHaveURL('/agents/analyst');
    await page.goto('/sign-out');
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  });
});

test.describe('the user’s own account', () => {
  let me: Account;
  test.beforeAll(async () => {
    me = await newAccount('Mira');
  });
  test.beforeEach(async ({ page }) => {
    await signInAs(page, { cookie: await signInAgain(me) });
  });

  test('lists sessions, and ending one signs that browser out', async ({ page, browser }) => {
    const other = await otherBrowser(browser, me);
    await page.goto('/settings/security#sessions');
    const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
    const before = await rows.count();
    await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
    await page.getByRole('button', { name: 'Sign out of Firefox on Windows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect(rows).toHaveCount(before - 1);
    await other.reload();
    await expect(other).toHaveURL(/\/sign-in\?next=/);

    const third = await otherBrowser(browser, me);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(rows).toHaveCount(1);
    await third.reload();
    await expect(third).toHaveURL(/\/sign-in\?next=/);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Security');
    await other.context().close();
    await third.context().close();
  });

  test('shows a new name immediately on every page', async ({ page }) => {
    await page.goto('/settings');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Account/ })
      .click();
    await expect(page).toHaveURL('/settings/account');
    await page.getByRole('region', { name: 'Profile' }).getByLabel('Name').fill('Mira Nova');
    await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
    await expect(account(page)).toHaveAccessibleName('Account menu for Mira Nova');
  });
});

/** A page in another browser signed in as this user, on their sessions page. */
async function otherBrowser(browser: Browser, person: Account): Promise<Page> {
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const context = await browser.newContext({ baseURL: setting('parleyUrl'), userAgent });
  const page = await context.newPage();
  await page.goto('/sign-in?next=%2Fsettings%2Fsecurity%23sessions');
  await fillSignIn(page, { email: person.email, password });
  await expect(page).toHaveURL('/settings/security#sessions');
  return page;
}

test.describe('sign-in through an OpenID provider', () => {
  // The provider has no icon.
  test.use({ expectedErrors: [/favicon\.ico/] });
  let provider: OidcProvider;
  let parley: Parley;
  test.beforeAll(async () => {
    provider = await OidcProvider.start();
    parley = await startParley({ env: provider.env });
    provider.register(parley.url);
    provider.people.set('ada', { email: 'ada@example.test', email_verified: true, name: 'Ada' });
    provider.people.set('eve', { email: 'eve@example.test', email_verified: false });
  });
  test.afterAll(async () => {
    await parley?.stop();
    await provider?.stop();
  });

  async function signIn(page: Page, login: string): Promise<void> {
    await page.goto(`${parley.url}/sign-in?next=%2Fsettings%2Faccount%23profile`);
    await page.getByRole('button', { name: /^Continue with/ }).click();
    await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/sign-in/`));
    await page.getByLabel('Login').fill(login);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  test('complies with the content security policy, and returns the user to the requested page', async ({ page }) => {
    await signIn(page, 'ada');
    await expect(page).toHaveURL(`${parley.url}/settings/account#profile`);
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.test');
    await expect(account(page)).toHaveAccessibleName('Account menu for Ada');
  });

  test('creates no account for an unverified email, and explains what to do next', async ({ page }) => {
    await signIn(page, 'eve');
    await expect(page).toHaveURL(/\/sign-in\?.*error=email_unverified/);
    await expect(page.getByText('Your email is not verified with the provider')).toBeVisible();
    await expect(page.getByText('Verify it there and try again')).toBeVisible();
  });
});
