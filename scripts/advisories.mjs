// Compares package-lock.json with the advisories of the npm registry, without development dependencies:
//   node scripts/advisories.mjs Fails if any applies. An unreachable registry, or one without advisories, is only a
//   notice.
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { CliError, runMain } from './cli-output.mjs';
import { ROOT } from './program.mjs';

const TIMEOUT_MS = 30_000;
const ARGS = ['audit', '--json', '--omit=dev', '--package-lock-only', '--fetch-retries=0', '--fetch-timeout=20000'];

/**
 * Returns the advisories that apply to the lockfile, as lines; null if the registry returned none.
 *
 * @returns {string[] | null}
 */
export function findAdvisories() {
  const { stdout = '' } = spawnSync('npm', ARGS, { cwd: ROOT, encoding: 'utf8', timeout: TIMEOUT_MS });
  const { vulnerabilities } = readReport(stdout);
  if (!vulnerabilities) return null;
  const found = Object.values(vulnerabilities).flatMap(({ name, via }) =>
    via
      .filter((advisory) => typeof advisory === 'object')
      .map(({ severity, title, range, url }) => `${name} ${range}: ${severity}: ${title} (${url})`),
  );
  return [...new Set(found)].sort();
}

function readReport(text) {
  try {
    return JSON.parse(text);
  } catch {
    // npm prints no report if it cannot run or is stopped.
    return {};
  }
}

/** @param {string[] | null} found the result of {@link findAdvisories} */
export function describeAdvisories(found) {
  if (found === null)
    return 'advisories not checked: the npm registry has none or is unreachable; check them elsewhere';
  if (found.length === 0) return 'no advisories apply to package-lock.json';
  return `${found.length} advisories apply to package-lock.json; update these packages:\n    ${found.join('\n    ')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runMain(async () => {
    const found = findAdvisories();
    if (found?.length) throw new CliError(describeAdvisories(found));
    console.log(describeAdvisories(found));
  });
}
