import { conceptsIn } from './concepts';
import { familyOf, stemsOf, variantsOf } from './word-forms';
import { isEnglishWord, isInternational, type Spaced } from './word-lists';

/** Minimum length of an English word inside another word. Shorter ones occur by chance. */
const MIN_BORROWED_LENGTH = 5;

/** A translation and the method that found it, in order of decreasing certainty. */
interface Translation {
  english: string;
  by: 'word' | 'stem' | 'compound' | 'cognate';
}

/** Translates one folded word to English; null if it is unknown. */
export function translateWord(word: string, language: Spaced): Translation | null {
  return listed(word, language) ?? byCompound(word, language) ?? found(cognateOf(word, language), 'cognate');
}

/** Returns the translation of a word in the table, as listed or in another form; null if there is none. */
export function listed(word: string, language: Spaced): Translation | null {
  const variants = variantsOf(word, language);
  for (const variant of variants) {
    const english = conceptsIn(language).exact.get(variant);
    if (english !== undefined) return { english, by: 'word' };
  }
  for (const variant of variants) {
    const form = relatedForm(variant, language);
    if (form !== null) return found(conceptsIn(language).exact.get(form) ?? null, 'stem');
  }
  return null;
}

/** Returns the word of the table that has the longest stem in common with a word; null if there is none. */
function relatedForm(word: string, language: Spaced): string | null {
  const forms = stemsOfFamily(familyOf(word, language), language);
  if (forms.size === 0) return null;
  const stem = stemsOf(word, language).find((candidate) => forms.has(candidate));
  return stem === undefined ? null : (forms.get(stem) ?? null);
}

const families = new Map<string, ReadonlyMap<string, string>>();

/** Returns the words of a family by each of their stems. */
function stemsOfFamily(key: string, language: Spaced): ReadonlyMap<string, string> {
  const known = families.get(`${language} ${key}`);
  if (known) return known;
  const words = conceptsIn(language).families.get(key);
  if (words === undefined) return new Map();
  const stems = new Map<string, string>();
  for (const word of words.split(' '))
    for (const stem of stemsOf(word, language)) if (!stems.has(stem)) stems.set(stem, word);
  families.set(`${language} ${key}`, stems);
  return stems;
}

/** Returns true for a compound of words of the table that are not English. */
export function isCompound(word: string, language: Spaced): boolean {
  const own = (part: string) =>
    isInternational(part) || (!isEnglishWord(part) && listed(part, language)) ? part : null;
  return (language === 'de' || language === 'nl') && splitCompound(word, own) !== null;
}

function byCompound(word: string, language: Spaced): Translation | null {
  if (language !== 'de' && language !== 'nl') return null;
  return found(
    splitCompound(word, (part) => translatePart(part, language)),
    'compound',
  );
}

function translatePart(part: string, language: Spaced): string | null {
  const known = listed(part, language);
  if (known) return known.english;
  return part.length >= MIN_BORROWED_LENGTH && (isInternational(part) || isEnglishWord(part)) ? part : null;
}

function found(english: string | null, by: Translation['by']): Translation | null {
  return english === null ? null : { english, by };
}

/** Linking letters between the parts of a German or Dutch compound. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
const MIN_PART_LENGTH = 3;
const MIN_LENGTH = 7;
const MAX_LENGTH = 40;
/** Maximum parts of a compound. Longer compounds are rare, and their splits are rarely correct. */
const MAX_PARTS = 3;

type Translate = (part: string) => string | null;

/**
 * Translates the parts of a compound, in order, with as few parts as possible; null unless every part has a
 * translation.
 */
function splitCompound(word: string, translate: Translate): string | null {
  if (word.length > MAX_LENGTH) return null;
  for (let parts = 2; parts <= MAX_PARTS; parts += 1) {
    const english = splitInto(parts, word, translate);
    if (english !== null) return english;
  }
  return null;
}

function splitInto(parts: number, word: string, translate: Translate): string | null {
  if (parts === 1) return translate(word);
  if (word.length < MIN_LENGTH) return null;
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at += 1) {
    const first = translateFirst(word.slice(0, at), translate);
    const rest = first === null ? null : splitInto(parts - 1, word.slice(at), translate);
    if (rest !== null) return `${first} ${rest}`;
  }
  return null;
}

function translateFirst(part: string, translate: Translate): string | null {
  for (const link of LINKS) {
    const bare = part.slice(0, part.length - link.length);
    if (!part.endsWith(link) || bare.length < MIN_PART_LENGTH) continue;
    const english = translate(bare);
    if (english !== null) return english;
  }
  return null;
}

const MIN_COGNATE_LENGTH = 5;

// Endings of common origin: presentación, présentation and presentatie are "presentation".
const endings: Record<Spaced, [RegExp, string[]][]> = {
  de: [
    [/ierungen$|ierung$|ieren$|iert$/, ['ation', 'ing', 'e', '']],
    [/itaten$|itat$/, ['ity']],
    [/ischen$|ischer$|isches$|ische$|isch$/, ['ic', 'ical']],
    [/ologie$/, ['ology']],
    [/ie$/, ['y', '']],
    [/ik(?:en)?$/, ['ics', 'ic']],
    [/ell(?:e[nrs]?)?$/, ['al']],
    [/iv(?:e[nrs]?)?$/, ['ive']],
    [/(?:en|er|es|e|n|s)$/, ['', 'e']],
  ],
  fr: [
    [/e?ment$/, ['ly', 'ally', 'ment']],
    [/iques?$/, ['ic', 'ical', 'ics']],
    [/ites?$/, ['ity', 'ite']],
    [/eurs?$|euses?$/, ['or', 'er']],
    [/ifs?$|ives?$/, ['ive']],
    [/el(?:le)?s?$/, ['al']],
    [/ies?$/, ['y']],
    [/er$|ees?$|es?$/, ['e', '', 'ate']],
    [/s$/, ['']],
  ],
  es: [
    [/mente$/, ['ly', 'ally']],
    [/cion(?:es)?$/, ['tion']],
    [/sion(?:es)?$/, ['sion']],
    [/idad(?:es)?$/, ['ity']],
    [/ic[oa]s?$/, ['ic', 'ical', 'ics']],
    [/[oa]ri[oa]s?$/, ['ory', 'ary']],
    [/iv[oa]s?$/, ['ive']],
    [/ncias?$/, ['nce', 'ncy']],
    [/[ei]ar$|ar$|ad[oa]s?$/, ['e', '', 'ate']],
    [/i?[oae]s?$|es$/, ['', 'e', 'y']],
  ],
  it: [
    [/mente$/, ['ly', 'ally']],
    [/zion[ei]$/, ['tion', 'ction', 'ption']],
    [/sion[ei]$/, ['sion']],
    [/ita$/, ['ity']],
    [/i(?:co|ca|ci|che)$/, ['ic', 'ical', 'ics']],
    [/iv[oaie]$/, ['ive']],
    [/nz[ae]$/, ['nce', 'ncy']],
    [/are$|at[oaie]$|izzare$/, ['e', '', 'ate', 'ize']],
    [/i?[oaie]$/, ['', 'e', 'y']],
  ],
  pt: [
    [/mente$/, ['ly', 'ally']],
    [/coes$|cao$/, ['tion', 'ction', 'ption']],
    [/soes$|sao$/, ['sion']],
    [/idades?$/, ['ity']],
    [/ic[oa]s?$/, ['ic', 'ical', 'ics']],
    [/[oa]ri[oa]s?$/, ['ory', 'ary']],
    [/iv[oa]s?$/, ['ive']],
    [/ncias?$/, ['nce', 'ncy']],
    [/ar$|ad[oa]s?$/, ['e', '', 'ate']],
    [/i?[oae]s?$|es$/, ['', 'e', 'y']],
  ],
  nl: [
    [/ties?$/, ['tion']],
    [/iteiten$|iteit$/, ['ity']],
    [/ische?$/, ['ic', 'ical']],
    [/ologie$/, ['ology']],
    [/ie$/, ['y', '']],
    [/ieren$|eren$|eerd?$/, ['e', '', 'ate']],
    [/ieve?$|ief$/, ['ive']],
    [/(?:en|er|e|s)$/, ['', 'e']],
  ],
};

/**
 * Returns the common English word that resembles a folded word because of their common origin; null if there is none.
 */
function cognateOf(word: string, language: Spaced): string | null {
  if (word.length < MIN_COGNATE_LENGTH) return null;
  if (isEnglishWord(word)) return word;
  for (const [ending, replacements] of endings[language]) {
    if (!ending.test(word)) continue;
    const found = replacements.map((replacement) => word.replace(ending, replacement)).find(isEnglishCognate);
    if (found !== undefined) return found;
  }
  return null;
}

function isEnglishCognate(word: string): boolean {
  return word.length >= MIN_COGNATE_LENGTH && isEnglishWord(word);
}
