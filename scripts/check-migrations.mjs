// Fails on a migration that breaks a release which may run alongside this one, or that blocks traffic. Part of npm run
// verify. See docs/operations/upgrades.md. Usage: node scripts/check-migrations.mjs [root]
import path from 'node:path';
import { listMigrations } from './migrate.mjs';
import { classify } from './migration-kind.mjs';
import { problemsOfSteps } from './online-steps.mjs';
import { compareReleases, readRelease } from './release.mjs';

const root = path.resolve(process.argv[2] ?? '.');
const { release, oldestPeer } = readRelease(path.join(root, 'package.json'));

function problemsOf(migration) {
  const { isBaseline, unusedSince, problems: found } = classify(migration);
  const problems = [...found, ...problemsOfSteps(migration)];
  if (isBaseline) return [];
  if (unusedSince === null || isUnusedBeside(unusedSince)) return problems;
  const expected =
    oldestPeer === release
      ? `no contract migration, because no release is older than ${release}`
      : `at most ${oldestPeer}, whose nodes may run beside ${release} (parley.oldestPeer in package.json)`;
  return [...problems, `found "-- contract: unused since ${unusedSince}"; expected ${expected}`];
}

/** Returns true if all other releases that may run alongside this one no longer use it. */
function isUnusedBeside(unusedSince) {
  return compareReleases(unusedSince, oldestPeer) <= 0 && compareReleases(unusedSince, release) < 0;
}

const findings = listMigrations(path.join(root, 'prisma/migrations')).flatMap((migration) =>
  problemsOf(migration).map((problem) => `prisma/migrations/${migration.name}: ${problem}`),
);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
