/** Maximum parallel readings. If there are more, the remaining text is one block. */
const MAX_READINGS = 8;

const itemStart = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** A one-line link definition, in its unambiguous forms. */
const definition =
  /^ {0,3}\[(?!\^)[^[\]\\]*[^\s[\]\\][^[\]\\]*\]:[ \t]*(?:[^\s\p{Cc}()<\\]|\([^\s\p{Cc}()<\\]*\))+(?:[ \t]+(?:"[^"\\]*"|'[^'\\]*'))?[ \t\r]*$/u;

/**
 * Splits Markdown into blocks that render independently and whose concatenation is exactly the text. Splits only where
 * every reading ends a block: after a blank line, before an unindented line, and outside of fences and lists. All
 * blocks except the last are therefore stable while text is appended.
 */
export function splitBlocks(text: string): string[] {
  // A lone carriage return also ends a line, but only in old files, which are one block.
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
type Definitions = ReadonlyMap<string, string>;

/** Returns the definitions in separate blocks. As in the whole text, the first of a label applies. */
export function definitionsOf(blocks: string[]): Definitions {
  const found = new Map<string, string>();
  for (const line of blocks.filter(isDefinitions).join('\n').split('\n')) {
    const label = normalize(line.slice(line.indexOf('[') + 1, line.indexOf(']:')));
    if (label !== '' && !found.has(label)) found.set(label, line);
  }
  return found;
}

/** Returns a block for rendering, preceded by the definitions that it may reference, which render nothing. */
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

/** The block context of a line of Markdown, in one reading of the preceding lines. */
export interface LineContext {
  /** Marker of an open fence at the margin. */
  fence: string | null;
  /** Column at which the text of the open list item starts. Lines with at least this indentation belong to it. */
  item: number | null;
}

export const start: LineContext = { fence: null, item: null };

const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)/;
const mathLine = /^ {0,3}(\$\$|\\\[)/;
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t\r]*$/;
const headingOrQuote = /^ {0,3}(?:#{1,6}(?:[ \t\r]|$)|>)/;
const listItem = /^( {0,3})([-*+]|(\d{1,9})[.)])(?=[ \t\r]|$)([ \t]*)(\S?)/;

interface Line {
  line: string;
  afterBlank: boolean;
}

/**
 * Returns the possible contexts of the next non-blank line (CommonMark 0.31 §4.5, §5.2, §5.3). Usually one; two if only
 * the preceding paragraph determines whether a line continues or ends a list.
 */
export function readLine(context: LineContext, { line: text, afterBlank }: Line): LineContext[] {
  const line = text.replace(/\n$/, '');
  if (context.fence !== null) return [closes(context.fence, line) ? { ...context, fence: null } : context];
  const { item } = context;
  if (item !== null && indentOf(line) >= item) return [context];
  const fence = openedFence(line);
  if (fence || headingOrQuote.test(line) || rule.test(line)) return [{ fence, item: null }];
  const math = openedMath(line);
  // Inside a paragraph, it is text of the paragraph.
  if (math) return [{ fence: math, item: null }, context];
  const opened = listItem.exec(line);
  if (opened) {
    const [, , , number, , text] = opened;
    const inList: LineContext = { fence: null, item: contentColumn(opened) };
    // Inside a paragraph, only a bullet with text or the number 1 starts a list.
    const mayBeText = item === null && !afterBlank && (text === '' || (number !== undefined && Number(number) !== 1));
    return mayBeText ? [inList, context] : [inList];
  }
  if (item === null) return [context];
  // An unindented text line continues an item's paragraph, or ends the list.
  return afterBlank ? [start] : [context, start];
}

/** Returns the closing marker of a math block; null if the block ends on its first line. */
function openedMath(line: string): string | null {
  const [start, marker] = mathLine.exec(line) ?? [];
  if (start === undefined) return null;
  const closer = marker === '$$' ? '$$' : '\\]';
  return line.includes(closer, start.length) ? null : closer;
}

function closes(fence: string, line: string): boolean {
  if (fence === '$$' || fence === '\\]') return line.includes(fence);
  const [, marker = '', rest = ''] = fenceLine.exec(line) ?? [];
  return marker.startsWith(fence) && rest.trim() === '';
}

function openedFence(line: string): string | null {
  const [, marker, info = ''] = fenceLine.exec(line) ?? [];
  if (!marker || (marker.startsWith('`') && info.includes('`'))) return null;
  return marker;
}

/** Counts the columns of white space before the text. A tab advances to the next multiple of four. */
function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === '\t') columns += 4 - (columns % 4);
    else if (character === ' ') columns++;
    else break;
  }
  return columns;
}

function contentColumn([, indent = '', marker = '', , space = '', text]: RegExpExecArray): number {
  const before = indent.length + marker.length;
  const columns = indentOf(' '.repeat(before % 4) + space) - (before % 4);
  // The content of an empty item, or of one that starts with code, starts one column after the marker.
  return before + (text === '' || columns > 4 ? 1 : columns);
}
