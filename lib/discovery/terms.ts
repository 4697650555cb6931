import { foldText, type SearchToken, tokensOf } from '../catalog';
import { stopWords } from './stop-words';

const maxTerms = 16;

/** One word of a search text. */
export interface Term extends SearchToken {
  /** It may be unfinished: what begins with it counts as it. */
  isPrefix: boolean;
  /** Words that it may be a misspelling of; filled in when nothing matches as it is written. */
  similar: string[];
}

/** What a search text asks for. */
export interface Terms {
  /** The whole text, folded: what a name is compared with. */
  key: string;
  /** The words that count, each once, in order; at least one. */
  words: Term[];
}

/** The terms of a search text, or null when it holds no letter and no digit. */
export function termsOf(q: string): Terms | null {
  const all = tokensOf(q, { singles: false });
  const significant = all.filter(({ text }) => !stopWords.has(text));
  const selected = significant.length > 0 ? significant : all;
  const distinct = [...new Map(selected.map((token) => [token.text, token])).values()].slice(0, maxTerms);
  if (distinct.length === 0) return null;
  const last = all.at(-1)?.text;
  const words = distinct.map((token) => ({
    ...token,
    isPrefix: token.text === last && isLongEnough(token, 2),
    similar: [],
  }));
  return { key: foldText(q).replace(/\s+/g, ' ').trim(), words };
}

/** True for words that may be misspelt; shorter ones resemble everything. */
export function mayBeMisspelt(term: Term): boolean {
  return isLongEnough(term, 3);
}

function isLongEnough({ text, isPair }: SearchToken, length: number): boolean {
  return !isPair && [...text].length >= length;
}

/** Where a word stands: in the name; in name, skills or tags; anywhere (lib/catalog/search-row.ts). */
export type SearchField = 'n:' | 's:' | '';

// Words are letters, digits and marks and nothing else (lib/catalog/search-text.ts), so a quoted one is one lexeme:
// nobody can write query syntax into it (LIM-7).
function lexeme({ text, isPrefix: isOpen }: Term, part: SearchField): string {
  return `'${part}${text}'${isOpen ? ':*' : ''}`;
}

/** The text form of a tsquery that one word matches as it is written. */
export function wordQuery(term: Term, part: SearchField): string {
  return lexeme(term, part);
}

/** The text form of a tsquery that words similar to this one match. */
export function similarQuery({ similar }: Term, part: SearchField): string {
  return similar.map((word) => `'${part}${word}'`).join(' | ');
}

/** The text form of a tsquery that asks for all words in one part. */
export function everyWordQuery({ words }: Terms, part: SearchField): string {
  return words.map((term) => lexeme(term, part)).join(' & ');
}

/** The skill that holds most of the words; a skill's own words stand between spaces. */
export function bestSkill({ words }: Terms, skills: { name: string; words: string }[]): string | null {
  let best: { name: string; count: number } | null = null;
  for (const skill of skills) {
    const count = words.filter((term) => containsTerm(skill.words, term)).length;
    if (count > (best?.count ?? 0)) best = { name: skill.name, count };
  }
  return best?.name ?? null;
}

function containsTerm(words: string, { text, isPrefix: isOpen, similar }: Term): boolean {
  return words.includes(isOpen ? ` ${text}` : ` ${text} `) || similar.some((word) => words.includes(` ${word} `));
}
