import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

/** The groups of settings, each with its sections in order. */
const groups = {
  Account: ['Profile', 'Language', 'Publisher'],
  Security: ['Password', 'Sessions', 'Activity log'],
  Payments: [
    'Wallet',
    'Passkeys',
    'Passkey threshold',
    'Spending limits',
    'Automatic payments',
    'Approved prices',
    'Results to accept',
    'Charges and disputes',
    'Billing details',
    'Spending',
  ],
  Connections: ['Access tokens', 'Connected apps', 'Connected agents', 'Webhooks'],
  Notifications: ['Emails', 'Devices', 'Saved searches'],
  Data: ['Export your data', 'How long data is kept', 'Delete your account'],
};

/** Addresses that emails, bookmarks and other sites still have. */
const moved = {
  profile: 'account#profile',
  publisher: 'account#publisher',
  password: 'security#password',
  sessions: 'security#sessions',
  activity: 'security#activity',
  tokens: 'connections#tokens',
  apps: 'connections#apps',
  agents: 'connections#agents',
  receivers: 'connections#webhooks',
  searches: 'notifications#searches',
  spending: 'payments#limits',
};

test('a long list of access tokens can be searched and paged, and says if no token matches', async ({ page }) => {
  const ada = await newAccount('Ada');
  const session = { cookie: ada.cookie, origin: setting('parleyUrl') };
  for (let turn = 1; turn <= 26; turn++) {
    const body = { name: `script-${turn}`, scopes: ['agents:read'] };
    await send(`${setting('parleyUrl')}/api/auth/access-tokens`, { ...session, body });
  }
  await signInAs(page, ada);
  await page.goto('/settings/connections#tokens');
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
  await expect(page).toHaveURL('/settings/connections#tokens');
});

test('a token that can pay shows its spending limit', async ({ page }) => {
  const bob = await newAccount('Bob');
  await signInAs(page, bob);
  await page.goto('/settings/connections#tokens');
  await expect(page.getByText('Maximum: 50.00 per order, 100.00 per day and 500.00 per month')).toBeVisible();
  const session = { cookie: bob.cookie, origin: setting('parleyUrl') };
  const body = { passkeyAbove: 2_550 };
  await send(`${setting('parleyUrl')}/api/payments/settings`, { ...session, method: 'PUT', body });
  await page.reload();
  await expect(page.getByText('Maximum: 25.50 per order')).toBeVisible();
});

test('every settings page is accessible in both themes, including on phones', async ({ page }) => {
  test.slow();
  await signInAs(page, await newAccount('Cleo'));
  await page.goto('/settings');
  await expectNoViolations(page, 'the list of settings', { colors: 'light' });
  for (const name of Object.keys(groups)) {
    await page.goto(`/settings/${name.toLowerCase()}`);
    await expectNoViolations(page, `settings: ${name}`, { colors: 'light' });
  }
});

test('settings have six groups, and a link to a section moves the focus to its heading', async ({ page }) => {
  await signInAs(page, await newAccount('Emil'));
  await page.goto('/settings/account');
  const places = page.getByRole('navigation', { name: 'Settings' });
  for (const [group, sections] of Object.entries(groups)) {
    await places.getByRole('link', { name: group, exact: true }).click();
    await expect(page).toHaveURL(`/settings/${group.toLowerCase()}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(group);
    await expect(page).toHaveTitle(`${group} · Settings · Parley`);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(sections);
    const links = places.getByRole('list', { name: 'On this page' }).getByRole('link');
    await expect(links).toHaveText(sections);
    for (const section of sections) {
      await links.filter({ hasText: new RegExp(`^${section}$`) }).press('Enter');
      await expect(page.getByRole('heading', { level: 2, name: section, exact: true })).toBeFocused();
      await expect(links.filter({ hasText: new RegExp(`^${section}$`) })).toHaveAttribute('aria-current', 'location');
    }
  }
  // The list of sections stays in view at the end of a long page.
  await page.goto('/settings/payments#paid');
  await expect(page.getByRole('heading', { level: 2, name: 'Spending', exact: true })).toBeFocused();
  await expect(places.getByRole('link', { name: 'Wallet' })).toBeInViewport();
});

test('a link from another page moves the focus to the settings section', async ({ page }) => {
  await signInAs(page, await newAccount('Fritz'));
  await page.goto('/docs/call-an-agent');
  await page.getByRole('main').getByRole('link', { name: 'Settings → Connections → Access tokens' }).click();
  await expect(page).toHaveURL('/settings/connections#tokens');
  await expect(page.getByRole('heading', { name: 'Access tokens', exact: true })).toBeFocused();
});

test('former settings URLs redirect permanently to the section, with their query', async ({ page }) => {
  const url = setting('parleyUrl');
  for (const [from, to] of Object.entries(moved)) {
    const response = await page.request.get(`/settings/${from}`, { maxRedirects: 0 });
    expect([from, response.status(), response.headers().location]).toEqual([from, 308, `/settings/${to}`]);
  }
  const form = await page.request.get('/settings/spending/new?order=ord_1', { maxRedirects: 0 });
  expect(form.headers().location).toBe('/settings/payments/automatic?order=ord_1');
  await signInAs(page, await newAccount('Greta'));
  await page.goto('/settings/spending?month=2026-01');
  await expect(page).toHaveURL('/settings/payments?month=2026-01#limits');
  await expect(page.getByRole('heading', { name: 'Spending limits' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'January 2026' })).toBeVisible();
  const pages = ['/', '/agents/pizzeria', '/console', '/orders', '/docs/tokens', '/docs/security', '/settings'];
  for (const path of [...pages, ...Object.keys(groups).map((name) => `/settings/${name.toLowerCase()}`)]) {
    await page.goto(path);
    const links = await page
      .locator('a[href*="/settings/"]')
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    const old = links.filter((link) =>
      Object.keys(moved).some((name) => link.split(/[?#]/)[0] === `${url}/settings/${name}`),
    );
    expect(old, path).toEqual([]);
  }
});

test('the settings on a phone start with the list of groups, and each group leads back to it', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await signInAs(page, await newAccount('Dora'));
  await page.goto('/');
  await page.getByRole('banner').getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
  await expect(page).toHaveURL('/settings');
  const list = page.getByRole('main').getByRole('listitem');
  await expect(list).toHaveCount(Object.keys(groups).length);
  await expect(list.last()).toBeInViewport();
  await list.getByRole('link', { name: /^Connections/ }).click();
  await expect(page).toHaveURL('/settings/connections');
  const sections = page.getByRole('list', { name: 'On this page' }).getByRole('link');
  await expect(sections).toHaveText(groups.Connections);
  await sections.last().click();
  await expect(page.getByRole('heading', { name: 'Webhooks', exact: true })).toBeFocused();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');
});
