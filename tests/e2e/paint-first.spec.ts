import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { signInAsDemo } from './chat-fixture';

/** Records in the page when each script of its head was inserted. */
async function watchScripts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const times: number[] = [];
    Object.assign(globalThis, { scriptTimes: times });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (node instanceof HTMLScriptElement && node.async && node.parentElement === document.head) {
            times.push(performance.now());
          }
        }
      }
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Stops every timer in the page: neither the early fetching nor the paint timeout runs. */
async function withoutTimers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout: wait } = globalThis;
    const quick = (...[run, ms, ...rest]: Parameters<typeof wait>): unknown =>
      ms === 400 || ms === 2_000 ? 0 : wait(run, ms, ...rest);
    Object.assign(globalThis, { setTimeout: quick });
  });
}

/** The numbers of scripts inserted into the head before and after the first contentful paint. */
function scriptsOf(page: Page): Promise<{ before: number; after: number }> {
  return page.evaluate(() => {
    const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
    const times: number[] = Reflect.get(globalThis, 'scriptTimes');
    return { before: times.filter((at) => at <= painted).length, after: times.filter((at) => at > painted).length };
  });
}

/** Only a hydrated page handles this key. */
async function expectToListen(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test.describe('a page on a first visit', () => {
  for (const path of ['/', '/agents', '/docs']) {
    const tag = path === '/agents' ? [] : '@nightly';
    test(`is painted before its scripts run: ${path}`, { tag }, async ({ page }) => {
      await withoutTimers(page);
      await watchScripts(page);
      await page.goto(path);
      await expectToListen(page);
      const { before, after } = await scriptsOf(page);
      expect(before).toBe(0);
      expect(after).toBeGreaterThan(5);
    });
  }

  test('hydrates in a browser without paint timing', { tag: '@nightly' }, async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PerformanceObserver'));
    await page.goto('/agents');
    await expectToListen(page);
  });

  test('hydrates immediately in a background tab, which is never painted', { tag: '@nightly' }, async ({ page }) => {
    await withoutTimers(page);
    await page.addInitScript(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      PerformanceObserver.prototype.observe = () => undefined;
    });
    await page.goto('/agents');
    await expectToListen(page);
  });

  test('fetches its scripts if the paint is delayed, and then hydrates', async ({ page }) => {
    await page.addInitScript(() => {
      PerformanceObserver.prototype.observe = () => undefined;
    });
    await watchScripts(page);
    await page.goto('/agents', { waitUntil: 'commit' });
    const fetched = page.locator('head link[rel=preload][as=script]');
    await expect.poll(() => fetched.count()).toBeGreaterThan(5);
    await expectToListen(page);
    const times = await page.evaluate((): number[] => Reflect.get(globalThis, 'scriptTimes'));
    expect(Math.min(...times)).toBeGreaterThan(1_900);
  });

  test('navigates to another page without a full reload', async ({ page }) => {
    await page.goto('/agents');
    await expectToListen(page);
    await page.keyboard.press('Escape');
    await page.evaluate(() => Object.assign(globalThis, { stayed: true }));
    await page.locator('main h3 a[href^="/agents/"], main h2 a[href^="/agents/"]').first().click();
    await expect(page).toHaveURL(/\/agents\/[\w-]+$/);
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Agents');
    expect(await page.evaluate(() => 'stayed' in globalThis)).toBe(true);
  });
});

test('a signed-in user receives the scripts immediately', async ({ page }) => {
  await signInAsDemo(page);
  await watchScripts(page);
  await page.goto('/agents');
  await expectToListen(page);
  const { before } = await scriptsOf(page);
  expect(before).toBeGreaterThan(5);
});
