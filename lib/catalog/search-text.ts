// Written in one piece, or without spaces: their words are found by single characters and pairs.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;

// Letters that Unicode does not take apart into a base letter and a mark.
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

const maxTokenLength = 64;

/** Text as it is compared: lower case, without accents and vowel points, compatibility forms resolved. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıħŧىةـ]/g, (letter) => foldedLetters[letter] ?? letter);
}

/** The text folded, with everything but a–z, 0–9 as it is: what slugs are made of. */
export function latinOf(text: string): string {
  return foldText(text).replace(/['’]/g, '');
}

/** A word to look up, and whether it is a pair of characters from a script without spaces. */
export interface SearchToken {
  text: string;
  isPair: boolean;
}

/**
 * The words of a text, folded, in order; letters and digits only, so nothing of them means anything to a query parser.
 * Scripts without spaces come as pairs of characters, and with `singles` as single ones too.
 */
export function tokensOf(text: string, { singles }: { singles: boolean }): SearchToken[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .flatMap((word) => splitWord(word, singles))
    .map((token) => ({ ...token, text: token.text.slice(0, maxTokenLength) }));
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
