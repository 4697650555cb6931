import { foldText } from '../../catalog';
import { lazy, readData } from './data-file';
import { SPACED, type Spaced, TRANSLATED, type Translated } from './languages';
import { simplified } from './simplified';
import { stemsOf } from './stems';

/** Words of one language and their English translations. */
export interface Vocabulary {
  /** Folded words and phrases, as the table lists them. */
  exact: ReadonlyMap<string, string>;
  /** Stems of the single words; empty for Chinese and Japanese. */
  stems: ReadonlyMap<string, string>;
}

// One row a concept: English, then the words of each language, separated by commas. Lines that begin with # are titles.
const rows = lazy(() =>
  readData('concepts.tsv')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t')),
);

const vocabularies = new Map(
  TRANSLATED.map((language, index) => [language, lazy(() => vocabularyOf(language, index + 1))]),
);

/** The concepts' words in a language. */
export function conceptsIn(language: Translated): Vocabulary {
  const vocabulary = vocabularies.get(language);
  if (!vocabulary) throw new Error(`no concepts in ${language}`);
  return vocabulary();
}

function vocabularyOf(language: Translated, column: number): Vocabulary {
  const exact = new Map<string, string>();
  const stems = new Map<string, string>();
  for (const row of rows()) {
    const english = row[0] ?? '';
    for (const form of (row[column] ?? '').split(',')) {
      const key = wordKey(form, language);
      if (!exact.has(key)) exact.set(key, english);
    }
  }
  if (isSpaced(language)) {
    for (const [word, english] of exact) {
      if (word.includes(' ')) continue;
      for (const stem of stemsOf(word, language)) if (!stems.has(stem)) stems.set(stem, english);
    }
  }
  return { exact, stems };
}

/** A word or phrase as vocabularies list it. */
export function wordKey(text: string, language: Translated): string {
  const folded = foldText(text).trim();
  if (language === 'zh') return simplified(folded);
  return isSpaced(language) ? phraseKey(folded.split(/[\s'’-]+/)) : folded;
}

/** Folded words as vocabularies list them: in phrases, plurals and singulars are the same. */
export function phraseKey(words: string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map((word) => word.replace(/(?<=...)[sx]$/, '')).join(' ');
}

export function isSpaced(language: string): language is Spaced {
  return (SPACED as readonly string[]).includes(language);
}
