// Fails on a file that mixes Prisma and raw SQL, and on raw rows without checked columns. Part of npm run verify.
// See docs/decisions/0026-one-sql-style.md. Usage: node scripts/check-sql.mjs [root]
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = process.argv[2] ?? '.';
/** lib/platform implements both Prisma and raw SQL access. */
const SKIPPED = new Set(['lib/generated', 'lib/platform']);

const RAW_IMPORT = /from '(?:[./]+|@\/lib\/)platform\/db\/(?:rows|sql|pipelined-statements)'/;
const METHODS = '(?:find|create|update|upsert|delete|count|aggregate|groupBy)';
const RULES = [
  [/\$(?:query|execute)Raw\w*/, 'write queryIn or executeIn'],
  [/\bpool\(\)\s*\.|\bclient\.query\b/, "write a row's query or execute"],
  [/\b(?:query\w*|\$\w+Raw\w*)</, 'declare the columns with row(); a type argument is a cast'],
  [
    /\.query(?:First|In|Unprepared)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)*\s+as\s+(?!const\b)/,
    'declare the columns with row() instead of a cast',
  ],
];

function filesIn(folder) {
  if (SKIPPED.has(folder)) return [];
  return readdirSync(path.join(root, folder)).flatMap((name) => {
    const entry = `${folder}/${name}`;
    if (statSync(path.join(root, entry)).isDirectory()) return filesIn(entry);
    return /\.tsx?$/.test(name) ? [entry] : [];
  });
}

/** Returns Prisma's name of every model: `cardRefreshState` for `model CardRefreshState`. */
function modelNames() {
  const folder = path.join(root, 'prisma/schema');
  const schema = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const names = schema.flatMap((text) => [...text.matchAll(/^model (\w+)/gm)].map(([, name]) => name));
  return names.map((name) => name.charAt(0).toLowerCase() + name.slice(1));
}

const modelMethod = new RegExp(`\\.(?:${modelNames().join('|')})\\s*\\.${METHODS}\\w*\\(`);

function findingsIn(file) {
  const text = readFileSync(path.join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
  const at = (index) => `${file}:${text.slice(0, index).split('\n').length}`;
  const findings = RULES.flatMap(([pattern, advice]) => {
    const found = pattern.exec(text);
    return found ? [`${at(found.index)}: found "${found[0].slice(0, 40)}"; ${advice}`] : [];
  });
  const prisma = modelMethod.exec(text);
  if (prisma && RAW_IMPORT.test(text)) {
    findings.push(`${at(prisma.index)}: Prisma in a file with raw SQL; write one of the two per file`);
  }
  return findings;
}

const findings = filesIn('lib').flatMap(findingsIn);
for (const finding of findings) console.log(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
