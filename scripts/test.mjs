// npm test: the tests that every change requires. npm run test:nightly: the `*.nightly.test.ts` files, models with many
// repetitions, every browser test in every theme and width, and npm run bench:gate. npm test -- unit http: those suites. npm test -- e2e
// chat: the files of either tier whose path contains "chat". npm run test:nightly -- --changed: the nightly files that
// are affected by the changes since origin/main; --changed=<commit>: since that commit.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CliError, runMain } from './cli-output.mjs';
import { changedFiles, nightlyFiles, nightlySources, selectNightly } from './nightly-selection.mjs';
import { build, prepare } from './setup.mjs';

const VITEST_SUITES = ['unit', 'contract', 'http', 'interop'];
const SUITES = [...VITEST_SUITES, 'e2e'];
const NIGHTLY_OPTION = '--nightly';
const CHANGED_OPTION = /^--changed(?:=(.+))?$/;

/**
 * @typedef {{ passed: number, failed: number, skipped: number, retried: string[], failures: string[] }} Counts
 *   `retried`: passed only on the second attempt
 */

/** Runs npm run bench:gate, which counts as one test. It needs Linux. */
async function runBenchGate() {
  if (process.platform !== 'linux') return { passed: 0, failed: 0, skipped: 1, retried: [], failures: [] };
  const child = spawn(process.execPath, ['scripts/bench-gate.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  const failures = code === 0 ? [] : ['npm run bench:gate: its output names what became slower'];
  return { passed: 1 - failures.length, failed: failures.length, skipped: 0, retried: [], failures };
}

/** Runs a test runner with its output on the terminal; the counts come from the report that it writes to a file. */
async function runRunner({ args, env, report, read }) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Everything is built already. A file saved during the run must not start another build.
    env: { ...process.env, BUILD: 'skip', ...env },
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const counts = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0, retried: [], failures: [] };
  // A runner can fail outside its tests: in a set-up, an import or an uncaught error.
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1;
    counts.failures = [`the runner exited with ${code} although no test failed; its output says why`];
  }
  return counts;
}

function runVitest({ suites, filters, folder, tier }) {
  const report = path.join(folder, 'vitest.json');
  return runRunner({
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      // Some suites have a second project for files that need a process of their own.
      ...suites.flatMap((suite) => ['--project', `${suite}*`]),
      ...['--reporter=default', '--reporter=./scripts/vitest-counts.mjs', '--passWithNoTests'],
      ...filters,
    ],
    env: { VITEST_COUNTS_FILE: report, ...(tier && { TIER: tier }) },
    report,
    read: (counts) => counts,
  });
}

function runPlaywright({ filters, folder, tier }) {
  const report = path.join(folder, 'playwright.json');
  return runRunner({
    args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', '--pass-with-no-tests', ...filters],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...(tier && { TIER: tier }) },
    report,
    read: ({ stats, suites }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      failures: suites
        .flatMap(specsOf)
        .filter(({ ok }) => !ok)
        .map(toTitle),
      retried: suites.flatMap(specsOf).filter(isFlaky).map(toTitle),
    }),
  });
}

function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

function isFlaky({ tests }) {
  return tests.some(({ status }) => status === 'flaky');
}

function toTitle({ title, file }) {
  return `${file}: ${title}`;
}

/** Returns the suites and files selected by the words of the command line. */
function toSelection(words) {
  const isNightly = words.includes(NIGHTLY_OPTION);
  const option = words.find((word) => CHANGED_OPTION.test(word));
  const named = words.filter((word) => word !== NIGHTLY_OPTION && word !== option);
  const filters = named.filter((word) => !SUITES.includes(word));
  const suites = SUITES.filter((suite) => named.includes(suite) || named.length === filters.length);
  const tier = isNightly ? 'nightly' : filters.length === 0 && 'daily';
  if (!option) return { suites, filters, tier, isWhole: isNightly && named.length === 0 };
  if (!isNightly || filters.length > 0)
    throw new CliError('--changed is an option of test:nightly, without names of files');
  const changed = changedFiles(option.match(CHANGED_OPTION)[1]);
  const files = selectNightly({ files: nightlyFiles(), sources: nightlySources(), changed });
  return { suites: VITEST_SUITES, filters: files, tier, isEmpty: files.length === 0 };
}

await runMain(async () => {
  const { suites, filters, tier, isEmpty, isWhole } = toSelection(process.argv.slice(2));
  if (isEmpty) return console.log('No nightly test concerns what changed.');
  await prepare({ tests: true });
  if (suites.some((suite) => suite !== 'unit')) await build({ pages: true });
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  try {
    const vitestSuites = suites.filter((suite) => VITEST_SUITES.includes(suite));
    const results = [];
    if (vitestSuites.length > 0) results.push(await runVitest({ suites: vitestSuites, filters, folder, tier }));
    if (suites.includes('e2e')) results.push(await runPlaywright({ filters, folder, tier }));
    if (isWhole) results.push(await runBenchGate());
    const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) =>
      results.reduce((sum, counts) => sum + counts[key], 0),
    );
    const retried = results.flatMap((counts) => counts.retried);
    const failures = results.flatMap((counts) => counts.failures);
    // The machine may have been busy, but there may also be a race that affects users.
    if (retried.length > 0) console.log(`\nPassed only on the second try:\n${retried.join('\n')}`);
    if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed === 0 && passed + skipped > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
