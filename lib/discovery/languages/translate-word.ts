import { cognateOf } from './cognates';
import { isEnglishWord, isInternational } from './common-words';
import { splitCompound } from './compounds';
import { conceptsIn } from './concepts';
import { emojiWord } from './emoji-words';
import type { Spaced } from './languages';
import { familyOf, stemsOf, variantsOf } from './stems';

/** Minimum length of an English word inside another word. Shorter ones occur by chance. */
const MIN_BORROWED_LENGTH = 5;

/** A translation and the method that found it, in order of decreasing certainty. */
export interface Translation {
  english: string;
  by: 'word' | 'stem' | 'emoji' | 'compound' | 'cognate';
}

/** The English translation of one folded word; null when it is unknown. */
export function translateWord(word: string, language: Spaced): Translation | null {
  return (
    listed(word, language) ??
    found(emojiWord(word, language), 'emoji') ??
    byCompound(word, language) ??
    found(cognateOf(word, language), 'cognate')
  );
}

/** The translation of a word in the table, as listed or in another form. */
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

/** The word of the table that has the longest stem in common with a word; null when none has one. */
function relatedForm(word: string, language: Spaced): string | null {
  const forms = stemsOfFamily(familyOf(word, language), language);
  if (forms.size === 0) return null;
  const stem = stemsOf(word, language).find((candidate) => forms.has(candidate));
  return stem === undefined ? null : (forms.get(stem) ?? null);
}

const families = new Map<string, ReadonlyMap<string, string>>();

/** The words of a family by each of their stems. */
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

/** True for a compound of words of the table that are not English. */
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
