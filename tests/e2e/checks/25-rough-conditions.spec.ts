import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { type Account, newAccount, signInAs } from '../people';

let ada: Account;

test.beforeAll(async () => {
  ada = await newAccount('Ada');
});

test('the first paint equals the final paint in ten reloads of a page in the chosen theme', async ({ page }) => {
  await page.goto('/docs');
  const search = page.getByRole('combobox', { name: 'Search agents, conversations, pages, and actions' });
  // A key pressed before hydration is lost.
  await expect(async () => {
    await page.keyboard.press('Control+k');
    await expect(search).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.type('theme: dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  for (let turn = 0; turn < 10; turn++) {
    await page.reload({ waitUntil: 'commit' });
    const first = await page.locator('html').getAttribute('data-theme');
    await page.waitForLoadState('load');
    expect([first, await page.locator('html').getAttribute('data-theme')]).toEqual(['dark', 'dark']);
  }
});

test('no page sends requests to another origin, and scripts run only with a nonce', async ({ page }) => {
  const url = setting('parleyUrl');
  const external: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) external.push(request.url());
  });
  await signInAs(page, ada);
  for (const path of [
    '/',
    '/agents',
    '/agents/analyst',
    '/docs',
    '/docs/api',
    '/status',
    '/chat',
    '/console',
    '/settings/security',
  ]) {
    const response = await page.goto(path, { waitUntil: 'networkidle' });
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/script-src [^;]*'nonce-[^']+'/);
    expect(policy).not.toMatch(/script-src [^;]*'unsafe-inline'/);
  }
  expect(external).toEqual([]);
});

test('a docs page loads at most 220 KB of script', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  await client.send('Network.enable');
  client.on('Network.responseReceived', ({ requestId, type }) => type === 'Script' && scripts.add(requestId));
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  for (const path of ['/docs/getting-started', '/docs/api', '/docs/errors']) {
    bytes = 0;
    await client.send('Network.clearBrowserCache');
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(bytes, path).toBeGreaterThan(0);
    expect(bytes, path).toBeLessThanOrEqual(220 * 1024);
  }
});

test.describe('a lost connection', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|Failed to (load|fetch)/] });

  test('is shown on the affected pages, and no input is lost', async ({ page, context }) => {
    await page.goto('/forgot');
    await page.getByLabel('Email').fill('ada@example.test');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t reach Parley' })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.test');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page).toHaveURL(/\/forgot\/sent/);
  });
});

test.describe('a rejected request', () => {
  test.use({ expectedErrors: [/429|500|503/] });

  for (const [status, code, title] of [
    [429, 'rate_limited', 'Too many emails to this address. Try again in 20 minutes.'],
    [500, 'internal', 'Something went wrong on our side. Include the request ID req_x when you report this.'],
    [503, 'unavailable', 'The email could not be sent. Try again in a few minutes.'],
  ] as const) {
    const tag = status === 429 ? [] : '@nightly';
    test(`with ${status} is explained, and the input is kept`, { tag }, async ({ page }) => {
      await page.route('**/api/auth/link', (route) =>
        route.fulfill({
          status,
          contentType: 'application/problem+json',
          headers: { 'retry-after': '1200' },
          body: JSON.stringify({ title, status, code, requestId: 'req_x' }),
        }),
      );
      await page.goto('/sign-in/mail');
      await page.getByLabel('Email').fill('ada@example.test');
      await page.getByRole('button', { name: 'Email me a link' }).click();
      await expect(page.getByRole('alert').filter({ hasText: title })).toBeVisible();
      await expect(page.getByLabel('Email')).toHaveValue('ada@example.test');
    });
  }
});

test.describe('a script that fails to load', () => {
  test.use({ expectedErrors: [/Failed to load resource/] });

  test('is requested again, until its content appears', async ({ page }) => {
    await page.goto('/docs');
    await page.waitForLoadState('networkidle');
    let refused = 0;
    await page.route('**/_next/static/chunks/*.js', async (route) => {
      if (refused >= 4) return route.continue();
      refused += 1;
      await route.abort();
    });
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible();
    expect(refused).toBe(4);
  });
});
