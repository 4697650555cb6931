/**
 * One token: whitespace and comments, a dollar-quoted or plain string, a quoted name, a word or number, or any other
 * character.
 */
const TOKEN =
  /(?<blank>\s+|--[^\n]*)|(?<dollar>\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$)|(?<escaped>\b[eE]'(?:[^'\\]|\\[\s\S]|'')*')|(?<string>'(?:[^']|'')*')|(?<name>"(?:[^"]|"")*")|(?<word>[\w$]+)|(?<other>[\s\S])/y;

/**
 * @typedef {object} Statement
 * @property {string} sql as written, without the semicolon
 * @property {string} text one line of lower-case tokens with single spaces: without comments and the prefix `public.`,
 *   with quoted names as they are and every string as `''`
 * @property {number} line where it starts
 */

/**
 * Splits a script into its statements. Semicolons within strings, dollar quotes, comments and quoted names do not
 * count.
 *
 * @param {string} script
 * @returns {Statement[]}
 */
export function splitStatements(script) {
  const statements = [];
  let tokens = [];
  let start = 0;
  const finish = (end) => {
    const sql = script.slice(start, end).trim();
    const line = script.slice(0, start).split('\n').length;
    const text = tokens.join(' ').replace(/(?:"public"|\bpublic\b) \. /g, '');
    if (tokens.length > 0) statements.push({ sql, text, line });
    tokens = [];
  };
  for (const { value, at, isSpace } of tokensOf(script)) {
    if (value === ';') finish(at);
    else if (!isSpace) {
      if (tokens.length === 0) start = at;
      tokens.push(value);
    }
  }
  finish(script.length);
  return statements;
}

function* tokensOf(script) {
  for (let at = 0; at < script.length; ) {
    if (script.startsWith('/*', at)) {
      at = endOfComment(script, at);
      continue;
    }
    TOKEN.lastIndex = at;
    const { 0: found, groups } = TOKEN.exec(script);
    const isString = groups.dollar ?? groups.escaped ?? groups.string;
    const value = isString ? "''" : (groups.name ?? found.toLowerCase());
    yield { value, at, isSpace: groups.blank !== undefined };
    at += found.length;
  }
}

/** Block comments nest in PostgreSQL. */
function endOfComment(script, from) {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  let depth = 0;
  for (let found = mark.exec(script); found; found = mark.exec(script)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return script.length;
}

/**
 * Splits at the commas outside parentheses.
 *
 * @param {string} text of a {@link Statement}
 * @returns {string[]}
 */
export function splitList(text) {
  const parts = [''];
  let depth = 0;
  for (const token of text.split(' ')) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()} ${token}`.trim());
  }
  return parts;
}
