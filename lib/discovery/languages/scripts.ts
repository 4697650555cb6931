/** Characters of Chinese and Japanese text, which has no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

// Scripts that are mostly used by one language. The language name is an approximation for the log.
const others: [RegExp, string][] = [
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Devanagari}/gu, 'hi'],
];

/** Average number of letters of a word. */
const LETTERS_PER_WORD = 5;
const CHARACTERS_PER_WORD = 1.8;

/** The language of the letters of a text, and an estimate of the number of words; null for Latin letters. */
export function scriptOf(text: string): { language: string; words: number } | null {
  const unspaced = count(text, UNSPACED);
  if (unspaced > 0) return { language: KANA.test(text) ? 'ja' : 'zh', words: unspaced / CHARACTERS_PER_WORD };
  for (const [letters, language] of others) {
    const found = count(text, letters);
    if (found > 1) return { language, words: found / LETTERS_PER_WORD };
  }
  const foreign = count(text, /(?!\p{Script=Latin})\p{L}/gu);
  return foreign > 1 ? { language: 'unknown', words: foreign / LETTERS_PER_WORD } : null;
}

function count(text: string, letters: RegExp): number {
  return [...text.matchAll(letters)].reduce((sum, [found]) => sum + [...found].length, 0);
}
