import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { authorizePath, registerClient } from './authorize-fixture';
import { startConversation, statusLine } from './chat-fixture';
import { type Account, newAccount, signInAs } from './people';

const kB = 1_000;

interface Load {
  scripts: number;
  total: number;
  /** Requests to other origins. */
  foreign: string[];
}

/** Transfer of a browser's first visit until the network is idle, in encoded bytes. */
async function load(page: Page, path: string): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  const found: Load = { scripts: 0, total: 0, foreign: [] };
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    found.total += encodedDataLength;
    if (scripts.has(requestId)) found.scripts += encodedDataLength;
  });
  page.on('request', (request) => found.foreign.push(new URL(request.url()).origin));
  await session.send('Network.enable');
  await page.goto(path, { waitUntil: 'networkidle' });
  const own = new URL(page.url()).origin;
  await session.detach();
  return { ...found, foreign: found.foreign.filter((origin) => origin !== own) };
}

async function expectWithin(page: Page, path: string, budget: number): Promise<Load> {
  const found = await load(page, path);
  expect(found.scripts, `script of ${path}`).toBeGreaterThan(10 * kB);
  expect(found.scripts, `script of ${path}`).toBeLessThanOrEqual(budget);
  expect(found.foreign, `other hosts asked by ${path}`).toEqual([]);
  return found;
}

for (const path of ['/', '/agents', '/agents/pizzeria', '/sign-in', '/sign-up']) {
  test(`${path} loads at most 200 KB of script and 500 KB in all, without any layout shift`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      });
      observer.observe({ type: 'layout-shift', buffered: true });
    });
    const { total } = await expectWithin(page, path, 200 * kB);
    expect(total).toBeLessThanOrEqual(500 * kB);
    expect(await page.evaluate<number>('shifts.reduce((sum, shift) => sum + shift, 0)')).toBeLessThanOrEqual(0.02);
  });
}

test.describe('a signed-in user', () => {
  let person: Account;
  test.beforeAll(async () => {
    person = await newAccount('Bruno');
  });
  test.beforeEach(({ page }) => signInAs(page, person));

  test('loads at most 260 KB of script for a new chat or an existing conversation', async ({ page, browser }) => {
    await expectWithin(page, '/chat/new?agent=conformance', 260 * kB);
    await startConversation(page, 'conformance', 'Hello');
    await expect(statusLine(page)).toHaveText(/Completed/);
    const cold = await (await browser.newContext()).newPage();
    await signInAs(cold, person);
    await expectWithin(cold, page.url(), 260 * kB);
    await cold.context().close();
  });

  test('loads at most 200 KB of script for the consent page', async ({ page }) => {
    const redirectUri = 'http://127.0.0.1/callback';
    const client = { clientId: await registerClient(redirectUri), redirectUri };
    await expectWithin(page, authorizePath(client), 200 * kB);
  });

  /** The pages with most script are checked daily. */
  const heaviest = ['/console', '/console/agents/new', '/settings/payments'];
  for (const path of [
    ...heaviest,
    '/console/apps',
    '/console/sales',
    '/orders',
    '/settings/account',
    '/settings/security',
    '/settings/connections',
    '/settings/notifications',
  ]) {
    const tag = heaviest.includes(path) ? [] : '@nightly';
    test(`at ${path} loads at most 300 KB of script`, { tag }, async ({ page }) => {
      await expectWithin(page, path, 300 * kB);
    });
  }
});
