import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { compareTexts, flatten } from './messages/compare-languages.mjs';

const PAGES = ['app', 'components'];
const TEXTS = 'lib/texts';

/** Names that are not translated. */
const NAMES = new Set([
  'Parley',
  'GitHub',
  'Google',
  'JavaScript',
  'TypeScript',
  'Python',
  'Stripe',
  'Markdown',
  'UTC',
  'A2A',
  'HTTP',
]);

/** Keyboard keys (KeyboardEvent.key). */
const KEYS =
  /^(Enter|Escape|Tab|Space|Home|End|PageUp|PageDown|Backspace|Delete|Shift|Control|Alt|Meta|Arrow\w+|Key[A-Z])$/;

/** Attributes whose values are not shown to users. */
const INVISIBLE =
  /^(className|href|src|srcSet|d|points|viewBox|transform|id|name|type|role|method|action|autoComplete|key|rel|target|sandbox|style|sizes|accept|data-.*|.*Class(Name)?)$/;

/** Variables and functions that contain class names, paths and the like. */
const INVISIBLE_NAMES = /(class(es|Name)?|style|colou?rs?|tones?|sizes?|widths?|variants?|path|paths|pattern)$/i;

/** Prefixes of headers, commands and code. */
const MACHINE = /^(Bearer |-[A-Za-z]+ |curl |npx |export |claude mcp |read -|U\+|\/\/ |# )/;

/** Functions that match or search a text. */
const MATCHERS = /(^|\.)(matches|closest|querySelector(All)?|matchMedia|includes|startsWith|endsWith)$/;

/** Members of machine-readable data: structured data, fonts. */
const FOR_MACHINES = /^('@type'|applicationCategory|operatingSystem|fallback|declarations)$/;

/** Elements that display code. */
const VERBATIM = new Set(['code', 'kbd', 'pre', 'samp']);

/** Returns the UI texts in the code of these folders that are not in a message file, one line each. */
function findInFolders(folders) {
  return sourcesIn(folders).flatMap((file) => findHardcodedTexts(file, readFileSync(file, 'utf8')));
}

/**
 * @param {string} file the name to report
 * @param {string} source TypeScript
 * @returns {string[]} one line per hard-coded text
 */
export function findHardcodedTexts(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found = [];
  const report = (node, text) => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    found.push(`${file}:${line + 1} ${JSON.stringify(text.trim())}`);
  };
  const visit = (node) => {
    if (isInvisible(node)) return;
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text) && !NAMES.has(node.text.trim())) report(node, node.text);
    if (ts.isStringLiteralLike(node) && looksLikeProse(node.text)) report(node, node.text);
    if (ts.isTemplateExpression(node)) {
      const pieces = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
      if (looksLikeProse(pieces.join('…'))) report(node, pieces.join('…'));
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isInvisible(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isExpressionStatement(node) && ts.isStringLiteral(node.expression)) return true;
  if (ts.isJsxAttribute(node)) return INVISIBLE.test(node.name.getText());
  if (ts.isBinaryExpression(node) && /\.cookie$/.test(node.left.getText())) return true;
  if (ts.isJsxElement(node)) return VERBATIM.has(node.openingElement.tagName.getText());
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) {
    const name = node.name.getText();
    return INVISIBLE_NAMES.test(name) || (name !== 'name' && INVISIBLE.test(name)) || FOR_MACHINES.test(name);
  }
  if (ts.isFunctionDeclaration(node)) return INVISIBLE_NAMES.test(node.name?.getText() ?? '');
  if (ts.isThrowStatement(node) || ts.isCaseClause(node.parent ?? node)) {
    return ts.isThrowStatement(node) || node === node.parent.expression;
  }
  return isCompared(node) || isMatcherArgument(node);
}

function isCompared(node) {
  const { parent } = node;
  if (!parent || !ts.isStringLiteral(node)) return false;
  if (ts.isElementAccessExpression(parent)) return true;
  return ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText());
}

/** Returns true for the argument of `t` and its variants (a key, which the types check) or of a matcher. */
function isMatcherArgument(node) {
  const { parent } = node;
  if (!parent || !ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const called = parent.expression.getText();
  return MATCHERS.test(called) || /(^|\.)(t|rich|markup|has|useTranslations|getTranslations)$|^t[A-Z]/.test(called);
}

function looksLikeProse(text) {
  if (NAMES.has(text) || KEYS.test(text) || MACHINE.test(text.trim()) || !/\p{L}{2}/u.test(text)) return false;
  if (/^\s*[\p{Lu}][\p{Ll}’']+([ ,.:…?!]|$)/u.test(text)) return true;
  if (/^[\w-]+$|^[\w-]+\/[\w-]|^[\w.]+\.$/.test(text.trim()) || looksLikeClasses(text)) return false;
  return /\p{L}[,;:.)]? [\p{L}(]/u.test(text) || /\p{L}[.…?!]$/u.test(text);
}

/** Returns true for Tailwind classes: all lower case, and at least one with a dash, a colon or a digit. */
function looksLikeClasses(text) {
  const words = text.split(/[\s…]+/).filter(Boolean);
  return (
    words.every((word) => /^[a-z0-9!@&*[\]():/._%#,=>~'"$-]+$/i.test(word)) &&
    words.some((word) => /[a-z]+[-:][a-z0-9[]/.test(word)) &&
    !/[.?!…]$/.test(text)
  );
}

function sourcesIn(folders) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts'))
      .map((name) => path.join(folder, name)),
  );
}

/** The files of a language with the texts of emails and notifications, which `lib` sends. */
const SENT = ['mail', 'notifications'];

/**
 * Finds the texts that no code names. A text is named by its whole key, `mail.reply.subject`, or as one of the two texts
 * of an email: `mail('reply', …)`. Keys may have variable parts.
 *
 * @param {Record<string, object>} texts by file name
 * @param {string[]} sources TypeScript
 * @returns {string[]} the keys
 */
export function findUnsentTexts(texts, sources) {
  const code = sources.join('\n');
  const keys = [...code.matchAll(/['`]((?:mail|notifications)\.[^'`\s]+)['`]/g)].map(([, key]) => key);
  const mails = [...code.matchAll(/\b(?:mail|linkEmail)\(\s*['`]([^'`]+)['`]/g)].flatMap(([, name]) => [
    `mail.${name}.subject`,
    `mail.${name}.body`,
  ]);
  const named = [...keys, ...mails].map((key) => {
    const pieces = key.split(/\$\{[^}]*\}/).map((piece) => piece.replaceAll('.', '\\.'));
    return new RegExp(`^${pieces.join('[\\w.-]+')}$`);
  });
  return [...flatten(texts).keys()].filter((key) => !named.some((pattern) => pattern.test(key)));
}

function findUnsent() {
  const texts = Object.fromEntries(SENT.map((name) => [name, readTexts(`en/${name}.json`)]));
  const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/^generated/.test(name))
    .map((name) => readFileSync(path.join('lib', name), 'utf8'));
  return findUnsentTexts(texts, sources).map((key) => `${TEXTS}/en: ${key} is not used`);
}

/** Returns the faults of the texts in the other languages, one line each. */
function findInLanguages() {
  const languages = readdirSync(TEXTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return languages.flatMap(({ name }) =>
    readdirSync(`${TEXTS}/en`)
      .filter((file) => file.endsWith('.json'))
      .flatMap((file) =>
        compareTexts(readTexts(`en/${file}`), readTexts(`${name}/${file}`)).map(
          (fault) => `${TEXTS}/${name}/${file}: ${fault}`,
        ),
      ),
  );
}

function readTexts(file) {
  return existsSync(`${TEXTS}/${file}`) ? JSON.parse(readFileSync(`${TEXTS}/${file}`, 'utf8')) : {};
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findInFolders(process.argv.length > 2 ? process.argv.slice(2) : PAGES);
  const faults = findInLanguages();
  const unsent = findUnsent();
  for (const line of [...found, ...faults, ...unsent]) process.stdout.write(`${line}\n`);
  if (found.length > 0) process.stdout.write(`${found.length} texts are in the code; move them to lib/texts/en\n`);
  if (faults.length > 0)
    process.stdout.write(`${faults.length} texts of other languages differ from the English ones\n`);
  process.exitCode = found.length + faults.length + unsent.length > 0 ? 1 : 0;
}
