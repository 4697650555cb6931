import { foldText } from '../../catalog';
import { isCommonWord } from '../languages';
import { CORRECTED_WEIGHT } from '../ranking/ranking-weights';
import type { Terms } from '../search/terms';
import { mayBeMisspelled } from '../search/typo-tolerance';
import { selectSimilarWords } from '../store/search';
import { selectFrequencies, selectIndexedWords } from '../store/word-frequencies';
import { editDistance, maxDistance } from './edit-distance';
import { formsOf } from './word-forms';

/** Maximum words that are compared with a misspelled one, and their minimum trigram similarity. */
const SPELLING_CANDIDATES = 10;
const SPELLING_SIMILARITY = 0.3;

/** A word of a search with its weight. */
export interface WeighedWord {
  /** The word used for the search, corrected if it is a misspelling. */
  text: string;
  /** The word as it was written. */
  written: string;
  /** The words that match: it and its inflected forms. */
  forms: string[];
  /** While the word is being typed: words with this prefix match too. */
  prefix: string | null;
  /** Its contribution to the coverage in the best field. */
  weight: number;
  /** Inverse document frequency: larger for rarer words. */
  idf: number;
}

/** Weighs the words of a search by their rarity, and corrects those that are misspelled. */
export async function weighWords({ words }: Terms, isTyping: boolean): Promise<WeighedWord[]> {
  const forms = await formsByWord(words.map(({ text }) => text));
  const frequencies = await selectFrequencies(forms);
  const unknown = words.filter(
    (word) => !frequencies.of.get(word.text) && mayBeMisspelled(word) && !isCommonWord(word.text),
  );
  const corrections = await correctionsOf(unknown.map(({ text }) => text));
  const correctedForms = await formsByWord([...corrections.values()]);
  const corrected = await selectFrequencies(correctedForms);
  return words.map((word) => {
    const correction = corrections.get(word.text);
    const text = correction ?? word.text;
    const agents = (correction ? corrected : frequencies).of.get(text) ?? 0;
    const idf = idfOf(agents, frequencies.agents);
    return {
      text,
      written: word.text,
      forms: (correction ? correctedForms : forms).get(text) ?? [text],
      prefix: isTyping && word.isPrefix && !correction ? text : null,
      idf,
      weight: idf * (correction ? CORRECTED_WEIGHT : 1),
    };
  });
}

/** The words with the forms that exist in the index. With many forms, the database would read every row. */
async function formsByWord(words: string[]): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const all = new Map(words.map((word) => [word, formsOf(word)]));
  const indexed = await selectIndexedWords([...all.values()].flat());
  return new Map([...all].map(([word, forms]) => [word, forms.filter((form) => form === word || indexed.has(form))]));
}

/** For each word that is a misspelling, the most similar word of the catalog. */
async function correctionsOf(words: string[]): Promise<Map<string, string>> {
  if (words.length === 0) return new Map();
  const similar = await selectSimilarWords(words, { limit: SPELLING_CANDIDATES, similarity: SPELLING_SIMILARITY });
  const corrections = new Map<string, string>();
  for (const [word, candidates] of similar) {
    const [nearest] = candidates
      .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
      .sort((a, b) => a.distance - b.distance);
    if (nearest && nearest.distance <= maxDistance(word)) corrections.set(word, nearest.candidate);
  }
  return corrections;
}

/** Inverse document frequency, always positive; the largest for a word that no agent has. */
function idfOf(agentsWithWord: number, agents: number): number {
  const without = Math.max(0, agents - agentsWithWord);
  return Math.log(1 + (without + 0.5) / (agentsWithWord + 0.5));
}

/** The text with its misspelled words corrected. Words are found regardless of accents and case. */
export function correctText(text: string, words: WeighedWord[]): string {
  const corrections = new Map(
    words.filter((word) => word.text !== word.written).map((word) => [word.written, word.text]),
  );
  if (corrections.size === 0) return text;
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => corrections.get(foldText(word)) ?? word);
}
