// Finds paths in our Markdown pages that lead nowhere: links between files, and paths of the repository in `code`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TREES = [
  'app',
  'bench',
  'components',
  'docs',
  'examples',
  'lib',
  'packages',
  'prisma',
  'public',
  'scripts',
  'tests',
];

function pages() {
  const inDocs = existsSync('docs')
    ? readdirSync('docs', { recursive: true }).map((name) => path.join('docs', name))
    : [];
  const atRoot = readdirSync('.');
  const ofPackages = ['packages/sdk/README.md', 'packages/cli/README.md'].filter((page) => existsSync(page));
  return [...atRoot, ...inDocs, ...ofPackages].filter((name) => name.endsWith('.md'));
}

/** Links are relative to their page; a link to another site or to a heading of the same page is none of ours. */
function linksOf(page, text) {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target.split('#')[0])
    .filter((target) => target && !/^[a-z]+:/i.test(target))
    .map((target) => path.join(path.dirname(page), target));
}

/** `lib/tokens/keys.ts:12` cites a file; `lib/<domain>/`, `app/[slug]/…` and globs describe many and are left alone. */
function citationsOf(text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`([\w@()./-]+)(?::\d+)?`/g)]
    .map(([, place]) => place)
    .filter((place) => TREES.includes(place.split('/')[0]) && place.includes('/') && !place.includes('...'));
}

const broken = pages().flatMap((page) => {
  const text = readFileSync(page, 'utf8');
  const cited = new Set([...linksOf(page, text), ...citationsOf(text)]);
  return [...cited].filter((place) => !existsSync(place)).map((place) => `${page}: ${place} does not exist`);
});
for (const line of broken) console.error(line);
process.exitCode = broken.length === 0 ? 0 : 1;
