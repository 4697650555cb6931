import { test as base, expect, type Page } from '@playwright/test';
import { setting } from './settings';

interface Fixtures {
  /** Console errors the test expects, such as the browser's message for a 404; any other fails the test. */
  expectedErrors: RegExp[];
}

/** Playwright's `test` against the running Parley. Fails on any console error and any uncaught page error. */
export const test = base.extend<Fixtures>({
  // Playwright reads a fixture's dependencies from a destructured parameter; this fixture has none.
  baseURL: ({ browserName: _ }, use) => use(setting('parleyUrl')),
  expectedErrors: [[], { option: true }],
  context: async ({ context, expectedErrors, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) context.on('page', waitUntilItListens);
    const errors: string[] = [];
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (event) => {
      const error = event.error();
      errors.push(error.stack ?? error.message);
    });
    await use(context);
    const unexpected = errors.filter((error) => !expectedErrors.some((expected) => expected.test(error)));
    expect(unexpected, 'errors in the console of the browser').toEqual([]);
  },
});

/**
 * A page renders before its scripts run, faster than a person clicks but slower than a test does. Clicks are handled
 * once React has attached its events.
 */
function waitUntilItListens(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    const isPage = response?.headers()['content-type']?.startsWith('text/html');
    if (isPage && options?.waitUntil === undefined) {
      await page.waitForFunction(() => Object.keys(document).some((name) => name.startsWith('__reactContainer')));
    }
    return response;
  };
}

/** The demo user of the running Parley. */
export function demoUser(): { email: string; password: string } {
  return { email: 'demo@parley.test', password: setting('demoPassword') };
}

export { expect };
