import type { SearchToken } from '../catalog';
import { selectSimilarWords } from './store/search';
import type { Terms } from './terms';

/** Words that are matched tolerantly. Each costs an index scan and six subqueries. */
const MAX_TOLERANT_WORDS = 8;
/** Characters below which a word is not matched tolerantly, because short words resemble too many others. */
const MIN_TOLERANT_LENGTH = 3;

/** Similar words that are searched per word. */
const MAX_SIMILAR_WORDS = 5;
/** pg_trgm's default threshold. */
const SIMILARITY = 0.3;

/**
 * The terms with words of the index that each may be a misspelling of, by trigram similarity.
 */
export async function withSimilarWords(terms: Terms): Promise<Terms> {
  const words = terms.words.slice(0, MAX_TOLERANT_WORDS);
  const similar = await selectSimilarWords(
    words.filter(mayBeMisspelled).map(({ text }) => text),
    { limit: MAX_SIMILAR_WORDS, similarity: SIMILARITY },
  );
  return { ...terms, words: words.map((term) => ({ ...term, similar: similar.get(term.text) ?? [] })) };
}

/** True for a word that is long enough to resemble few others. */
export function mayBeMisspelled({ text, isPair }: SearchToken): boolean {
  return !isPair && [...text].length >= MIN_TOLERANT_LENGTH;
}
