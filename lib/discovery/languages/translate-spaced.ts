import { isCommonWord, isEnglishWord, isInternational, isName } from './common-words';
import { isFunctionWord } from './function-words';
import type { Spaced } from './languages';
import { phraseAt } from './phrases';
import { translateWord } from './translate-word';
import { isKept, type Word, wordsOf } from './words';

/** Minimum share of the content words that must be known. */
const MIN_KNOWN_SHARE = 0.5;

/** One or more words and their translation. */
interface Piece {
  words: number;
  /** Null for omitted words. */
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
  const phrase = phraseAt(words, at, language);
  if (phrase) return { words: phrase.length, english: phrase.english, isKnown: true };
  const word = words[at];
  return { words: 1, ...(word ? pieceOf(word, { language, isFirst: at === 0 }) : { english: null, isKnown: null }) };
}

function pieceOf(word: Word, { language, isFirst }: { language: Spaced; isFirst: boolean }): Omit<Piece, 'words'> {
  const { text, folded } = word;
  if (isFunctionWord(folded, language) || word.isElided) return { english: null, isKnown: null };
  if (isInternational(folded) || isKept(text)) return { english: text, isKnown: null };
  const translation = translateWord(folded, language);
  const isNamed = isName(folded) && /^\p{Lu}/u.test(text);
  if (translation && (translation.by === 'word' || !isNamed)) return { english: translation.english, isKnown: true };
  const looksLikeName = isName(folded) || (language !== 'de' && !isFirst && /^\p{Lu}/u.test(text));
  if (looksLikeName) return { english: text, isKnown: null };
  if (isEnglishWord(folded)) return { english: folded, isKnown: true };
  return { english: isCommonWord(folded) ? folded : null, isKnown: folded.length < 3 ? null : false };
}
