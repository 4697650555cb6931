import { isEnglishWord } from './common-words';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Shorter words are one change away from some English word anyway. */
const MIN_LENGTH = 4;

/** True for a folded word that is one change (a letter more, less, replaced or swapped) away from an English word. */
export function isPlausibleEnglish(word: string): boolean {
  if (isEnglishWord(word)) return true;
  if (word.length < MIN_LENGTH) return false;
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    const changed = [
      before + after.slice(1),
      before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2),
      ...LETTERS.flatMap((letter) => [before + letter + after, before + letter + after.slice(1)]),
    ];
    if (changed.some(isEnglishWord)) return true;
  }
  return false;
}
