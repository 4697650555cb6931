import { foldText } from '../../catalog';
import { isEnglishWord, isFunctionWord, type Spaced } from './word-lists';

/** A word of a text in a script with spaces. */
export interface Word {
  /** The word as written. */
  text: string;
  folded: string;
  /** True for the part before an apostrophe, as in l'avion. */
  isElided: boolean;
}

/** Returns the words of a text in order. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(/([\p{L}\p{M}\p{N}+#]+)(['’](?=\p{L}))?/gu)].map(([, word = '', apostrophe]) => ({
    text: word,
    folded: foldText(word),
    isElided: apostrophe !== undefined,
  }));
}

/** Returns true for acronyms, numbers and names such as iPhone, which need no translation. */
export function isKept(text: string): boolean {
  return /\p{N}/u.test(text) || /^\p{Lu}{2,}$/u.test(text) || /\p{Ll}\p{Lu}/u.test(text);
}

/** Minimum characters of a stem; three only before short endings. */
const MIN_STEM_LENGTH = 4;
const MIN_SHORT_STEM_LENGTH = 3;
const SHORT_ENDING_LENGTH = 2;

// Endings of plurals, cases, genders and verb forms, folded. Two words with one stem are forms of one word.
const endings: Record<Spaced, string> = {
  de: `e en n er ern em es s t et st est te ten tet test ete eten end ende enden ender endes in innen nen se sen`,
  fr: `s e es x er ez ons ent ant ais ait aient ai a as ee ees era erai rait rais ir is it isse issez issons i ie ies re
    r l ux le les lle lles ne nes sse`,
  es: `s es a o as os ar er ir an en amos emos imos ado ada ados adas ido ida idos idas ando iendo e ame eme arme arlo
    arla arse irse irme erme iendome aba are ara aran z ces cion ciones`,
  it: `i e a o are ere ire ato ata ati ate ito ita iti ite uto uta uti ute ando endo iamo ano ono armi arlo arla arsi ermi
    irmi irlo erlo erla he hi zione zioni ia ie io`,
  pt: `s a o as os e es ar er ir am em amos emos imos ado ada ados adas ido ida idos idas ando endo indo ei ou ao oes
    aes l is ais eis m ns r res z zes`,
  nl: `en e n t d te de ten den er ers s je jes end ende eren st ste`,
};

const endingsOf = new Map(
  Object.entries(endings).map(([language, list]) => [
    language as Spaced,
    list.split(/\s+/).sort((a, b) => a.length - b.length),
  ]),
);

/** Returns the possible stems of a folded word, the longest (the word itself) first. */
export function stemsOf(word: string, language: Spaced): string[] {
  const stems = [word];
  for (const ending of endingsOf.get(language) ?? []) {
    const length = word.length - ending.length;
    const min = ending.length <= SHORT_ENDING_LENGTH ? MIN_SHORT_STEM_LENGTH : MIN_STEM_LENGTH;
    if (length >= min && word.endsWith(ending)) stems.push(word.slice(0, length));
  }
  return language === 'nl' ? [...new Set(stems.flatMap((stem) => [stem, closedSyllable(stem)]))] : stems;
}

/** Returns a key that words with a common stem share, with few collisions. */
export function familyOf(word: string, language: Spaced): string {
  const start = language === 'nl' ? word.slice(0, MIN_STEM_LENGTH).replace(/([aeou])\1/, '$1') : word;
  return start.slice(0, MIN_SHORT_STEM_LENGTH);
}

/**
 * Returns the spelling of a Dutch stem in a closed syllable: boom for bomen, bed for bedden, brief for brieven, huis
 * for huizen.
 */
function closedSyllable(stem: string): string {
  return stem
    .replace(/([bcdfgklmnprst])\1$/, '$1')
    .replace(/v$/, 'f')
    .replace(/z$/, 's')
    .replace(/([aeou])\1(?=[^aeiou]$)/, '$1');
}

/**
 * Returns other spellings of a folded word to look up: without the ge- of participles or an inner -zu-, and with ue for
 * ü.
 */
export function variantsOf(word: string, language: Spaced): string[] {
  if (language !== 'de' && language !== 'nl') return [word];
  const variants = [word];
  const participle = /^(.{0,4}?)ge(.{3,}(?:t|en|d))$/.exec(word);
  if (participle) variants.push(`${participle[1]}${participle[2]}`);
  if (language === 'nl') return variants;
  const infinitive =
    /^(ab|an|auf|aus|bei|durch|ein|her|hin|los|mit|nach|um|vor|weg|zu|zurecht|zuruck|zusammen)zu(.{4,}n)$/;
  const separated = infinitive.exec(word);
  if (separated) variants.push(`${separated[1]}${separated[2]}`);
  if (/[aou]e/.test(word)) variants.push(word.replace(/([aou])e/g, '$1'));
  return variants;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Minimum length of a word, letters. Shorter words are nearly always one change away from an English word. */
const MIN_LENGTH = 4;

/** Returns true for a folded word that is common in English, with or without an ending. */
export function isEnglish(word: string): boolean {
  return isFunctionWord(word, 'en') || isEnglishWord(word) || endsLike(word, /(?:s|es|d|ed|ing)$/);
}

/** Returns true for a folded word that consists of common English words and affixes, such as reducer or flowchart. */
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

/**
 * Returns words that may become the bare part before an ending: box before -es, invoice before -d, party before -ies.
 */
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

/**
 * Returns true for a folded word that is one change (a letter added, removed, replaced or swapped) away from an English
 * word.
 */
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
