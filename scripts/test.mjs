// npm test: what every change needs. npm run test:nightly: the `*.nightly.test.ts` files. npm test -- unit http: those
// suites. npm test -- e2e chat: the files of either tier whose path contains "chat".
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runMain } from './cli-output.mjs';
import { build, prepare } from './setup.mjs';

const VITEST_SUITES = ['unit', 'contract', 'http', 'interop'];
const SUITES = [...VITEST_SUITES, 'e2e'];
const NIGHTLY_OPTION = '--nightly';

/** @typedef {{ passed: number, failed: number, skipped: number, retried: string[], failures: string[] }} Counts `retried`: passed only at the second try */

/** Runs a test runner with its output on the terminal; the counts come from the report that it writes to a file. */
async function runRunner({ args, env, report, read }) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Everything is built: a file saved during the run must not start another build.
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
      ...suites.flatMap((suite) => ['--project', suite]),
      ...['--reporter=default', '--reporter=./scripts/vitest-counts.mjs', '--passWithNoTests'],
      ...filters,
    ],
    env: { VITEST_COUNTS_FILE: report, ...(tier && { TIER: tier }) },
    report,
    read: (counts) => counts,
  });
}

function runPlaywright({ filters, folder }) {
  const report = path.join(folder, 'playwright.json');
  return runRunner({
    args: ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', '--pass-with-no-tests', ...filters],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
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

await runMain(async () => {
  const isNightly = process.argv.includes(NIGHTLY_OPTION);
  const named = process.argv.slice(2).filter((word) => word !== NIGHTLY_OPTION);
  const filters = named.filter((word) => !SUITES.includes(word));
  const available = isNightly ? VITEST_SUITES : SUITES;
  const suites = available.filter((suite) => named.includes(suite) || named.length === filters.length);
  const tier = isNightly ? 'nightly' : filters.length === 0 && 'daily';
  await prepare({ tests: true });
  if (suites.some((suite) => suite !== 'unit')) await build({ pages: true });
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'));
  try {
    const vitestSuites = suites.filter((suite) => VITEST_SUITES.includes(suite));
    const results = [];
    if (vitestSuites.length > 0) results.push(await runVitest({ suites: vitestSuites, filters, folder, tier }));
    if (suites.includes('e2e')) results.push(await runPlaywright({ filters, folder }));
    const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((key) =>
      results.reduce((sum, counts) => sum + counts[key], 0),
    );
    const retried = results.flatMap((counts) => counts.retried);
    const failures = results.flatMap((counts) => counts.failures);
    // The machine may have been busy, but it may also be a race that users will meet.
    if (retried.length > 0) console.log(`\nPassed only on the second try:\n${retried.join('\n')}`);
    if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
