import { foldText, type SearchToken, tokensOf } from '../../catalog';
import { MAX_QUERY_TERMS, MIN_PREFIX_LENGTH } from '../limits';
import { stopWords } from './stop-words';

/** One word of a search text. */
interface Term extends SearchToken {
  /** True for the last word, which may be incomplete, so that words with this prefix match. */
  isPrefix: boolean;
  /** Possible corrections of the word; empty unless the search is tolerant. */
  similar: string[];
}

/** A parsed search text. */
export interface Terms {
  /** The whole folded text, which is compared with names. */
  key: string;
  /** The distinct significant words in order; at least one. */
  words: Term[];
}

/** Parses a search text; null if it contains neither letters nor digits. */
export function termsOf(q: string): Terms | null {
  const all = tokensOf(q, { singles: false });
  const significant = all.filter(({ text }) => !stopWords.has(text));
  const selected = significant.length > 0 ? significant : all;
  const distinct = [...new Map(selected.map((token) => [token.text, token])).values()].slice(0, MAX_QUERY_TERMS);
  if (distinct.length === 0) return null;
  const last = all.at(-1)?.text;
  const words = distinct.map((token) => ({
    ...token,
    isPrefix: token.text === last && !token.isPair && [...token.text].length >= MIN_PREFIX_LENGTH,
    similar: [],
  }));
  return { key: foldText(q).replace(/\s+/g, ' ').trim(), words };
}

/** Lexeme prefix of a field: the name; name, skills and tags; anywhere (lib/catalog/store/search-rows.ts). */
export type SearchField = 'n:' | 's:' | '';

/**
 * Returns a tsquery for one word as written. Words contain only letters, digits and marks
 * (lib/catalog/names/folded-text.ts), so that a quoted word is one lexeme and cannot contain query syntax.
 */
export function wordQuery({ text, isPrefix }: Term, field: SearchField): string {
  return `'${field}${text}'${isPrefix ? ':*' : ''}`;
}

/** Returns a tsquery for any of these words as written. */
export function anyQuery(words: string[], field: SearchField): string {
  return words.map((word) => `'${field}${word}'`).join(' | ');
}

/** Returns a tsquery for all words in one field. */
export function everyWordQuery({ words }: Terms, field: SearchField): string {
  return words.map((term) => wordQuery(term, field)).join(' & ');
}

/** Returns the skill that contains most of the words. `skills[].words` are separated and enclosed by spaces. */
export function bestSkill({ words }: Terms, skills: { name: string; words: string }[]): string | null {
  let best: { name: string; count: number } | null = null;
  for (const skill of skills) {
    const count = words.filter((term) => containsTerm(skill.words, term)).length;
    if (count > (best?.count ?? 0)) best = { name: skill.name, count };
  }
  return best?.name ?? null;
}

function containsTerm(words: string, { text, isPrefix, similar }: Term): boolean {
  return words.includes(isPrefix ? ` ${text}` : ` ${text} `) || similar.some((word) => words.includes(` ${word} `));
}

/** True for a word that is long enough to resemble few others. */
export function mayBeMisspelled({ text, isPair }: SearchToken): boolean {
  return !isPair && [...text].length >= MIN_TOLERANT_LENGTH;
}

/** Minimum characters of a word that is matched tolerantly, because short words resemble too many others. */
const MIN_TOLERANT_LENGTH = 3;
