import { test as base, expect } from '@playwright/test';
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
  context: async ({ context, expectedErrors }, use) => {
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

/** The demo user of the running Parley. */
export function demoUser(): { email: string; password: string } {
  return { email: 'demo@parley.test', password: setting('demoPassword') };
}

export { expect };
