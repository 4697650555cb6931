import { wordKey } from './concepts';
import { lazy, readData } from './data-file';
import type { Translated } from './languages';

// Written by scripts/emoji-words.mjs: language, word and English word, separated by tabs.
const words = lazy(() => {
  const lines = readData('emoji-words.tsv').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [language, word = '', english = ''] = line.split('\t');
      return [`${language} ${wordKey(word, language as Translated)}`, english];
    }),
  );
});

/** The English translation of a folded word by the emoji that both describe; null when there is none. */
export function emojiWord(word: string, language: Translated): string | null {
  return words().get(`${language} ${word}`) ?? null;
}
