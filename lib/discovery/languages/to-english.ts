import { conceptsIn, isSpaced, phraseAt, wordKey } from './concepts';
import { languageOf } from './detect';
import { translateWord } from './translate-word';
import { isKept, type Word, wordsOf } from './word-forms';
import { isCommonWord, isEnglishWord, isFunctionWord, isInternational, isName, type Spaced } from './word-lists';

/** A text's language and its English form. */
interface EnglishText {
  /** `en`, another ISO 639-1 code, or `unknown`. */
  language: string;
  /** The text itself, or its word-by-word gloss; null if too few words are known. */
  text: string | null;
}

/**
 * Recognizes a text's language and translates it word by word for the English embedding model. Texts that consist only
 * of names, and texts with a few words of another language, count as English.
 */
export function toEnglish(text: string): EnglishText {
  const language = languageOf(text);
  if (language === 'en') return { language, text };
  if (isSpaced(language)) return { language, text: translateSpaced(text, language) };
  return language === 'zh' || language === 'ja' ? fromUnspaced(text, language) : { language, text: null };
}

/** Returns the text in English, for a model that supports only English; null if it cannot be translated. */
export function translateToEnglish(text: string): string | null {
  return toEnglish(text).text;
}

/** Resolves Japanese without kana, which resembles Chinese, to the language that translates more of the text. */
function fromUnspaced(text: string, language: 'zh' | 'ja'): EnglishText {
  const gloss = translateUnspaced(text, language);
  const other = language === 'zh' ? translateUnspaced(text, 'ja') : null;
  if (other && other.known > (gloss?.known ?? 0)) return { language: 'ja', text: other.english };
  return { language, text: gloss?.english ?? null };
}

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

/**
 * Returns an English gloss of a text, word by word in its order; null if less than half of the content words are known.
 */
function translateSpaced(text: string, language: Spaced): string | null {
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

/** Maximum characters of a word of the table. */
const MAX_WORD_LENGTH = 8;

// Grammatical characters without content.
const particles = {
  zh: new Set(
    '的了吗呢吧啊我你您他她它们这那是在有和与或把被给对为从到个一些想要请能会可以帮找需用谁什么怎样哪里上下中做办让不也都就很该与及并其',
  ),
  ja: new Set('一人方何誰私僕達的用中上下事物時々欲'),
};

/** The result of a translation. */
interface Gloss {
  english: string;
  /** Characters that are part of a known word. */
  known: number;
}

/**
 * Returns an English gloss of Chinese or Japanese text by longest match; null if less than half of the content is
 * known. Words in Latin letters are kept.
 */
function translateUnspaced(text: string, language: 'zh' | 'ja'): Gloss | null {
  const characters = [...wordKey(text, language)];
  const english: string[] = [];
  let known = 0;
  let unknown = 0;
  for (let at = 0; at < characters.length; ) {
    const latin = /^[\p{Script=Latin}\p{N}+#.-]*[\p{Script=Latin}\p{N}+#]/u.exec(characters.slice(at).join(''))?.[0];
    const match = latin === undefined ? longestAt(characters, at, language) : null;
    if (match) {
      known += match.length;
      english.push(match.english);
    } else if (latin !== undefined) english.push(latin);
    else if (isContent(characters[at] ?? '', language)) unknown += 1;
    at += match?.length ?? [...(latin ?? ' ')].length;
  }
  if (english.length === 0 || known < unknown) return null;
  return { english: english.join(' '), known };
}

function longestAt(
  characters: string[],
  at: number,
  language: 'zh' | 'ja',
): { english: string; length: number } | null {
  for (let length = Math.min(MAX_WORD_LENGTH, characters.length - at); length > 0; length -= 1) {
    const word = characters.slice(at, at + length).join('');
    const english = conceptsIn(language).exact.get(word);
    if (english !== undefined) return { english, length };
  }
  return null;
}

/** Returns false for hiragana outside of the words of the table, which is grammar and not content. */
function isContent(character: string, language: 'zh' | 'ja'): boolean {
  return /[\p{Script=Han}\p{Script=Katakana}]/u.test(character) && !particles[language].has(character);
}
