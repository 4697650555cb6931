import { GENERATED_TITLE_LENGTH } from '../limits';

/** Separators of pasted tables. */
const separators = ['\t', ';', ',', '|'];

/**
 * The title of a new conversation: the beginning of its first message on one line, without pasted tables; else the first
 * file name; else the columns of the table.
 */
export function titleOf(text: string, fileNames: string[]): string {
  const { prose, columns } = splitTables(text);
  const line = oneLine(prose) || oneLine(fileNames[0] ?? '') || oneLine(columns ?? '') || 'Conversation';
  const characters = [...line];
  if (characters.length <= GENERATED_TITLE_LENGTH) return line;
  // One more, so that a word that ends exactly at the limit is kept.
  const cut = characters.slice(0, GENERATED_TITLE_LENGTH).join('');
  const space = cut.lastIndexOf(' ');
  const kept = space > cut.length / 2 ? cut.slice(0, space) : characters.slice(0, GENERATED_TITLE_LENGTH - 1).join('');
  return `${kept.replace(/[\s,;:.!?–—-]+$/u, '')}…`;
}

/** The text without its tables, and the header of the first table. */
function splitTables(text: string): { prose: string; columns: string | null } {
  const lines = text.split(/\r?\n/);
  const isRow = lines.map((line, index) => isTableRow(line, lines[index - 1]) || isTableRow(line, lines[index + 1]));
  const first = lines[isRow.indexOf(true)];
  const separator = separators.find((one) => first?.includes(one)) ?? ',';
  const names = first?.split(separator).map((name) => name.replaceAll('"', '').trim());
  return {
    prose: lines.filter((line, index) => !isRow[index] && !/^\s*(`{3}|~{3})/.test(line)).join('\n'),
    columns: names ? `Table: ${names.filter((name) => name !== '').join(', ')}` : null,
  };
}

/** True for a line with as many separators as the one next to it, and no space after one: prose has commas too. */
function isTableRow(line: string, neighbor: string | undefined): boolean {
  return separators.some((separator) => {
    const count = line.split(separator).length;
    const isProse = separator !== '|' && line.includes(`${separator} `);
    return count > 1 && !isProse && neighbor?.split(separator).length === count;
  });
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
