// Selects the nightly test files that `npm run test:nightly -- --changed` runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = 'tests/nightly-sources.json';
/** Files on which every test depends. */
const EVERYWHERE = [
  'package-lock.json',
  'prisma/',
  'tests/support/',
  'vitest.config.ts',
  'scripts/test.mjs',
  'scripts/nightly-selection.mjs',
  SOURCES,
];
/** Parts of the server. A change in one that no nightly file lists selects all files. Browser tests cover the pages. */
const SERVER = ['lib/', 'scripts/', 'server.ts', 'middleware.ts', 'package.json', 'tsconfig.json', 'prisma.config.ts'];
const IMPORT = /(?:from|import) '(\.[^']+)'/g;

/**
 * Returns the nightly files that changed, or of which a source or an imported file below `tests` changed. `sources`
 * lists the files and folders (with a final slash) that each file tests; a file without an entry is always selected.
 * All are selected if the changes are unknown (`null`), or if a file changed on which every test depends, or a part of
 * the server that no file lists.
 * @param {{ files: string[], sources: Record<string, string[]>, changed: string[] | null, importsOf?: (file: string) =>
 *   string[] }} input
 * @returns {string[]}
 */
export function selectNightly({ files, sources, changed, importsOf = importsBelowTests }) {
  const isChanged = (parts) => changed.some((file) => isWithinAny(file, parts));
  if (changed === null || isChanged(EVERYWHERE)) return files;
  const listed = Object.values(sources).flat();
  if (changed.some((file) => isWithinAny(file, SERVER) && !isWithinAny(file, listed))) return files;
  return files.filter((file) => !sources[file] || isChanged([file, ...sources[file], ...importsOf(file)]));
}

/** Returns the paths that differ from a commit, by default the merge base with `origin/main`; null if there is none. */
export function changedFiles(base = latestLanded()) {
  if (base === null) return null;
  return [...git('diff', '--name-only', '--no-renames', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Lists every nightly file of the repository. @returns {string[]} */
export function nightlyFiles() {
  const names = readdirSync('tests', { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.nightly.test.ts'))
    .map((name) => path.join('tests', name))
    .sort();
}

/** Returns the sources that each nightly file tests. @returns {Record<string, string[]>} */
export function nightlySources() {
  return JSON.parse(readFileSync(SOURCES, 'utf8'));
}

/** Returns the merge base; null also on that commit itself, because the change that led to it is unknown. */
function latestLanded() {
  try {
    const [base] = git('merge-base', 'HEAD', 'origin/main');
    return git('rev-parse', 'HEAD')[0] === base ? null : base;
  } catch {
    // There is no such branch, or no common commit in a shallow clone.
    return null;
  }
}

/** Returns the lines of Git's output, with unquoted names. */
function git(...args) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync('git', ['-c', 'core.quotepath=off', ...args], options)
    .split('\n')
    .filter(Boolean);
}

function isWithinAny(file, parts) {
  return parts.some((part) => file === part || (part.endsWith('/') && file.startsWith(part)));
}

/** Returns the files below `tests` that a file imports, directly or indirectly. @returns {string[]} */
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
