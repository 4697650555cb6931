import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const database = './tests/support/vitest-database.ts';
const build = './tests/support/vitest-build.ts';
const parleys = './tests/support/vitest-parleys.ts';
const responses = './tests/support/response-schemas.ts';
const servers = [database, build, responses, parleys];

/** With real servers and processes on a machine that is busy elsewhere, what fails twice has failed. */
const retry = 1;

export default defineConfig({
  resolve: {
    // As in tsconfig.json: the SDK is its sources here, so that no test runs an older build of it.
    alias: [
      { find: /^@parley\/agent$/, replacement: `${root}packages/sdk/src/index.ts` },
      { find: /^@parley\/agent\/ap2$/, replacement: `${root}packages/sdk/src/ap2.ts` },
      { find: /^@parley\/agent\/serve$/, replacement: `${root}packages/sdk/src/serve.ts` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: 'node',
    // Every file is its own process: state that hangs on globalThis ends with the file.
    pool: 'forks',
    // Three are faster by a sixth, but then tests with time limits fail now and then.
    maxWorkers: 2,
    // Tests wait on conditions; this only ends what hangs, on a machine that is busy elsewhere too.
    testTimeout: 40_000,
    hookTimeout: 120_000,
    setupFiles: ['./tests/support/process-env.ts'],
    projects: [
      suite({
        name: 'unit',
        include: ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'],
        globalSetup: [database],
      }),
      suite({ name: 'contract', include: ['tests/contract/**/*.test.ts'], globalSetup: servers, retry }),
      suite({ name: 'http', include: ['tests/http/**/*.test.ts'], globalSetup: servers, retry }),
      suite({
        name: 'interop',
        include: ['tests/interop/*.test.ts'],
        globalSetup: servers,
        retry,
      }),
    ],
  },
});

interface Suite {
  name: string;
  include: string[];
  globalSetup: string[];
  retry?: number;
}

/**
 * TIER is `nightly` for the nightly files alone, `daily` for all others; without it, every file runs. Models run in both,
 * with more repetitions in the nightly tier (tests/support/runs.ts).
 */
function suite({ include, ...test }: Suite): object {
  const { TIER } = process.env;
  const nightly = include.map((pattern) => pattern.replace('.test.ts', '.nightly.test.ts'));
  const models = include.map((pattern) => pattern.replace('.test.ts', '-model.test.ts'));
  const tier =
    TIER === 'nightly' ? { include: [...nightly, ...models] } : { include, exclude: TIER === 'daily' ? nightly : [] };
  return { extends: true, test: { ...test, ...tier } };
}
