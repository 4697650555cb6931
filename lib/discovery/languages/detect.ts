import { isEnglishWord, isInternational, isName } from './common-words';
import { isFunctionWord } from './function-words';
import { RECOGNIZED, SPACED, type Spaced } from './languages';
import { isPlausibleEnglish } from './misspellings';
import { scriptOf } from './scripts';
import { listed, translateWord } from './translate-word';
import { type Word, wordsOf } from './words';

/** Votes of a word known in another form only, and of a letter that English lacks. */
const FORM_VOTE = 0.75;
const LETTER_VOTE = 0.5;
/** Unknown words from which on a text without any English word is no list of names. */
const MIN_UNKNOWN_WORDS = 3;

/** Names and phrases of English texts with function words of other languages. */
const borrowed =
  /\b(los angeles|las vegas|las palmas|la paz|el (?:paso|salvador|nino)|le mans|rio de janeiro|de facto|du jour|la carte|et al|en route|per se|ad hoc|pro bono|vis a vis|van gogh|da vinci|von neumann|a la)\b/g;

const letters: [RegExp, string[]][] = [
  [/ß/, ['de']],
  [/[äöü]/, ['de']],
  [/[œèêëù]/, ['fr']],
  [/[ñ¿¡]/, ['es']],
  [/[òìù]/, ['it']],
  [/[ãõ]/, ['pt']],
  [/ç/, ['fr', 'pt']],
  [/[łąężśźćń]/, ['pl']],
  [/[řěůčšž]/, ['cs', 'hr']],
  [/[șțăâ]/, ['ro']],
  [/[őű]/, ['hu']],
  [/[ğşı]/, ['tr']],
  [/å/, ['sv', 'da', 'nb']],
  [/[øæ]/, ['da', 'nb']],
  [/[ơưđạảấầẩậắằặẹẻẽếềểệỉịọỏốồổộớờởợụủứừửựỳỵỷỹ]/, ['vi']],
];

/**
 * The language of a text: English unless more of it belongs to another language. `unknown` when it is neither English
 * nor of a language known here.
 */
export function languageOf(text: string): string {
  const outside = withoutQuotes(text);
  const words = wordsOf(outside).filter(({ folded }) => !/^\p{N}+$/u.test(folded));
  const english = words.filter((word) => isEnglish(word.folded)).length;
  const script = scriptOf(outside);
  if (script && script.words >= english) return script.language;
  const latin = words.filter(({ folded }) => /^\p{Script=Latin}/u.test(folded));
  const votes = votesOf(outside, latin);
  const [language, most] = [...votes].reduce((best, vote) => (vote[1] > best[1] ? vote : best), ['en', english]);
  if (most > 0) return language;
  return isForeignList(latin) ? 'unknown' : 'en';
}

function withoutQuotes(text: string): string {
  const outside = text.replace(/"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」/g, ' ');
  return /[\p{L}\p{N}]/u.test(outside) ? outside : text;
}

function isEnglish(word: string): boolean {
  return isFunctionWord(word, 'en') || isEnglishWord(word);
}

function votesOf(text: string, words: Word[]): Map<string, number> {
  const votes = new Map<string, number>([...SPACED, ...RECOGNIZED].map((language) => [language, 0]));
  const add = (language: string, vote: number) => votes.set(language, (votes.get(language) ?? 0) + vote);
  const ignored = new Set(
    [
      ...words
        .map(({ folded }) => folded)
        .join(' ')
        .matchAll(borrowed),
    ].flatMap(([phrase]) => phrase.split(' ')),
  );
  for (const word of words) {
    if (ignored.has(word.folded)) continue;
    for (const language of SPACED) add(language, voteOf(word, language));
    for (const language of RECOGNIZED) add(language, isFunctionWord(word.folded, language) ? 1 : 0);
  }
  for (const [letter, languages] of letters) {
    if (letter.test(text.toLowerCase())) for (const language of languages) add(language, LETTER_VOTE);
  }
  return votes;
}

function voteOf({ folded, isElided }: Word, language: Spaced): number {
  if (isFunctionWord(folded, language)) return 1;
  if (isElided) return 0;
  if (folded.length < 3 || isInternational(folded)) return 0;
  const translation = listed(folded, language);
  if (translation?.by === 'word') return 1;
  if (isEnglish(folded) || isName(folded)) return 0;
  if (translation) return FORM_VOTE;
  return folded.length >= 8 && translateWord(folded, language) ? FORM_VOTE : 0;
}

function isForeignList(words: Word[]): boolean {
  const unknown = words.filter(
    ({ folded, text }) =>
      folded.length > 2 && text === text.toLowerCase() && !isInternational(folded) && !isName(folded),
  );
  return (
    unknown.length >= MIN_UNKNOWN_WORDS &&
    unknown.filter(({ folded }) => isPlausibleEnglish(folded)).length * 2 < unknown.length
  );
}
