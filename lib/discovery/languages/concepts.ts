import { foldText } from '../../catalog';
import { lazy, readData } from './data-file';
import { SPACED, type Spaced, TRANSLATED, type Translated } from './languages';
import { simplified } from './simplified';
import { familyOf } from './stems';

/** Words of one language and their English translations. */
export interface Vocabulary {
  /** Folded words and phrases, as the table lists them. */
  exact: ReadonlyMap<string, string>;
  /** The single words by their first letters, separated by spaces; empty for Chinese and Japanese. */
  families: ReadonlyMap<string, string>;
  /** First words of phrases; empty for Chinese and Japanese. */
  phraseHeads: ReadonlySet<string>;
}

/** One row of the table: English, then the folded words of each language. */
interface Row {
  english: string;
  forms: string[];
}

// Lines that begin with # are titles. The whole text is folded at once, because folding each word takes ten times as long.
const rows = lazy((): Row[] => {
  const lines = readData('concepts.tsv').split('\n');
  const folded = foldText(lines.join('\n')).split('\n');
  return lines.flatMap((line, at) => {
    const [english = ''] = line.split('\t', 1);
    return at === 0 || line === '' || line.startsWith('#') ? [] : [{ english, forms: folded[at]?.split('\t') ?? [] }];
  });
});

const separator = /[\s'’-]+/;

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
  for (const { english, forms } of rows()) {
    for (const key of keysOf(forms[column] ?? '', language)) if (!exact.has(key)) exact.set(key, english);
  }
  return {
    exact,
    ...(isSpaced(language) ? indexOf(exact.keys(), language) : { families: new Map(), phraseHeads: new Set() }),
  };
}

/** The folded words of a cell. The table contains simplified characters only. */
function keysOf(cell: string, language: Translated): string[] {
  const forms = cell.split(',');
  return isSpaced(language) && separator.test(cell) ? forms.map((form) => phraseKey(form.split(separator))) : forms;
}

function indexOf(words: Iterable<string>, language: Spaced): Pick<Vocabulary, 'families' | 'phraseHeads'> {
  const families = new Map<string, string>();
  const phraseHeads = new Set<string>();
  for (const word of words) {
    const space = word.indexOf(' ');
    if (space > 0) phraseHeads.add(word.slice(0, space));
    else {
      const key = familyOf(word, language);
      const family = families.get(key);
      families.set(key, family === undefined ? word : `${family} ${word}`);
    }
  }
  return { families, phraseHeads };
}

/** A word or phrase as vocabularies list it. */
export function wordKey(text: string, language: Translated): string {
  const folded = foldText(text).trim();
  if (language === 'zh') return simplified(folded);
  return isSpaced(language) ? phraseKey(folded.split(separator)) : folded;
}

/** Folded words as vocabularies list them: in phrases, plurals and singulars are the same. */
export function phraseKey(words: string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map(singularOf).join(' ');
}

/** The word without a plural ending of French, Spanish or Portuguese; phrases contain words in this form. */
export function singularOf(word: string): string {
  return word.length > 3 && /[sx]$/.test(word) ? word.slice(0, -1) : word;
}

export function isSpaced(language: string): language is Spaced {
  return (SPACED as readonly string[]).includes(language);
}
