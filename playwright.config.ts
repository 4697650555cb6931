import { defineConfig } from '@playwright/test';
import { browserLaunch } from './tests/support/browser';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/playwright-setup.ts',
  // One more than the cores: a test waits for the server and its agent part of the time.
  workers: 3,
  forbidOnly: Boolean(process.env.CI),
  // `npm run test:nightly` runs every test.
  ...(process.env.TIER === 'daily' && { grepInvert: /@nightly/ }),
  // Tests wait on conditions; this only ends what hangs.
  timeout: 120_000,
  // As for the tests of servers: what fails twice has failed. The report names what passed at the second try.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: 'list',
  // What is not there to be pressed ends its test soon, also where the test as a whole may take long.
  use: {
    actionTimeout: 20_000,
    launchOptions: await browserLaunch(),
    // A trace records every frame, which takes a third of the processor time.
    trace: 'on-first-retry',
    // A test cannot intercept the requests of a service worker; installed-app.spec.ts allows it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    // Each frame of an animation is painted without a graphics processor. The nightly tests run with animations.
    ...(process.env.TIER === 'daily' && { contextOptions: { reducedMotion: 'reduce' } }),
  },
});
