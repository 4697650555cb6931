import { toEnglish } from '../languages';

/** The text in English, for a model that supports only English; null when it cannot be translated. */
export function translateToEnglish(text: string): string | null {
  return toEnglish(text).text;
}
