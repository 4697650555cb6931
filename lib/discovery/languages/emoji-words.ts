import { foldText } from '../../catalog';
import { lazy, readData } from './data-file';
import type { Translated } from './languages';

// Written by scripts/emoji-words.mjs: language, word and English word, separated by tabs.
const words = lazy(() => {
  const lines = foldText(readData('emoji-words.tsv')).trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf('\t');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
});

/** The English translation of a folded word by the emoji that both describe; null when there is none. */
export function emojiWord(word: string, language: Translated): string | null {
  return words().get(`${language}\t${word}`) ?? null;
}
