import { lazy, readData } from './data-file';

// The sections of the file are separated by empty lines: English words, names, and words used in every language.
const sections = lazy(() => {
  const [english = '', names = '', international = ''] = readData('common-words.txt').split('\n\n');
  return { english: setOf(english), names: setOf(names), international: setOf(international) };
});

function setOf(section: string): ReadonlySet<string> {
  return new Set(section.trim().split(/\s+/));
}

/**
 * True for the about 28,000 most common words of English text, American and British, with names and terms of software.
 * Ignores case.
 */
export function isCommonWord(word: string): boolean {
  const key = word.toLowerCase();
  const { english, names, international } = sections();
  return english.has(key) || names.has(key) || international.has(key);
}

/** True for words that indicate an English text. False for names and for words that other languages also use. */
export function isEnglishWord(word: string): boolean {
  return sections().english.has(word);
}

/** True for names of people, places, products and formats, and for words that most languages share. */
export function isInternational(word: string): boolean {
  return sections().international.has(word);
}

/** True for names of people and places that are common in English texts. */
export function isName(word: string): boolean {
  return sections().names.has(word);
}
