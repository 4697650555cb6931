import type { Page } from '@playwright/test';
import { expect, test } from '../../support/page';

const phone = { width: 390, height: 844 };
const kB = 1_000;

interface Painted {
  lcp: number;
  shift: number;
  /** Sum of long task time beyond 50 ms. */
  blocked: number;
}

/** Measurements of the browser's own observers until the network is idle, and bytes of scripts and in total. */
async function visit(page: Page, path: string): Promise<Painted & { ttfb: number; scripts: number; total: number }> {
  await page.setViewportSize(phone);
  await page.addInitScript(observe);
  const session = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  const bytes = { scripts: 0, total: 0 };
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.total += encodedDataLength;
    if (scripts.has(requestId)) bytes.scripts += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await page.goto(path, { waitUntil: 'networkidle' });
  const painted = await page.evaluate<Painted>('window.painted');
  const ttfb = await page.evaluate<number>(
    "performance.getEntriesByType('navigation')[0].responseStart - performance.getEntriesByType('navigation')[0].requestStart",
  );
  return { ...painted, ttfb, ...bytes };
}

function observe(): void {
  const painted = { lcp: 0, shift: 0, blocked: 0 };
  Object.assign(window, { painted });
  const watch = (type: string, take: (entry: PerformanceEntry & { value: number }) => void): void => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as PerformanceEntry & { value: number });
    });
    observer.observe({ type, buffered: true });
  };
  watch('largest-contentful-paint', ({ startTime }) => {
    painted.lcp = startTime;
  });
  watch('layout-shift', ({ value }) => {
    painted.shift += value;
  });
  watch('longtask', ({ duration }) => {
    painted.blocked += Math.max(0, duration - 50);
  });
}

for (const path of ['/agents', '/agents/pizzeria']) {
  test(`a cold visit to ${path} on a phone is fast, small and stable`, async ({ page, request }) => {
    // A route's first response is slower than all others; visits are measured on a warm server.
    await request.get(path);
    const found = await visit(page, path);
    expect(found.scripts, 'bytes of script').toBeLessThanOrEqual(200 * kB);
    expect(found.total, 'bytes in all').toBeLessThanOrEqual(500 * kB);
    expect(found.shift, 'layout shift').toBeLessThanOrEqual(0.02);
    expect(found.lcp, 'largest contentful paint, ms').toBeGreaterThan(0);
    expect(found.lcp, 'largest contentful paint, ms').toBeLessThanOrEqual(1_800);
  });
}

test.describe('a visitor without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('can read the first page of listings and an agent page', async ({ page }) => {
    await page.goto('/agents');
    await expect(page.locator('main article').first()).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Filters' })).toBeVisible();
    await page.goto('/agents/pizzeria');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/\S/);
    await page.getByRole('link', { name: 'Details' }).click();
    await expect(page.getByRole('heading', { name: 'How the score is calculated' })).toBeVisible();
  });
});
