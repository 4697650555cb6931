import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const database = './tests/support/vitest-database.ts';
const build = './tests/support/vitest-build.ts';

function project(name: string, include: string[], globalSetup: string[]): object {
  // With real servers, databases and processes on a machine that is busy elsewhere, what fails twice has failed.
  return { extends: true, test: { name, include, globalSetup, retry: 1 } };
}

export default defineConfig({
  resolve: {
    // As in tsconfig.json: the SDK is its sources here, so that no test runs an older build of it.
    alias: [
      { find: /^@parley\/agent$/, replacement: `${root}packages/sdk/src/index.ts` },
      { find: /^@parley\/agent\/ap2$/, replacement: `${root}packages/sdk/src/ap2.ts` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: 'node',
    // Every file is its own process: state that hangs on globalThis ends with the file.
    pool: 'forks',
    maxWorkers: 2,
    // Tests wait on conditions; this only ends what hangs, on a machine that is busy elsewhere too.
    testTimeout: 40_000,
    hookTimeout: 120_000,
    setupFiles: ['./tests/support/process-env.ts'],
    projects: [
      project('unit', ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'], [database]),
      project('contract', ['tests/contract/**/*.test.ts'], [database, build]),
      project('http', ['tests/http/**/*.test.ts'], [database, build]),
      project('interop', ['tests/interop/*.test.ts'], [database, build]),
    ],
  },
});
