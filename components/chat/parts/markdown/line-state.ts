/** The block context of a line of Markdown, in one reading of the lines before it. */
export interface LineContext {
  /** Marker of an open fence at the margin. */
  fence: string | null;
  /** Column at which the text of the open list item starts; lines indented at least that far belong to it. */
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
 * Possible contexts of the next non-blank line (CommonMark 0.31 §4.5, §5.2, §5.3). Usually one; two if only the
 * preceding paragraph decides whether a line continues or ends a list.
 */
export function readLine(context: LineContext, { line: text, afterBlank }: Line): LineContext[] {
  const line = text.replace(/\n$/, '');
  if (context.fence !== null) return [closes(context.fence, line) ? { ...context, fence: null } : context];
  const { item } = context;
  if (item !== null && indentOf(line) >= item) return [context];
  const fence = openedFence(line);
  if (fence || headingOrQuote.test(line) || rule.test(line)) return [{ fence, item: null }];
  const math = openedMath(line);
  // Inside a paragraph it is paragraph text.
  if (math) return [{ fence: math, item: null }, context];
  const opened = listItem.exec(line);
  if (opened) {
    const [, , , number, , text] = opened;
    const inList: LineContext = { fence: null, item: contentColumn(opened) };
    // Inside a paragraph only a bullet with text or the number 1 opens a list.
    const mayBeText = item === null && !afterBlank && (text === '' || (number !== undefined && Number(number) !== 1));
    return mayBeText ? [inList, context] : [inList];
  }
  if (item === null) return [context];
  // An unindented text line continues an item's paragraph, or ends the list.
  return afterBlank ? [start] : [context, start];
}

/** The closing marker of a math block; null if it ends on its first line. */
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

/** Columns of white space before the text; a tab advances to the next multiple of four. */
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
  // The content of an empty item, or one that starts with code, begins one column after the marker.
  return before + (text === '' || columns > 4 ? 1 : columns);
}
