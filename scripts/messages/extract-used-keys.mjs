import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = /^(page|layout|error|not-found|default|template)\.tsx$/;
const PROVIDER = '<PageTexts of=';

/**
 * Returns, for each folder of `app/` whose page or layout renders `PageTexts`, the message namespaces (`chat.composer`)
 * of its client components, found by following static and dynamic imports. The working directory must be the
 * repository.
 *
 * @returns {Record<string, string[]>}
 */
export function extractUsedKeys() {
  const keys = {};
  for (const folder of foldersIn('app')) {
    if (providerOf(folder)) keys[folder] = namespacesIn(pagesOf(folder, providerOf(folder)));
  }
  return keys;
}

/** Returns the file of a folder that renders `PageTexts`. A page takes precedence over the layout. */
function providerOf(folder) {
  return ['page.tsx', 'layout.tsx']
    .map((name) => path.posix.join(folder, name))
    .find((file) => existsSync(file) && readFileSync(file, 'utf8').includes(PROVIDER));
}

/**
 * Returns the pages that use a folder's messages: only its page, or all pages below its layout that have no provider of
 * their own.
 */
function pagesOf(folder, provider) {
  if (provider.endsWith('page.tsx')) return [provider];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const child = path.posix.join(folder, entry.name);
    if (!entry.isDirectory()) return PAGE.test(entry.name) ? [child] : [];
    const own = providerOf(child);
    if (own?.endsWith('layout.tsx')) return [];
    // The provider of a page does not cover the pages in the folders below it.
    return pagesOf(child, provider).filter((page) => page !== own);
  });
}

function namespacesIn(files) {
  const namespaces = new Set();
  const seen = new Set();
  const visit = (file, isImportedByClient) => {
    const source = readFileSync(file, 'utf8');
    const inBrowser = isImportedByClient || source.startsWith("'use client'");
    if (seen.has(`${file} ${inBrowser}`)) return;
    seen.add(`${file} ${inBrowser}`);
    if (inBrowser) for (const [, name] of source.matchAll(/\buseTranslations\(\s*'([\w.]+)'/g)) namespaces.add(name);
    for (const next of importsOf(file, source)) visit(next, inBrowser);
  };
  for (const file of files) visit(file, false);
  const all = [...namespaces].sort();
  return all.filter((name) => !all.some((other) => name.startsWith(`${other}.`)));
}

/** Returns the components and pages that a file imports. Ignores type imports. */
function importsOf(file, source) {
  const found = source.matchAll(/(?:^import (?!type)[^;]*?from |^export [^;]*?from |\bimport\()'([^']+)'/gm);
  return [...found]
    .map(([, name]) => (name.startsWith('@/') ? name.slice(2) : path.posix.join(path.posix.dirname(file), name)))
    .filter((name) => /^(app|components)\//.test(name))
    .flatMap((name) =>
      ['.ts', '.tsx', '/index.ts'].map((suffix) => name + suffix).filter((candidate) => existsSync(candidate)),
    );
}

function foldersIn(folder) {
  const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...children.flatMap(({ name }) => foldersIn(path.posix.join(folder, name)))];
}
