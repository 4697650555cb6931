import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const root = fileURLToPath(new URL('.', import.meta.url));
const database = './tests/support/vitest-database.ts';
const build = './tests/support/vitest-build.ts';
const parleys = './tests/support/vitest-parleys.ts';
const responses = './tests/support/response-schemas.ts';
const servers = [database, build, responses, parleys];

const unit = ['tests/unit/**/*.test.ts', 'tests/architecture.test.ts'];
const contract = ['tests/contract/**/*.test.ts'];

/** The text of a test file that changes its process, or depends on a new one. Others run in one process. */
const changesProcess =
  /process of its own|process\.(?:env|chdir|on)|globalThis|setLogSink|activeFailpoint|vi\.(?:mock|stub|spyOn|useFakeTimers)/;
/** The text of a test file with a database of its own: a process has one connection pool. */
const usesDatabase = /support\/(?:database|parley|sql)'|order-fixture/;
/** The same for files that may use the Parley, and with it the database, that a worker's files share. */
const startsParley =
  /support\/(?:database|parley)'|(?:event-stream|disputes|x402)-fixture|start(?:Payments|Tokens|Concierge)Fixture/;
const unitFiles = divide('tests/unit', [changesProcess, usesDatabase]);
const contractFiles = divide('tests/contract', [changesProcess, startsParley]);

/** With real servers and processes on a machine that is busy elsewhere, what fails twice has failed. */
const retry = 1;

/** Files with a process of their own first: they are the longest, and one that starts last would run alone. */
class AloneFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1);
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  resolve: {
    // As in tsconfig.json: the SDK is its sources here, so that no test runs an older build of it.
    alias: [
      { find: /^@parley\/agent$/, replacement: `${root}packages/sdk/src/index.ts` },
      { find: /^@parley\/agent\/ap2$/, replacement: `${root}packages/sdk/src/ap2.ts` },
      { find: /^@parley\/agent\/mcp$/, replacement: `${root}packages/sdk/src/mcp.ts` },
      { find: /^@parley\/agent\/serve$/, replacement: `${root}packages/sdk/src/serve.ts` },
      { find: /^@parley\/agent\/test$/, replacement: `${root}packages/sdk/src/test.ts` },
      { find: /^@\//, replacement: root },
    ],
  },
  test: {
    environment: 'node',
    // Every file is its own process, unless its project says otherwise: state of modules ends with the file.
    pool: 'forks',
    // Twice the cores: most tests wait for a server, an agent or the database half of the time.
    maxWorkers: 4,
    // Tests wait on conditions; this only ends what hangs, on a machine that is busy elsewhere too.
    testTimeout: 40_000,
    hookTimeout: 120_000,
    setupFiles: ['./tests/support/process-env.ts'],
    sequence: { sequencer: AloneFirst },
    projects: [
      // One process runs many files, which saves half of the time: each import happens once.
      suite({ name: 'unit', include: unit, exclude: unitFiles.alone, globalSetup: [database], isolate: false }),
      suite({
        name: 'unit-own-process',
        include: unit,
        exclude: [...unitFiles.together, 'tests/architecture.test.ts'],
        globalSetup: [database],
      }),
      suite({
        name: 'contract',
        include: contract,
        exclude: contractFiles.alone,
        globalSetup: servers,
        setupFiles: ['./tests/support/process-env.ts', './tests/support/shared-process.ts'],
        isolate: false,
        retry,
      }),
      suite({
        name: 'contract-own-process',
        include: contract,
        exclude: contractFiles.together,
        globalSetup: servers,
        retry,
      }),
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
  exclude?: string[];
  globalSetup: string[];
  setupFiles?: string[];
  isolate?: boolean;
  retry?: number;
}

/** The test files of a folder: those whose text matches a pattern need a process each, the others run in one. */
function divide(folder: string, patterns: RegExp[]): { alone: string[]; together: string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.join(folder, name));
  const isAlone = (file: string): boolean => {
    const text = readFileSync(file, 'utf8');
    return patterns.some((pattern) => pattern.test(text));
  };
  return { alone: files.filter(isAlone), together: files.filter((file) => !isAlone(file)) };
}

/**
 * TIER is `nightly` for the nightly files alone, `daily` for all others; without it, every file runs. Models run in both,
 * with more repetitions in the nightly tier (tests/support/runs.ts).
 */
function suite({ include, exclude = [], ...test }: Suite): object {
  const { TIER } = process.env;
  const nightly = include.map((pattern) => pattern.replace('.test.ts', '.nightly.test.ts'));
  const models = include.map((pattern) => pattern.replace('.test.ts', '-model.test.ts'));
  const tier =
    TIER === 'nightly'
      ? { include: [...nightly, ...models], exclude }
      : { include, exclude: [...exclude, ...(TIER === 'daily' ? nightly : [])] };
  return { extends: true, test: { ...test, ...tier } };
}
