import { MAX_TOKEN_LENGTH } from '../limits';

// Scripts without spaces between words, which are indexed by single characters and pairs.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;

// Letters that NFKD does not decompose.
const foldedLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ى: 'ي',
  ة: 'ه',
  ـ: '',
};

/** The text for comparison: lower case, without accents and vowel points, compatibility forms resolved. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıħŧىةـ]/g, (letter) => foldedLetters[letter] ?? letter);
}

/** The folded text without apostrophes, for slugs. */
export function latinOf(text: string): string {
  return foldText(text).replace(/['’]/g, '');
}

/** A word of a text. */
export interface SearchToken {
  text: string;
  /** True for characters of a script without spaces. */
  isPair: boolean;
}

/**
 * The folded words of a text in order. They contain only letters, marks and digits, so no query syntax. Scripts without
 * spaces yield pairs of characters, with `singles` also single characters.
 */
export function tokensOf(text: string, { singles }: { singles: boolean }): SearchToken[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .flatMap((word) => splitWord(word, singles))
    .map((token) => ({ ...token, text: token.text.slice(0, MAX_TOKEN_LENGTH) }));
}

function splitWord(word: string, singles: boolean): SearchToken[] {
  const tokens: SearchToken[] = [];
  let from = 0;
  for (const match of word.matchAll(unspaced)) {
    if (match.index > from) tokens.push({ text: word.slice(from, match.index), isPair: false });
    tokens.push(...pairsOf(match[0], singles));
    from = match.index + match[0].length;
  }
  if (from < word.length) tokens.push({ text: word.slice(from), isPair: false });
  return tokens;
}

function pairsOf(run: string, singles: boolean): SearchToken[] {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  const found = singles || pairs.length === 0 ? [...characters, ...pairs] : pairs;
  return found.map((text) => ({ text, isPair: true }));
}
