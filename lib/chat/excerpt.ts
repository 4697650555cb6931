import { foldText } from '../catalog';
import type { Excerpt } from './schema';

const contextLength = 60;

/** The neighbourhood of the first of these folded words in a text, as it was written; the beginning when none is found. */
export function excerptOf(text: string, words: string[]): Excerpt {
  const line = text.replace(/\s+/g, ' ').trim();
  const { folded, origins } = foldUpTo(line, words);
  const matches = words.map((word) => ({ at: folded.indexOf(word), length: word.length })).filter(({ at }) => at >= 0);
  const first = matches.sort((a, b) => a.at - b.at)[0];
  if (!first) return { before: truncate(line, contextLength * 2), match: '', after: '' };
  const from = origins[first.at] ?? 0;
  const to = origins[first.at + first.length];
  return {
    before: truncateStart(line.slice(0, from)),
    match: line.slice(from, to),
    after: truncate(line.slice(to), contextLength * 2),
  };
}

/** After so many characters it looks whether a word was found: of a long text only the way there is folded. */
const step = 4_096;

/**
 * The text folded up to a little behind the first of the words; for each character where in the text it comes from, and at
 * last where what is folded ends.
 */
function foldUpTo(text: string, words: string[]): { folded: string; origins: number[] } {
  let folded = '';
  const origins: number[] = [];
  let at = 0;
  let next = step;
  let searchedUpTo = 0;
  for (const character of text) {
    const part = foldCharacter(character);
    for (let index = 0; index < part.length; index++) origins.push(at);
    folded += part;
    at += character.length;
    if (at < next) continue;
    if (words.some((word) => folded.includes(word, searchedUpTo))) break;
    // A word may begin before the end of this step and end in the next.
    searchedUpTo = Math.max(0, folded.length - step);
    next += step;
  }
  origins.push(at);
  return { folded, origins };
}

const foldCache = new Map<string, string>();

/** Texts are made of few characters: each is folded once. */
function foldCharacter(character: string): string {
  const before = foldCache.get(character);
  if (before !== undefined) return before;
  const folded = foldText(character);
  if (foldCache.size < 20_000) foldCache.set(character, folded);
  return folded;
}

function truncate(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`;
}

function truncateStart(text: string): string {
  const characters = [...text];
  return characters.length <= contextLength ? text : `…${characters.slice(-contextLength).join('').trimStart()}`;
}
