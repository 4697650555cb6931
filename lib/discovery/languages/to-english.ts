import { isSpaced } from './concepts';
import { languageOf } from './detect';
import { translateSpaced } from './translate-spaced';
import { translateUnspaced } from './translate-unspaced';

/** A text's language and its English form. */
export interface EnglishText {
  /** `en`, another ISO 639-1 code, or `unknown`. */
  language: string;
  /** The text itself, or its gloss word by word; null when too few words are known. */
  text: string | null;
}

/**
 * Recognizes a text's language and translates it word by word for the English embedding model. Texts of names only, and
 * texts with a few words of another language, count as English.
 */
export function toEnglish(text: string): EnglishText {
  const language = languageOf(text);
  if (language === 'en') return { language, text };
  if (isSpaced(language)) return { language, text: translateSpaced(text, language) };
  return language === 'zh' || language === 'ja' ? fromUnspaced(text, language) : { language, text: null };
}

/** Japanese without kana resembles Chinese. The language that translates more of the text is chosen. */
function fromUnspaced(text: string, language: 'zh' | 'ja'): EnglishText {
  const gloss = translateUnspaced(text, language);
  const other = language === 'zh' ? translateUnspaced(text, 'ja') : null;
  if (other && other.known > (gloss?.known ?? 0)) return { language: 'ja', text: other.english };
  return { language, text: gloss?.english ?? null };
}
