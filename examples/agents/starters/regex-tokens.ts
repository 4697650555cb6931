/** A part of an expression and what it means. */
interface Token {
  text: string;
  meaning: string;
  /** Number of enclosing groups. */
  depth: number;
}

const escapes: Record<string, string> = {
  d: 'a digit',
  D: 'anything but a digit',
  w: 'a letter, digit or underscore',
  W: 'anything but a letter, digit or underscore',
  s: 'white space',
  S: 'anything but white space',
  b: 'the edge of a word',
  B: 'a place that is not the edge of a word',
  n: 'a line break',
  r: 'a carriage return',
  t: 'a tab',
  f: 'a form feed',
  v: 'a vertical tab',
  0: 'a null character',
};

const groups: [start: string, meaning: string][] = [
  ['(?:', 'a group that captures nothing:'],
  ['(?=', 'only if this follows:'],
  ['(?!', 'only if this does not follow:'],
  ['(?<=', 'only if this comes before:'],
  ['(?<!', 'only if this does not come before:'],
];

const flagNames: Record<string, string> = {
  d: 'with the positions of groups',
  g: 'all matches',
  i: 'upper and lower case match each other',
  m: '^ and $ also match at line breaks',
  s: 'a dot also matches line breaks',
  u: 'Unicode',
  y: 'only at the current position',
};

const plainText = /^(?:[^\\^$.*+?()[\]{}|]|\{(?!\d+(?:,\d*)?\}))+/u;

/** Lists the parts of a valid expression in JavaScript's syntax, in order. */
export function explain(source: string, flags: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  let captures = 0;
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const text = textAt(rest);
    at += text.length;
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at))?.[0] ?? '';
    if (text === ')') {
      depth = Math.max(0, depth - 1);
      at += quantifier.length;
      if (quantifier) tokens.push({ text: `)${quantifier}`, meaning: `the whole group ${times(quantifier)}`, depth });
      continue;
    }
    if (text.startsWith('(')) {
      const isCapture = text === '(' || /^\(\?<[^=!]/.test(text);
      if (isCapture) captures += 1;
      const name = /^\(\?<([^=!>][^>]*)>/.exec(text)?.[1];
      const kind = groups.find(([start]) => start === text)?.[1];
      tokens.push({ text, meaning: kind ?? `group ${captures}${name ? `, named “${name}”` : ''}, captures:`, depth });
      depth += 1;
      continue;
    }
    at += quantifier.length;
    const meaning = meaningOf(text);
    tokens.push({ text: text + quantifier, meaning: quantifier ? `${meaning}, ${times(quantifier)}` : meaning, depth });
  }
  for (const flag of flags) tokens.push({ text: flag, meaning: `flag: ${flagNames[flag] ?? flag}`, depth: 0 });
  return tokens;
}

/** Returns the next token, without its quantifier. */
function textAt(rest: string): string {
  const special =
    /^\[(?:\\.|[^\]\\])*\]/s.exec(rest) ??
    /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|k<[^>]*>|[1-9]\d*|c[a-z]|.)/is.exec(rest) ??
    /^\((?:\?(?:<[=!]|<[^>]*>|[:=!]))?/.exec(rest) ??
    /^(?:[).^$|])/.exec(rest);
  if (special) return special[0];
  const [plain] = plainText.exec(rest) ?? [rest.charAt(0)];
  // A quantifier applies only to the last character.
  const isRepeated = /^(?:[*+?]|\{\d)/.test(rest.slice(plain.length));
  const characters = [...plain];
  return isRepeated && characters.length > 1 ? characters.slice(0, -1).join('') : plain;
}

function meaningOf(text: string): string {
  if (text === '^') return 'the start';
  if (text === '$') return 'the end';
  if (text === '.') return 'any character but a line break';
  if (text === '|') return 'or';
  if (text.startsWith('[')) return meaningOfClass(text);
  if (!text.startsWith('\\')) return [...text].length === 1 ? `the character “${text}”` : `the text “${text}”`;
  const kind = text.charAt(1);
  if (/[pP]/.test(kind) && text.length > 2)
    return `a character ${kind === 'p' ? 'with' : 'without'} the property ${text.slice(3, -1)}`;
  if (/^\\[1-9]/.test(text)) return `the same text as group ${text.slice(1)}`;
  if (kind === 'k') return `the same text as group “${text.slice(3, -1)}”`;
  if (/[ux]/.test(kind) && text.length > 2) return `the character with the code ${text.slice(2)}`;
  return escapes[kind] ?? `the character “${kind}”`;
}

function meaningOfClass(text: string): string {
  const isNegated = text.startsWith('[^');
  const inside = text.slice(isNegated ? 2 : 1, -1);
  const members = inside.match(/(?:\\[pP]\{[^}]*\}|\\.|[^\\])(?:-(?:\\.|[^\\]))?/gsu) ?? [];
  const named = members.map((member) => {
    if (member.startsWith('\\') && member.length === 2) return meaningOf(member).replace(/^the character /, '');
    if (member.startsWith('\\')) return meaningOf(member);
    return member.length === 3 ? `${member.charAt(0)} to ${member.charAt(2)}` : `“${member}”`;
  });
  if (named.length === 0) return isNegated ? 'any character' : 'nothing, so it never matches';
  return `${isNegated ? 'a character other than' : 'one of'} ${named.join(', ')}`;
}

function times(quantifier: string): string {
  const isLazy = quantifier.length > 1 && quantifier.endsWith('?');
  const core = isLazy ? quantifier.slice(0, -1) : quantifier;
  const words: Record<string, string> = { '*': 'any number of times', '+': 'once or more', '?': 'once or not at all' };
  const [, least = '', comma, most] = /^\{(\d+)(,)?(\d*)\}$/.exec(core) ?? [];
  const counted = !comma ? `exactly ${least} times` : most ? `${least} to ${most} times` : `${least} times or more`;
  return `${words[core] ?? counted}${isLazy ? ', as few as possible' : ''}`;
}

/** Returns true for a repetition of a group that itself contains one, as in `(a+)+`. */
export function repeatsRepetition(source: string): boolean {
  const open: boolean[] = [];
  for (const { text, isRepeated } of scan(source)) {
    if (text.startsWith('(')) open.push(false);
    else if (text === ')') {
      const inner = open.pop();
      if (inner && isRepeated) return true;
      if (open.length > 0 && (inner || isRepeated)) open[open.length - 1] = true;
    } else if (isRepeated && open.length > 0) open[open.length - 1] = true;
  }
  return false;
}

function* scan(source: string): Generator<{ text: string; isRepeated: boolean }> {
  for (let at = 0; at < source.length; ) {
    const text = textAt(source.slice(at));
    at += text.length;
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at))?.[0] ?? '';
    at += text.startsWith('(') ? 0 : quantifier.length;
    yield { text, isRepeated: /^(?:[*+]|\{\d+,)/.test(quantifier) };
  }
}
