import { isInternational, isName } from './common-words';
import { isSpaced } from './concepts';
import { isEnglish, isPlausibleEnglish } from './english-forms';
import { scriptOf } from './scripts';
import { translateWord } from './translate-word';
import { maxVotes, votesOf } from './votes';
import { type Word, wordsOf } from './words';

/** Minimum unknown words from which a text without any English word does not count as a list of names. */
const MIN_UNKNOWN_WORDS = 3;

/**
 * The language of a text: English unless more of it belongs to another language. `unknown` for a text in an unsupported
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

/** Of languages with equal votes, the one whose table contains most of the words. */
function mostTranslated(words: Word[], languages: string[]): string {
  const known = (language: string) =>
    isSpaced(language) ? words.filter(({ folded }) => translateWord(folded, language)).length : 0;
  return languages.reduce((best, language) => (known(language) > known(best) ? language : best));
}

/** The text without quotations, because they may be in another language than the text. */
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
