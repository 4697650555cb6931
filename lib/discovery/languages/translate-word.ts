import { cognateOf } from './cognates';
import { isEnglishWord, isInternational } from './common-words';
import { splitCompound } from './compounds';
import { conceptsIn } from './concepts';
import { emojiWord } from './emoji-words';
import type { Spaced } from './languages';
import { stemsOf, variantsOf } from './stems';

/** A translation and how it was found; the earlier, the surer. */
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
  const { exact, stems } = conceptsIn(language);
  const variants = variantsOf(word, language);
  for (const variant of variants) {
    const english = exact.get(variant);
    if (english !== undefined) return { english, by: 'word' };
  }
  for (const variant of variants) {
    for (const stem of stemsOf(variant, language)) {
      const english = stems.get(stem);
      if (english !== undefined) return { english, by: 'stem' };
    }
  }
  return null;
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
  return part.length >= 4 && (isInternational(part) || isEnglishWord(part)) ? part : null;
}

function found(english: string | null, by: Translation['by']): Translation | null {
  return english === null ? null : { english, by };
}
