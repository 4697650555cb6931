// Selects the nightly test files that `npm run test:nightly -- --changed` runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Every test depends on these. */
const EVERYWHERE = ['package-lock.json', 'prisma/', 'tests/support/', 'vitest.config.ts', 'scripts/test.mjs'];
const SOURCES = 'tests/nightly-sources.json';
const IMPORT = /(?:from|import) '(\.[^']+)'/g;

/**
 * The nightly files that changed themselves, or of which a source or an imported file below `tests` changed. `sources`
 * lists the files and folders (with a final slash) that each file tests; a file without any is always selected. All are
 * selected if the changes are unknown (`null`), or if a file changed on which every test depends.
 * @param {{ files: string[], sources: Record<string, string[]>, changed: string[] | null, importsOf?: (file: string) =>
 * string[] }} input
 * @returns {string[]}
 */
export function selectNightly({ files, sources, changed, importsOf = importsBelowTests }) {
  const isChanged = (parts) => changed.some((file) => parts.some((part) => isWithin(file, part)));
  if (changed === null || isChanged(EVERYWHERE)) return files;
  return files.filter((file) => !sources[file] || isChanged([file, ...sources[file], ...importsOf(file)]));
}

/** The paths that differ from a commit, by default the merge base with `origin/main`; null without one. */
export function changedFiles(base = latestLanded()) {
  if (base === null) return null;
  return [...git('diff', '--name-only', '--no-renames', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Every nightly file of the repository. @returns {string[]} */
export function nightlyFiles() {
  const names = readdirSync('tests', { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.nightly.test.ts'))
    .map((name) => path.join('tests', name))
    .sort();
}

/** The sources that each nightly file tests. @returns {Record<string, string[]>} */
export function nightlySources() {
  return JSON.parse(readFileSync(SOURCES, 'utf8'));
}

/** The merge base with `origin/main`. Null also on the merged commit itself, because its change is unknown. */
function latestLanded() {
  for (const branch of ['origin/main', '@{upstream}']) {
    try {
      const [base] = git('merge-base', 'HEAD', branch);
      const isHead = git('rev-parse', 'HEAD')[0] === base;
      return isHead && git('status', '--porcelain').length === 0 ? null : base;
    } catch {
      // There is no such branch, or no common commit in a shallow clone.
    }
  }
  return null;
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean);
}

function isWithin(file, part) {
  return file === part || (part.endsWith('/') && file.startsWith(part));
}

/** The files below `tests` that a file imports, directly or indirectly. @returns {string[]} */
function importsBelowTests(file, found = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const resolved = path.join(path.dirname(file), name);
    const imported = [resolved, `${resolved}.ts`, `${resolved}.tsx`].find((candidate) => existsSync(candidate));
    if (!imported?.startsWith('tests/') || found.has(imported)) continue;
    found.add(imported);
    importsBelowTests(imported, found);
  }
  return [...found];
}
