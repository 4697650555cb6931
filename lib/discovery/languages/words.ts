import { foldText } from '../../catalog';

/** A word of a text in a script with spaces. */
export interface Word {
  /** The word as written. */
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

/** True for acronyms, numbers and names such as iPhone, which need no translation. */
export function isKept(text: string): boolean {
  return /\p{N}/u.test(text) || /^\p{Lu}{2,}$/u.test(text) || /\p{Ll}\p{Lu}/u.test(text);
}
