// Reports broken paths in our Markdown pages: links between files, and repository paths in `code`; and translated docs
// pages that differ from the English ones.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkTranslations } from './docs/translations.mjs';

const TREES = [
  'app',
  'bench',
  'components',
  'deploy',
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

/**
 * Returns the links, which are relative to their page. Ignores links to other sites and to headings of the same page.
 */
function linksOf(page, text) {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target.split('#')[0])
    .filter((target) => target && !/^[a-z]+:/i.test(target))
    .map((target) => path.join(path.dirname(page), target));
}

/**
 * Returns citations such as `lib/tokens/keys/keys.ts:12`. Ignores patterns such as `lib/<domain>/` and `app/[slug]/…`,
 * and globs.
 */
function citationsOf(text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...prose.matchAll(/`([\w@()./-]+)(?::\d+)?`/g)]
    .map(([, cited]) => cited)
    .filter((cited) => TREES.includes(cited.split('/')[0]) && cited.includes('/') && !cited.includes('...'));
}

const broken = pages().flatMap((page) => {
  const text = readFileSync(page, 'utf8');
  const paths = new Set([...linksOf(page, text), ...citationsOf(text)]);
  return [...paths].filter((file) => !existsSync(file)).map((file) => `${page}: ${file} does not exist`);
});
const problems = [...broken, ...checkTranslations('docs/site')];
for (const line of problems) console.error(line);
process.exitCode = problems.length === 0 ? 0 : 1;
