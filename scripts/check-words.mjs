// Fails on words in comments that the field has a standard term for. Part of npm run verify.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const TREES = ['app', 'bench', 'components', 'examples', 'lib', 'packages', 'scripts', 'tests'];
const FILES = ['instrumentation.ts', 'middleware.ts', 'next.config.mjs', 'server.ts'];
const SKIPPED = new Set(['dist', 'fixtures', 'generated', 'node_modules', 'texts']);

/** Words and the standard terms that replace them. */
const TERMS = [
  [/\b(anew|of late)\b/i, 'again, recently'],
  [/\b(hears?|heard|ears?)\b/i, 'receive, listen, subscribe'],
  [/\b(told|tells|telling)\b/i, 'notify, send, publish, report'],
  [/\b(stands?|stood) (here|there|below|above|beside|before|for itself)\b/i, 'is, appears, is listed'],
  [/\b(mends?|mended|mending)\b/i, 'fix, repair'],
  [/\b(lets? go of|puts? down|gives? back|takes? back|goes on)\b/i, 'release, revoke, roll back, continue'],
  [/\b(foreign)(?! key)\b/i, 'external, third-party'],
  [/\bdoors?\b/i, 'public interface, index.ts'],
];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/[^\n]*/g;

function filesOf(entry) {
  if (SKIPPED.has(path.basename(entry))) return [];
  if (statSync(entry).isDirectory()) return readdirSync(entry).flatMap((name) => filesOf(path.join(entry, name)));
  return /\.(ts|tsx|mjs)$/.test(entry) ? [entry] : [];
}

function findingsIn(file) {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    TERMS.flatMap(([word, terms]) => {
      const found = word.exec(comment);
      if (!found) return [];
      const line = text.slice(0, index + found.index).split('\n').length;
      return [`${file}:${line}: found "${found[0]}"; write ${terms}`];
    }),
  );
}

const findings = [...TREES.flatMap(filesOf), ...FILES]
  .filter((file) => file !== path.join('scripts', 'check-words.mjs'))
  .flatMap(findingsIn);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
