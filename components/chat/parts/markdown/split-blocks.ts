import { type Place, readLine, start } from './line-state';

/** More readings than this are not followed: the rest of the text is one block. */
const MOST_PLACES = 8;

const listItem = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** A link definition on one line, in the forms that need no second look. */
const definition =
  /^ {0,3}\[(?!\^)[^[\]\\]*[^\s[\]\\][^[\]\\]*\]:[ \t]*(?:[^\s\p{Cc}()<\\]|\([^\s\p{Cc}()<\\]*\))+(?:[ \t]+(?:"[^"\\]*"|'[^'\\]*'))?[ \t\r]*$/u;

/**
 * Cuts Markdown into blocks that can be rendered one by one; joined they are the text, character for character. It cuts
 * only where every reading of the text ends a block: after a blank line, before a line that starts at the margin, outside
 * fences and lists. So all blocks but the last stay as they are while text is appended.
 */
export function splitBlocks(text: string): string[] {
  // A lone carriage return ends a line too, which only old files do; they are one block.
  if (/\r(?!\n|$)/.test(text)) return [text];
  const blocks: string[] = [];
  let from = 0;
  let afterBlank = false;
  let afterCode = false;
  let places: Place[] = [start];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, end);
    const isBlank = /^[ \t\r\n]*$/.test(line);
    if (!isBlank) {
      const apart = afterBlank && !(afterCode && listItem.test(line));
      if (apart && places.every((place) => mayCut(place, line))) {
        if (at > from) blocks.push(text.slice(from, at));
        from = at;
        places = [start];
      }
      places = distinct(places.flatMap((place) => readLine(place, { line, afterBlank })));
      if (places.length > MOST_PLACES) break;
      afterCode = /^(?: {4}| {0,3}\t)/.test(line);
    }
    afterBlank = isBlank;
    at = end;
  }
  if (from < text.length) blocks.push(text.slice(from));
  return blocks;
}

function mayCut({ fence, item }: Place, line: string): boolean {
  if (fence !== null || /^\s/.test(line)) return false;
  return item === null || !listItem.test(line);
}

function distinct(places: Place[]): Place[] {
  if (places.length === 1) return places;
  return [...new Map(places.map((place) => [`${place.fence} ${place.item}`, place])).values()];
}

/** Link definitions (`[label]: address`) by their labels. */
export type Definitions = ReadonlyMap<string, string>;

/** The definitions that stand in blocks of their own. As in the whole text, the first of a label counts. */
export function definitionsOf(blocks: string[]): Definitions {
  const found = new Map<string, string>();
  for (const line of blocks.filter(isDefinitions).join('\n').split('\n')) {
    const label = normalise(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
    if (label !== '' && !found.has(label)) found.set(label, line);
  }
  return found;
}

/** A block as it is drawn: before it the definitions that it may refer to, which show nothing by themselves. */
export function withDefinitions(block: string, definitions: Definitions): string {
  if (definitions.size === 0 || !block.includes('[')) return block;
  const text = normalise(block);
  const needed = [...definitions].filter(([label]) => text.includes(`[${label}]`)).map(([, line]) => line);
  return needed.length === 0 ? block : `${needed.join('\n')}\n\n${block}`;
}

/** Labels are the same whatever their case and white space (CommonMark 0.31 §4.7). */
function normalise(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

function isDefinitions(block: string): boolean {
  if (!/^ {0,3}\[/.test(block)) return false;
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => definition.test(line));
}
