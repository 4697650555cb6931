/** Maximum line length, characters. Longer lines are not scanned on every update. */
const MAX_LINE_LENGTH = 20_000;

/** Matches a line whose meaning is still open: a rule, a list, a heading, a fence. */
const undecided = /(^|\n)[ \t]*[-=+*_#>|`~]+[ \t]*$/;
/** The prefix of a line: quote marks, list markers, heading marks. */
const linePrefix = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])|#{1,6}(?=[ \t])))*[ \t]*/;
const fenceLine = /(?:^|\n)[ \t]*(`{3,}|~{3,})([^\n]*)/g;

/**
 * Completes the last block of a streamed text for display: closes open emphasis and code, displays an incomplete link
 * as its text, and omits an ambiguous line or table. The result is never stored.
 */
export function closeOpenMarks(block: string): string {
  if (endsInFence(block)) return block;
  if (isTableHead(block)) return '';
  const text = withoutOpenMath(block).replace(undecided, '$1');
  const lineStart = text.lastIndexOf('\n') + 1;
  const line = text.slice(lineStart);
  if (line.length > MAX_LINE_LENGTH) return block;
  const prefix = linePrefix.exec(line)?.[0] ?? '';
  return text.slice(0, lineStart) + prefix + closeEmphasis(closeLink(line.slice(prefix.length)));
}

function endsInFence(block: string): boolean {
  let open = '';
  for (const [, marker = '', rest = ''] of block.matchAll(fenceLine)) {
    if (open === '') open = marker.startsWith('`') && rest.includes('`') ? '' : marker;
    else if (marker.startsWith(open) && rest.trim() === '') open = '';
  }
  return open !== '';
}

/** Maximum length of an open formula, characters. A longer text is not a formula. */
const MAX_OPEN_FORMULA_LENGTH = 1_000;

/** Omits an open formula, because a part of it would be an error. */
function withoutOpenMath(block: string): string {
  const marks = [...block.matchAll(/`[^`\n]*`|\\\\|\$\$|\\[[\]()]/g)];
  let open: { mark: string; index: number } | null = null;
  for (const { 0: mark, index } of marks) {
    if (open === null && (mark === '$$' || mark === '\\[' || mark === '\\(')) open = { mark, index };
    else if (open !== null && mark === closerOf[open.mark]) open = null;
  }
  return open && block.length - open.index <= MAX_OPEN_FORMULA_LENGTH ? block.slice(0, open.index) : block;
}

const closerOf: Record<string, string> = { $$: '$$', '\\[': '\\]', '\\(': '\\)' };

/** Returns true if the block is a table, whose second line has as many columns as its first. */
function isTableHead(block: string): boolean {
  const [head = '', rule = '', ...more] = block.trimStart().split('\n');
  if (!head.startsWith('|') || more.length > 0 || !/^[ \t|:-]*$/.test(rule)) return false;
  return columnsOf(rule) < columnsOf(head);
}

function columnsOf(row: string): number {
  return row
    .replace(/\\\|/g, '')
    .split('|')
    .filter((cell) => cell.trim() !== '').length;
}

function closeLink(line: string): string {
  return line.replace(/!?\[([^[\]]*)\]\([^()]*$/, '$1').replace(/!?\[([^[\]]*)\]?$/, '$1');
}

/** Closes open marks at the end of a line, innermost first. Omits a mark that no text follows. */
function closeEmphasis(line: string): string {
  const open: string[] = [];
  for (const { 0: mark, index } of line.matchAll(/\\.|`+|\*+|_+|~~/g)) {
    const [before = ' ', after] = [line[index - 1], line[index + mark.length]];
    if (open.at(-1)?.startsWith('`')) {
      if (mark === open.at(-1)) open.pop();
      continue;
    }
    if (mark.startsWith('\\') || (mark.startsWith('_') && /\w\w/.test(before + (after ?? ' ')))) continue;
    if (/\S/.test(before) && open.includes(mark)) open.splice(open.lastIndexOf(mark));
    else if (after === undefined) return close(line.slice(0, index), open);
    else if (/\S/.test(after)) open.push(mark);
  }
  return close(line, open);
}

function close(line: string, open: string[]): string {
  return open.length === 0 ? line : line.trimEnd() + open.reverse().join('');
}
