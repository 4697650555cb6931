import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = /^(page|layout|error|not-found|default|template)\.tsx$/;
const PROVIDER = '<PageTexts of=';

/**
 * For each folder of `app/` whose page or layout hands out texts: where the components that run in the browser take theirs
 * from (`chat.composer`), found by following the imports, also those that come later. The current folder is the repository.
 *
 * @returns {Record<string, string[]>}
 */
export function neededTexts() {
  const needed = {};
  for (const folder of foldersIn('app')) {
    if (handsOut(folder)) needed[folder] = placesIn(pagesOf(folder, handsOut(folder)));
  }
  return needed;
}

/** The file of a folder that hands out texts; a page before the layout. */
function handsOut(folder) {
  return ['page.tsx', 'layout.tsx']
    .map((name) => path.posix.join(folder, name))
    .find((file) => existsSync(file) && readFileSync(file, 'utf8').includes(PROVIDER));
}

/** What is drawn with the texts of a folder: its page alone, or all below its layout that has no texts of its own. */
function pagesOf(folder, provider) {
  if (provider.endsWith('page.tsx')) return [provider];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return handsOut(place) ? [] : pagesOf(place, provider);
    return PAGE.test(entry.name) ? [place] : [];
  });
}

function placesIn(files) {
  const places = new Set();
  const seen = new Set();
  const visit = (file, above) => {
    const source = readFileSync(file, 'utf8');
    const inBrowser = above || source.startsWith("'use client'");
    if (seen.has(`${file} ${inBrowser}`)) return;
    seen.add(`${file} ${inBrowser}`);
    if (inBrowser) for (const [, place] of source.matchAll(/\buseTranslations\(\s*'([\w.]+)'/g)) places.add(place);
    for (const next of importsOf(file, source)) visit(next, inBrowser);
  };
  for (const file of files) visit(file, false);
  const all = [...places].sort();
  return all.filter((place) => !all.some((other) => place.startsWith(`${other}.`)));
}

/** The components and pages that a file imports; types are none. */
function importsOf(file, source) {
  const found = source.matchAll(/(?:^import (?!type)[^;]*?from |^export [^;]*?from |\bimport\()'([^']+)'/gm);
  return [...found]
    .map(([, name]) => (name.startsWith('@/') ? name.slice(2) : path.posix.join(path.posix.dirname(file), name)))
    .filter((name) => /^(app|components)\//.test(name))
    .flatMap((name) => ['.ts', '.tsx', '/index.ts'].map((end) => name + end).filter((place) => existsSync(place)));
}

function foldersIn(folder) {
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap(({ name }) => foldersIn(path.posix.join(folder, name)))];
}
