import { type LineContext, readLine, start } from './line-state';

/** Maximum parallel readings. If there are more, the rest of the text is one block. */
const MAX_READINGS = 8;

const itemStart = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** A one-line link definition, in its unambiguous forms. */
const definition =
  /^ {0,3}\[(?!\^)[^[\]\\]*[^\s[\]\\][^[\]\\]*\]:[ \t]*(?:[^\s\p{Cc}()<\\]|\([^\s\p{Cc}()<\\]*\))+(?:[ \t]+(?:"[^"\\]*"|'[^'\\]*'))?[ \t\r]*$/u;

/**
 * Splits Markdown into blocks that render independently; joined they are the text, character for character. It splits
 * only where every reading ends a block: after a blank line, before an unindented line, outside fences and lists. So
 * all blocks but the last are stable while text is appended.
 */
export function splitBlocks(text: string): string[] {
  // A lone carriage return ends a line too, but only in old files; those are one block.
  if (/\r(?!\n|$)/.test(text)) return [text];
  const blocks: string[] = [];
  let blockStart = 0;
  let afterBlank = false;
  let afterCode = false;
  let contexts: LineContext[] = [start];
  for (let lineStart = 0; lineStart < text.length; ) {
    const end = text.indexOf('\n', lineStart) + 1 || text.length;
    const line = text.slice(lineStart, end);
    const isBlank = /^[ \t\r\n]*$/.test(line);
    if (!isBlank) {
      const mayStartBlock = afterBlank && !(afterCode && itemStart.test(line));
      if (mayStartBlock && contexts.every((context) => mayCut(context, line))) {
        if (lineStart > blockStart) blocks.push(text.slice(blockStart, lineStart));
        blockStart = lineStart;
        contexts = [start];
      }
      contexts = distinct(contexts.flatMap((context) => readLine(context, { line, afterBlank })));
      if (contexts.length > MAX_READINGS) break;
      afterCode = /^(?: {4}| {0,3}\t)/.test(line);
    }
    afterBlank = isBlank;
    lineStart = end;
  }
  if (blockStart < text.length) blocks.push(text.slice(blockStart));
  return blocks;
}

function mayCut({ fence, item }: LineContext, line: string): boolean {
  if (fence !== null || /^\s/.test(line)) return false;
  return item === null || !itemStart.test(line);
}

function distinct(contexts: LineContext[]): LineContext[] {
  if (contexts.length === 1) return contexts;
  return [...new Map(contexts.map((context) => [`${context.fence} ${context.item}`, context])).values()];
}

/** Link definitions (`[label]: URL`) by label. */
export type Definitions = ReadonlyMap<string, string>;

/** The definitions in blocks of their own. As in the whole text, the first of a label counts. */
export function definitionsOf(blocks: string[]): Definitions {
  const found = new Map<string, string>();
  for (const line of blocks.filter(isDefinitions).join('\n').split('\n')) {
    const label = normalize(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
    if (label !== '' && !found.has(label)) found.set(label, line);
  }
  return found;
}

/** A block for rendering: preceded by the definitions it may reference, which render nothing. */
export function withDefinitions(block: string, definitions: Definitions): string {
  if (definitions.size === 0 || !block.includes('[')) return block;
  const text = normalize(block);
  const needed = [...definitions].filter(([label]) => text.includes(`[${label}]`)).map(([, line]) => line);
  return needed.length === 0 ? block : `${needed.join('\n')}\n\n${block}`;
}

/** Labels ignore case and white space (CommonMark 0.31 §4.7). */
function normalize(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}

function isDefinitions(block: string): boolean {
  if (!/^ {0,3}\[/.test(block)) return false;
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  return lines.every((line) => definition.test(line));
}
