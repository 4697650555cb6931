import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const pages = [
  'profile',
  'publisher',
  'password',
  'sessions',
  'tokens',
  'agents',
  'apps',
  'receivers',
  'payments',
  'spending',
  'searches',
  'notifications',
  'activity',
  'data',
];

test('a long list of access tokens can be searched and paged, and reports when no token matches', async ({ page }) => {
  const ada = await newAccount('Ada');
  const session = { cookie: ada.cookie, origin: setting('parleyUrl') };
  for (let turn = 1; turn <= 26; turn++) {
    const body = { name: `script-${turn}`, scopes: ['agents:read'] };
    await send(`${setting('parleyUrl')}/api/auth/access-tokens`, { ...session, body });
  }
  await signInAs(page, ada);
  await page.goto('/settings/tokens');
  const rows = page.locator('main li').filter({ hasText: 'script' });
  await expect(rows).toHaveCount(25);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(rows.first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search tokens' }).fill('script-17');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search tokens' }).fill('nothing');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { name: 'No results for “nothing”' })).toBeVisible();
  await expectNoViolations(page, 'a search without results');
  await page.getByRole('link', { name: 'Clear search' }).click();
  await expect(page).toHaveURL('/settings/tokens');
});

test('a token that can pay shows its spending limit', async ({ page }) => {
  const bob = await newAccount('Bob');
  await signInAs(page, bob);
  await page.goto('/settings/tokens');
  await expect(page.getByText('Maximum: 50.00 per order, 100.00 per day and 500.00 per month')).toBeVisible();
  const session = { cookie: bob.cookie, origin: setting('parleyUrl') };
  const body = { passkeyAbove: 2_550 };
  await send(`${setting('parleyUrl')}/api/payments/settings`, { ...session, method: 'PUT', body });
  await page.reload();
  await expect(page.getByText('Maximum: 25.50 per order')).toBeVisible();
});

test('every settings page is accessible, in both themes, including on phones', async ({ page }) => {
  test.slow();
  await signInAs(page, await newAccount('Cleo'));
  for (const name of pages) {
    await page.goto(`/settings/${name}`);
    await expectNoViolations(page, `settings: ${name}`, { colors: 'light' });
  }
});

test('the settings on a phone are one menu that names the current page', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await signInAs(page, await newAccount('Dora'));
  await page.goto('/settings/profile');
  const places = page.getByRole('navigation', { name: 'Settings' });
  await places.getByText('Settings: Profile').click();
  await places.getByRole('link', { name: 'Connected agents' }).click();
  await expect(page).toHaveURL('/settings/agents');
  await expect(places.getByText('Settings: Connected agents')).toBeVisible();
  await expect(places.getByRole('link', { name: 'Profile' })).toBeHidden();
});

test('the settings menu on a phone stays open while the page behind it still loads', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await signInAs(page, await newAccount('Nora'));
  await page.goto('/');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/settings/profile*', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  const places = page.getByRole('navigation', { name: 'Settings' });
  await places.getByText('Settings: Profile').click();
  await expect(places.getByRole('link', { name: 'Connected agents' })).toBeVisible();
  release();
  await expect(page).toHaveURL('/settings/profile');
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
  await expect(places.getByRole('link', { name: 'Connected agents' })).toBeVisible();
});
