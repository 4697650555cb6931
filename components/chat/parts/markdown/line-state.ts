/** Where a line of Markdown stands, in one reading of the lines before it. */
export interface Place {
  /** Marker of the fence that is open at the margin. */
  fence: string | null;
  /** Column at which the text of the open list's item starts; what is indented so far belongs to it. */
  item: number | null;
}

export const start: Place = { fence: null, item: null };

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
 * Where the next line that is not blank can stand (CommonMark 0.31 §4.5, §5.2, §5.3). One place as a rule; two where only
 * the paragraph before decides whether a line goes on with a list or ends it.
 */
export function readLine(place: Place, { line: text, afterBlank }: Line): Place[] {
  const line = text.replace(/\n$/, '');
  if (place.fence !== null) return [closes(place.fence, line) ? { ...place, fence: null } : place];
  const { item } = place;
  if (item !== null && indentOf(line) >= item) return [place];
  const fence = openedFence(line);
  if (fence || headingOrQuote.test(line) || rule.test(line)) return [{ fence, item: null }];
  const math = openedMath(line);
  // Inside a paragraph it is text of the paragraph.
  if (math) return [{ fence: math, item: null }, place];
  const opened = listItem.exec(line);
  if (opened) {
    const [, , , number, , text] = opened;
    const inList: Place = { fence: null, item: contentColumn(opened) };
    // Inside a paragraph only a bullet with text or a first number opens a list.
    const mayBeText = item === null && !afterBlank && (text === '' || (number !== undefined && Number(number) !== 1));
    return mayBeText ? [inList, place] : [inList];
  }
  if (item === null) return [place];
  // A line of text without indent goes on with the paragraph of an item, or ends the list.
  return afterBlank ? [start] : [place, start];
}

/** The counterpart that a block of math ends with; null where it ends on its first line. */
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

/** Columns of white space before the text; a tab goes to the next multiple of four. */
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
  // An item without text, or with code in it, starts one column after its marker.
  return before + (text === '' || columns > 4 ? 1 : columns);
}
