import { foldText } from '../../catalog';

/** A word of a text in a script with spaces. */
export interface Word {
  /** As written. */
  text: string;
  folded: string;
  /** True for the part before an apostrophe, as in l'avion. */
  isElided: boolean;
}

/** The words of a text in order. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/([\p{L}\p{M}\p{N}+#]+)(['’](?=\p{L}))?/gu)].map(([, word = '', apostrophe]) => ({
    text: word,
    folded: foldText(word),
    isElided: apostrophe !== undefined,
  }));
}
