import { test as base, expect, type Page } from '@playwright/test';
import { setting } from './settings';

interface Fixtures {
  /** Console errors that the test is about, such as the browser's own line for a 404; every other one fails it. */
  expectedErrors: RegExp[];
}

/** Playwright's `test` on the running Parley. It fails on every console error and every uncaught error of a page. */
export const test = base.extend<Fixtures>({
  // Playwright reads from a destructured parameter what a fixture needs; this one needs nothing.
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
 * A page is there before its scripts, for a moment in which no person presses anything; what a test does is quicker. Once React
 * hears events, it has what is pressed answered.
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
