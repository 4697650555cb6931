import { conceptsIn, phraseKey, singularOf } from './concepts';
import type { Spaced } from './languages';
import type { Word } from './words';

/** Maximum words of a phrase of the table. */
const MAX_LENGTH = 5;

/** The longest phrase of the table that begins at a word, and its translation; null when there is none. */
export function phraseAt(words: Word[], at: number, language: Spaced): { english: string; length: number } | null {
  const { exact, phraseHeads } = conceptsIn(language);
  if (!phraseHeads.has(singularOf(words[at]?.folded ?? ''))) return null;
  for (let length = Math.min(MAX_LENGTH, words.length - at); length > 1; length -= 1) {
    const english = exact.get(phraseKey(words.slice(at, at + length).map(({ folded }) => folded)));
    if (english !== undefined) return { english, length };
  }
  return null;
}
