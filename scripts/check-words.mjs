// Fails on words in comments for which there is a standard term, and on words in texts of the product that a term of
// the glossary (docs/site/glossary.mdx) or plain American English replaces. Part of npm run verify.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const TREES = ['app', 'bench', 'components', 'examples', 'lib', 'packages', 'scripts', 'tests'];
const FILES = ['middleware.ts', 'next.config.mjs', 'server.ts'];
const SKIPPED = new Set(['dist', 'fixtures', 'generated', 'node_modules', 'texts']);

/** Words in comments and the standard terms that replace them. */
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

/** Words in texts of the product and their replacements. */
const TEXT_TERMS = [
  [/\be-mails?\b/i, 'email'],
  [/\bmail(s|ed)?\b(?! server)/i, 'email'],
  [/\bcatalogues?\b/i, 'catalog'],
  [/\b(colours?|authoris\w+|recognis\w+|analyse[sd]?|favourites?)\b/i, 'American spelling'],
  [/(?<![/\w])(receivers?)\b/i, 'webhook'],
  [/\bhttps? address|\baddress of (an?|the|its|your) (agent|card|site|page)\b|\bat this address\b/i, 'URL'],
  [/\b(stands?|stood) (here|there|below|above|beside|before)\b/i, 'is, appears, is listed'],
  [/\b(is|are|was|were) told\b/i, 'is notified'],
  [/\bat once\b/i, 'immediately, at the same time'],
  [/\b(anew|somebody|everybody|nobody)\b/i, 'again, someone, everyone, no one'],
  [/\b(mends?|mended|mending)\b/i, 'fix'],
  [/\bgoes on\b/i, 'continues'],
  [/\bof (yours|its own|theirs)\b(?! \w)/i, 'your, its'],
];
// Word lists of the search, reserved slugs, and names of other protocols are not texts.
const WITHOUT_TEXTS = /lib\/(discovery\/(languages|terms)|catalog\/names\/folded-text)/;

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/[^\n]*/g;
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

function filesOf(entry, extensions, skipped = SKIPPED) {
  if (skipped.has(path.basename(entry))) return [];
  if (statSync(entry).isDirectory()) {
    return readdirSync(entry).flatMap((name) => filesOf(path.join(entry, name), extensions, skipped));
  }
  return extensions.test(entry) ? [entry] : [];
}

function findingsIn(file, pieces, terms) {
  const text = readFileSync(file, 'utf8');
  return pieces(text).flatMap(({ 0: piece, index }) =>
    terms.flatMap(([word, replacement]) => {
      const found = word.exec(piece);
      if (!found) return [];
      const line = text.slice(0, index + found.index).split('\n').length;
      return [`${file}:${line}: found "${found[0]}"; write ${replacement}`];
    }),
  );
}

const blank = (match) => match.replace(/[^\n]/g, ' ');

/** Returns the comments of a source file. */
const commentsIn = (text) => [...text.matchAll(COMMENT)];

/** Returns the literals of a source file that are sentences: with a space, and not SQL. */
const sentencesIn = (text) =>
  [...text.replace(COMMENT, blank).matchAll(LITERAL)].filter(
    ({ 0: literal }) => / \w/.test(literal) && !/\b[A-Z]{4,} /.test(literal),
  );

/** Returns the prose of a Markdown page, without code. */
const proseIn = (text) => [Object.assign([text.replace(/```[\s\S]*?```|`[^`\n]*`/g, blank)], { index: 0 })];

/** Returns the values of a file of messages. */
const messagesIn = (text) => [...text.matchAll(/(?<=": )"(?:[^"\\]|\\.)*"/g)];

const source = /\.(ts|tsx|mjs)$/;
const product = [
  ...['lib', 'packages']
    .flatMap((tree) => filesOf(tree, /(?<!\.test)\.ts$/))
    .filter((file) => !WITHOUT_TEXTS.test(file)),
  'server.ts',
];
const findings = [
  ...[...TREES.flatMap((tree) => filesOf(tree, source)), ...FILES]
    .filter((file) => file !== path.join('scripts', 'check-words.mjs'))
    .flatMap((file) => findingsIn(file, commentsIn, TERMS)),
  ...product.flatMap((file) => findingsIn(file, sentencesIn, TEXT_TERMS)),
  ...readdirSync('docs/site')
    .filter((name) => name.endsWith('.mdx'))
    .flatMap((name) => findingsIn(path.join('docs/site', name), proseIn, TEXT_TERMS)),
  ...filesOf('lib/texts/en', /\.json$/, new Set()).flatMap((file) => findingsIn(file, messagesIn, TEXT_TERMS)),
];
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
