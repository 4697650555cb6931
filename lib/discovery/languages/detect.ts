import { isSpaced, phraseAt } from './concepts';
import { isCompound, listed, translateWord } from './translate-word';
import { isEnglish, isKept, isMadeOfEnglish, isPlausibleEnglish, type Word, wordsOf } from './word-forms';
import { isFunctionWord, isInternational, isName, RECOGNIZED, SPACED, type Spaced } from './word-lists';

/** Minimum unknown words for which a text without any English word no longer counts as a list of names. */
const MIN_UNKNOWN_WORDS = 3;

/**
 * Returns the language of a text: English, unless more of it belongs to another language; `unknown` for an unsupported
 * language.
 */
export function languageOf(text: string): string {
  const outside = withoutQuotes(text.normalize('NFC'));
  const words = wordsOf(outside).filter(({ folded }) => !/^\p{N}+$/u.test(folded));
  const english = words.filter((word) => isEnglish(word.folded)).length;
  const script = scriptOf(outside);
  if (script && script.words >= english) return script.language;
  const latin = words.filter(({ folded }) => /^\p{Script=Latin}/u.test(folded));
  if (english > 0 && english >= maxVotes(outside, latin)) return 'en';
  const votes = votesOf(outside, latin);
  const most = Math.max(...votes.values());
  if (most > english)
    return mostTranslated(
      latin,
      [...votes].flatMap(([language, vote]) => (vote === most ? [language] : [])),
    );
  if (english > 0) return 'en';
  return isForeignList(latin) ? 'unknown' : 'en';
}

/** Returns the language whose table contains most of the words, among languages with equal votes. */
function mostTranslated(words: Word[], languages: string[]): string {
  const known = (language: string) =>
    isSpaced(language) ? words.filter(({ folded }) => translateWord(folded, language)).length : 0;
  return languages.reduce((best, language) => (known(language) > known(best) ? language : best));
}

/** Returns the text without quotations, which may be in another language. */
function withoutQuotes(text: string): string {
  const outside = text.replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」/g, ' ');
  return /[\p{L}\p{N}]/u.test(outside) ? outside : text;
}

function isForeignList(words: Word[]): boolean {
  const unknown = words.filter(
    ({ folded, text }) =>
      folded.length > 2 && text === text.toLowerCase() && !isInternational(folded) && !isName(folded),
  );
  const english = unknown.filter(({ folded }) => isPlausibleEnglish(folded));
  return unknown.length >= MIN_UNKNOWN_WORDS && english.length * 2 < unknown.length;
}

/**
 * The votes of a word that is known only in another form or shared with English, and of a letter that does not exist in
 * English.
 */
const FORM_VOTE = 0.75;
const LETTER_VOTE = 0.5;
/** Minimum length of a word that is matched by its form. Shorter words resemble forms of other words by chance. */
const MIN_FORM_LENGTH = 5;
const MIN_PLURAL_LENGTH = 4;
const MIN_COMPOUND_LENGTH = 8;

/**
 * Returns the maximum votes of a text for any language other than English. No table has to be read if English has more.
 */
function maxVotes(text: string, words: Word[]): number {
  const counted = words.filter((word) => !isKept(word.text) && !isInternational(word.folded));
  return counted.length + letters.filter(([letter]) => letter.test(text.toLowerCase())).length * LETTER_VOTE;
}

/** Names and phrases of English texts with function words of other languages. */
const borrowed =
  /\b(los angeles|las vegas|las palmas|la paz|el (?:paso|salvador|nino)|le mans|rio de janeiro|de facto|du jour|la carte|et al|en route|per se|ad hoc|pro bono|vis a vis|van gogh|da vinci|von neumann|a la)\b/g;

const letters: [RegExp, string[]][] = [
  [/ß/, ['de']],
  [/[äöü]/, ['de']],
  [/[œèëù]/, ['fr']],
  [/[êôâç]/, ['fr', 'pt']],
  [/[ñ¿¡]/, ['es']],
  [/[òìù]/, ['it']],
  [/[ãõ]/, ['pt']],
  [/[áíóú]/, ['es', 'pt']],
  [/[éà]/, ['fr', 'es', 'pt', 'it']],
  [/[łąężśźćń]/, ['pl']],
  [/[řěůčšž]/, ['cs', 'hr']],
  [/[șță]/, ['ro']],
  [/[őű]/, ['hu']],
  [/[ğşı]/, ['tr']],
  [/å/, ['sv', 'da', 'nb']],
  [/[øæ]/, ['da', 'nb']],
  [/[ơưđạảấầẩậắằặẹẻẽếềểệỉịọỏốồổộớờởợụủứừửựỳỵỷỹ]/, ['vi']],
];

/** Returns the votes of a text in Latin letters for each language except English: about one vote per word. */
function votesOf(text: string, words: Word[]): Map<string, number> {
  const votes = new Map<string, number>([...SPACED, ...RECOGNIZED].map((language) => [language, 0]));
  const add = (language: string, vote: number) => votes.set(language, (votes.get(language) ?? 0) + vote);
  const ignored = borrowedWords(words);
  const inPhrase = new Map(SPACED.map((language) => [language, wordsOfPhrases(words, language)]));
  for (const word of words) {
    if (ignored.has(word.folded) || isKept(word.text)) continue;
    for (const language of SPACED) add(language, inPhrase.get(language)?.has(word) ? 1 : voteOf(word, language));
    for (const language of RECOGNIZED) add(language, isFunctionWord(word.folded, language) ? 1 : 0);
  }
  for (const [letter, languages] of letters) {
    if (letter.test(text.toLowerCase())) for (const language of languages) add(language, LETTER_VOTE);
  }
  return votes;
}

function borrowedWords(words: Word[]): ReadonlySet<string> {
  const text = words.map(({ folded }) => folded).join(' ');
  return new Set([...text.matchAll(borrowed)].flatMap(([phrase]) => phrase.split(' ')));
}

/** Returns the words that are part of a phrase of the table. */
function wordsOfPhrases(words: Word[], language: Spaced): ReadonlySet<Word> {
  return new Set(words.flatMap((_, at) => words.slice(at, at + (phraseAt(words, at, language)?.length ?? 0))));
}

function voteOf({ folded, isElided }: Word, language: Spaced): number {
  if (isFunctionWord(folded, language)) return isFunctionWord(folded, 'en') ? FORM_VOTE : 1;
  if (isElided || folded.length < 3 || isInternational(folded)) return 0;
  const translation = listed(folded, language);
  if (translation?.by === 'word') return 1;
  const min = folded.endsWith('s') ? MIN_PLURAL_LENGTH : MIN_FORM_LENGTH;
  if (folded.length < min || isMadeOfEnglish(folded) || isName(folded)) return 0;
  const isForm = translation !== null || (folded.length >= MIN_COMPOUND_LENGTH && isCompound(folded, language));
  return isForm && !isPlausibleEnglish(folded) ? FORM_VOTE : 0;
}

/** Characters of Chinese and Japanese text, which has no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

// Scripts that are mostly used by one language. The name of the language is an approximation for the log.
const others: [RegExp, string][] = [
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Devanagari}/gu, 'hi'],
];

/** Average number of letters of a word. */
const LETTERS_PER_WORD = 5;
const CHARACTERS_PER_WORD = 1.8;

/** Returns the language of the letters of a text, and an estimate of the number of words; null for Latin letters. */
function scriptOf(text: string): { language: string; words: number } | null {
  const unspaced = count(text, UNSPACED);
  if (unspaced > 0) return { language: KANA.test(text) ? 'ja' : 'zh', words: unspaced / CHARACTERS_PER_WORD };
  for (const [letters, language] of others) {
    const found = count(text, letters);
    if (found > 1) return { language, words: found / LETTERS_PER_WORD };
  }
  const nonLatin = count(text, /(?!\p{Script=Latin})\p{L}/gu);
  return nonLatin > 1 ? { language: 'unknown', words: nonLatin / LETTERS_PER_WORD } : null;
}

function count(text: string, letters: RegExp): number {
  return [...text.matchAll(letters)].reduce((sum, [found]) => sum + [...found].length, 0);
}
