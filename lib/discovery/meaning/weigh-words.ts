import { foldText } from '../../catalog';
import { isCommonWord } from '../languages/word-lists';
import { CORRECTED_WEIGHT } from '../ranking/score';
import { selectSimilarWords } from '../store/search';
import { selectFrequencies, selectIndexedWords, type WeighedWord } from '../store/word-index';
import { mayBeMisspelled, type Terms } from '../terms';

/** Maximum words that are compared with a misspelled one, and their minimum trigram similarity. */
const SPELLING_CANDIDATES = 10;
const SPELLING_SIMILARITY = 0.3;

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

/** Returns the words with the forms that exist in the index. With many forms, the database would read every row. */
async function formsByWord(words: string[]): Promise<Map<string, string[]>> {
  if (words.length === 0) return new Map();
  const all = new Map(words.map((word) => [word, formsOf(word)]));
  const indexed = await selectIndexedWords([...all.values()].flat());
  return new Map([...all].map(([word, forms]) => [word, forms.filter((form) => form === word || indexed.has(form))]));
}

/** Returns the most similar word of the catalog for each word that is a misspelling. */
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

/** Returns the inverse document frequency, which is always positive, and largest for a word that no agent has. */
function idfOf(agentsWithWord: number, agents: number): number {
  const without = Math.max(0, agents - agentsWithWord);
  return Math.log(1 + (without + 0.5) / (agentsWithWord + 0.5));
}

/** Returns the text with its misspelled words corrected. Words are found regardless of accents and case. */
export function correctText(text: string, words: WeighedWord[]): string {
  const corrections = new Map(
    words.filter((word) => word.text !== word.written).map((word) => [word.written, word.text]),
  );
  if (corrections.size === 0) return text;
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => corrections.get(foldText(word)) ?? word);
}

/** Minimum letters of a word with other forms. Shorter words resemble too many others. */
const MIN_LENGTH = 4;
const MIN_STEM = 3;

/** Endings of English inflection, the longest first. */
const endings = 'ations ation ating ates ated ate ings ing ers ies ied er ed es s e y'.split(' ');
const inflections = ['', ...'s es e ed er ers ing y ies ied ate ates ated ating ation ations'.split(' ')];

/**
 * Returns the word and its possible inflected forms, such as translates and translation for translate. They are needed
 * because the index contains words as written.
 */
function formsOf(word: string): string[] {
  if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word)) return [word];
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= MIN_STEM) ?? '';
  const stem = word.slice(0, word.length - ending.length);
  const stems = new Set([
    stem,
    ...(isDoubled(stem) ? [stem.slice(0, -1)] : []),
    ...(isDoubling(stem) ? [stem + stem.at(-1)] : []),
  ]);
  const forms = [...stems].flatMap((each) => inflections.map((inflection) => each + inflection));
  return [...new Set([word, ...forms])].filter((form) => form.length >= MIN_STEM);
}

/** Returns true if the stem ends in a doubled consonant, such as `plann` of planned. */
function isDoubled(stem: string): boolean {
  return /([bdgklmnprt])\1$/.test(stem);
}

/** Returns true if an ending doubles the last consonant of the stem, such as that of `plan` in planned. */
function isDoubling(stem: string): boolean {
  return /[^aeiou][aeiou][bdgklmnprt]$/.test(stem);
}

/** Maximum characters of a word that is too short for two mistakes. */
const SHORT_WORD = 5;

/** Returns the maximum distance up to which a word counts as a misspelling. */
function maxDistance(word: string): number {
  return word.length <= SHORT_WORD ? 1 : 2;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent characters between two words (optimal
 * string alignment). Trigrams alone undervalue swaps.
 */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) => [row, ...Array<number>(b.length).fill(0)]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let column = 1; column <= b.length; column++) (rows[0] as number[])[column] = column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) best = Math.min(best, at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = best;
    }
  }
  return at(a.length, b.length);
}
