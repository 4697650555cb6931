import { isCommonWord, isEnglishWord, isInternational, isName } from './common-words';
import { conceptsIn, phraseKey } from './concepts';
import { isFunctionWord } from './function-words';
import type { Spaced } from './languages';
import { translateWord } from './translate-word';
import { type Word, wordsOf } from './words';

/** Words of the longest phrase of the table. */
const MAX_PHRASE_LENGTH = 4;
/** The share of the content words that must be known. */
const MIN_KNOWN_SHARE = 0.5;

/** One or more words and what became of them. */
interface Piece {
  words: number;
  /** Null for words that are left out. */
  english: string | null;
  /** False for content words without a translation, null for words that do not count. */
  isKnown: boolean | null;
}

/** An English gloss of a text, word by word in its order; null when less than half of the content words are known. */
export function translateSpaced(text: string, language: Spaced): string | null {
  const words = wordsOf(text);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.length; at += pieces.at(-1)?.words ?? 1) pieces.push(pieceAt(words, at, language));
  const counted = pieces.filter(({ isKnown }) => isKnown !== null);
  const english = pieces.flatMap((piece) => piece.english ?? []);
  if (english.length === 0 || counted.filter(({ isKnown }) => isKnown).length < counted.length * MIN_KNOWN_SHARE)
    return null;
  return english.join(' ');
}

function pieceAt(words: Word[], at: number, language: Spaced): Piece {
  for (let length = Math.min(MAX_PHRASE_LENGTH, words.length - at); length > 1; length -= 1) {
    const phrase = words.slice(at, at + length).map(({ folded }) => folded);
    const english = conceptsIn(language).exact.get(phraseKey(phrase));
    if (english !== undefined) return { words: length, english, isKnown: true };
  }
  const word = words[at];
  return { words: 1, ...(word ? pieceOf(word, { language, isFirst: at === 0 }) : { english: null, isKnown: null }) };
}

function pieceOf(word: Word, { language, isFirst }: { language: Spaced; isFirst: boolean }): Omit<Piece, 'words'> {
  const { text, folded } = word;
  if (isFunctionWord(folded, language) || word.isElided) return { english: null, isKnown: null };
  if (isInternational(folded) || isKept(text)) return { english: text, isKnown: null };
  const translation = translateWord(folded, language);
  if (translation) return { english: translation.english, isKnown: true };
  const looksLikeName = isName(folded) || (language !== 'de' && !isFirst && /^\p{Lu}/u.test(text));
  if (looksLikeName) return { english: text, isKnown: null };
  if (isEnglishWord(folded)) return { english: folded, isKnown: true };
  return { english: isCommonWord(folded) ? folded : null, isKnown: folded.length < 3 ? null : false };
}

/** True for acronyms, numbers and names like iPhone, which need no translation. */
function isKept(text: string): boolean {
  return /\p{N}/u.test(text) || /^\p{Lu}{2,}$/u.test(text) || /\p{Ll}\p{Lu}/u.test(text);
}
