import { foldText } from '../catalog';
import { MAX_WORDS_OF_WISH } from './limits';

/** An offered agent. */
interface Offered {
  slug: string;
  name: string;
}

/** Words for a position in the list: English, German, French, Spanish, Italian, Portuguese, Dutch. */
const places: string[][] = [
  'first 1st one 1 eins erste ersten erster premier premiere primero primera primo prima primeiro primeira eerste'.split(
    ' ',
  ),
  'second 2nd two 2 zwei zweite zweiten zweiter deuxieme second seconde segundo segunda secondo seconda tweede'.split(
    ' ',
  ),
  'third 3rd three 3 drei dritte dritten dritter troisieme tercero tercera terzo terza terceiro terceira derde'.split(
    ' ',
  ),
];
const lastWords = 'last letzte letzten dernier derniere ultimo ultima laatste'.split(' ');
const yesWords = 'yes y ok okay sure please go ja gerne oui si sim klar do'.split(' ');
/** Words that may surround a position or a yes. */
const fillers =
  'the a ask number option agent please take use let us lets try choose pick go with i want would like to it one den die das frage nimm bitte le la el lo il de is'.split(
    ' ',
  );

/** The offered agent that a reply selects by name, slug or position in the list; null for any other text. */
export function readChoice(text: string, offered: Offered[]): Offered | null {
  const folded = ` ${wordsOf(text).join(' ')} `;
  const named = offered.filter(
    ({ slug, name }) => folded.includes(` ${wordsOf(name).join(' ')} `) || text.toLowerCase().includes(slug),
  );
  if (named.length === 1 && named[0]) return named[0];
  if (named.length > 1) {
    // "Travel" is within "Travel Pro": the longest name is selected.
    const within = (whole: string, part: string): boolean => wordsOf(whole).join(' ').includes(wordsOf(part).join(' '));
    return named.find((one) => named.every((other) => within(one.name, other.name))) ?? null;
  }
  return byPlace(wordsOf(text), offered);
}

function byPlace(words: string[], offered: Offered[]): Offered | null {
  const telling = words.filter((word) => !fillers.includes(word) || word === 'one');
  const key = telling.length > 1 ? telling.filter((word) => word !== 'one') : telling;
  const [word] = key;
  if (word === undefined || key.length > 1) return null;
  if (lastWords.includes(word)) return offered.at(-1) ?? null;
  if (offered.length === 1 && yesWords.includes(word)) return offered[0] ?? null;
  const place = places.findIndex((names) => names.includes(word));
  return offered[place] ?? null;
}

const others =
  /\b(?:someone|somebody|anyone|anybody) else\b|\b(?:an)?other (?:one|agent)s?\b|\bdifferent (?:one|agent)\b|\bnone of (?:these|those|them)\b|\bandere[nrs]? (?:agent\w*|anbieter\w*)\b|\bjemand(?:en)? ander(?:s|en)\b|\bun autre agent\b|\botro agente\b/i;

/** True for a short message that asks for another agent. */
export function asksForAnother(text: string): boolean {
  return others.test(text) && wordsOf(text).length <= MAX_WORDS_OF_WISH;
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
