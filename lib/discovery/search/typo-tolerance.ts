import type { SearchToken } from '../../catalog';
import { selectSimilarWords } from '../store/search';
import type { Terms } from './terms';

/** Maximum words that are matched tolerantly. Each requires an index scan and six subqueries. */
const MAX_TOLERANT_WORDS = 8;
/** Minimum characters of a word that is matched tolerantly, because short words resemble too many others. */
const MIN_TOLERANT_LENGTH = 3;

/** Maximum similar words that are searched per word. */
const MAX_SIMILAR_WORDS = 5;
/** Minimum trigram similarity: the default of pg_trgm. */
const SIMILARITY = 0.3;

/** Returns the terms, each with its possible corrections from the index, by trigram similarity. */
export async function withSimilarWords(terms: Terms): Promise<Terms> {
  const words = terms.words.slice(0, MAX_TOLERANT_WORDS);
  const similar = await selectSimilarWords(
    words.filter(mayBeMisspelled).map(({ text }) => text),
    { limit: MAX_SIMILAR_WORDS, similarity: SIMILARITY },
  );
  return { ...terms, words: words.map((term) => ({ ...term, similar: similar.get(term.text) ?? [] })) };
}

/** Returns true for a word that is long enough to resemble only few others. */
export function mayBeMisspelled({ text, isPair }: SearchToken): boolean {
  return !isPair && [...text].length >= MIN_TOLERANT_LENGTH;
}
