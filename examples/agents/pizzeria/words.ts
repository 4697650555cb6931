import { lexicon, MAX_PHRASE_WORDS, type Token } from './lexicon';

/** Names on the menu that are long enough to be recognized despite a typo. */
const misspellable = [...lexicon].filter(
  ([text, { kind }]) => (kind === 'pizza' || kind === 'topping') && text.length >= 6 && !text.includes(' '),
);

/** Normalizes a text: lower case, without accents and apostrophes, punctuation separated by spaces. */
export function normalize(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’‘`"“”]/g, '')
    .replace(/(\d)\s*[x×]/g, '$1 x')
    .replace(/[x×]\s*(\d)/g, '$1')
    .replace(/[,;:&+()/]/g, (mark) => ` ${/[()/]/.test(mark) ? ',' : mark} `)
    .replace(/[.!?](?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Splits a text into tokens, longest known phrase first. */
export function tokenize(text: string): Token[] {
  const words = normalize(text)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word) || lexicon.has(word));
  const tokens: Token[] = [];
  for (let at = 0; at < words.length; ) {
    const { token, length } = readToken(words.slice(at, at + MAX_PHRASE_WORDS));
    tokens.push(token);
    at += length;
  }
  return tokens;
}

function readToken(words: string[]): { token: Token; length: number } {
  for (let length = words.length; length > 0; length -= 1) {
    const token = lookUp(words.slice(0, length).join(' '));
    if (token) return { token, length };
  }
  return { token: { kind: 'other', text: words[0] ?? '' }, length: 1 };
}

function lookUp(text: string): Token | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return { kind: 'number', value: Number(text), text };
  const found = lexicon.get(text) ?? lexicon.get(text.replace(/s$/, ''));
  if (found) return { ...found, text };
  if (text.length < 6 || text.includes(' ')) return undefined;
  const near = misspellable.find(([name]) => name[0] === text[0] && distance(name, text) <= (name.length >= 8 ? 2 : 1));
  return near && { ...near[1], text };
}

/** Levenshtein distance. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
