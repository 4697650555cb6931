import { isEnglishWord } from './common-words';
import { isFunctionWord } from './function-words';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Minimum length of a word, letters. Shorter words are nearly always one change away from an English word. */
const MIN_LENGTH = 4;

/** True for a folded word that is common in English, also with an ending. */
export function isEnglish(word: string): boolean {
  return isFunctionWord(word, 'en') || isEnglishWord(word) || endsLike(word, /(?:s|es|d|ed|ing)$/);
}

/** True for a folded word that is made of common English words and affixes, such as a reducer or a flowchart. */
export function isMadeOfEnglish(word: string): boolean {
  return isEnglish(word) || endsLike(word, /(?:rs?|ers?|or|ly|able|ness|izers?|isers?)$/) || isEnglishCompound(word);
}

function endsLike(word: string, ending: RegExp): boolean {
  const found = ending.exec(word);
  if (!found) return false;
  // The expression matches the longest ending. Shorter endings are suffixes of it.
  for (let at = found.index; at < word.length; at += 1) {
    const bare = word.slice(0, at);
    if (bare.length >= MIN_LENGTH && withEnding(bare, word.slice(at)).some(isEnglishWord)) return true;
  }
  return false;
}

/** Words that may become the bare part before an ending: box before -es, invoice before -d, party before -ies. */
function withEnding(bare: string, ending: string): string[] {
  if (/^(?:e[sdr]|ing)/.test(ending) && bare.endsWith('i')) return [`${bare.slice(0, -1)}y`, `${bare}e`];
  return ending === 'es' && !/(?:[sxzo]|[cs]h)$/.test(bare) ? [`${bare}e`] : [bare, `${bare}e`];
}

function isEnglishCompound(word: string): boolean {
  for (let at = MIN_LENGTH; at <= word.length - MIN_LENGTH; at += 1) {
    if (isEnglishWord(word.slice(0, at)) && isEnglish(word.slice(at))) return true;
  }
  return false;
}

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
