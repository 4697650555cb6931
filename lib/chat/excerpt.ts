import { foldText } from '../catalog';
import type { Excerpt } from './schema';

const around = 60;

/** The neighbourhood of the first of these folded words in a text, as it was written; the beginning when none is found. */
export function excerptOf(text: string, words: string[]): Excerpt {
  const line = text.replace(/\s+/g, ' ').trim();
  const { folded, origins } = foldWithOrigins(line);
  const places = words.map((word) => ({ at: folded.indexOf(word), length: word.length })).filter(({ at }) => at >= 0);
  const first = places.sort((a, b) => a.at - b.at)[0];
  if (!first) return { before: shorten(line, around * 2), match: '', after: '' };
  const from = origins[first.at] ?? 0;
  const to = origins[first.at + first.length] ?? line.length;
  return { before: tail(line.slice(0, from)), match: line.slice(from, to), after: shorten(line.slice(to), around * 2) };
}

/** The folded text, and for each of its characters where in the text it comes from. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  let folded = '';
  const origins: number[] = [];
  let at = 0;
  for (const character of text) {
    const part = foldText(character);
    for (let index = 0; index < part.length; index++) origins.push(at);
    folded += part;
    at += character.length;
  }
  return { folded, origins };
}

function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length).join('').trimEnd()}…`;
}

function tail(text: string): string {
  const characters = [...text];
  return characters.length <= around ? text : `…${characters.slice(-around).join('').trimStart()}`;
}
