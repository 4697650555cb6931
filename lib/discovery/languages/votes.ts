import { isInternational, isName } from './common-words';
import { emojiWord } from './emoji-words';
import { isMadeOfEnglish, isPlausibleEnglish } from './english-forms';
import { isFunctionWord } from './function-words';
import { RECOGNIZED, SPACED, type Spaced } from './languages';
import { phraseAt } from './phrases';
import { isCompound, listed } from './translate-word';
import { isKept, type Word } from './words';

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

/** The maximum votes of a text for any language other than English. No table has to be read if English has more. */
export function maxVotes(text: string, words: Word[]): number {
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

/** The votes of a text in Latin letters for each language except English: about one for each of its words. */
export function votesOf(text: string, words: Word[]): Map<string, number> {
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

/** The words that are part of a phrase of the table. */
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
  const isKnown = translation !== null || emojiWord(folded, language) !== null;
  const isForm = isKnown || (folded.length >= MIN_COMPOUND_LENGTH && isCompound(folded, language));
  return isForm && !isPlausibleEnglish(folded) ? FORM_VOTE : 0;
}
