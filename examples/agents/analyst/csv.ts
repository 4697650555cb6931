import { looksNumeric, parseDate, parseYear } from './numbers';

/** A parsed table: text in every cell; each row has the width of the header. */
export interface Csv {
  separator: string;
  hasHeader: boolean;
  columns: string[];
  rows: string[][];
  /** Irregularities of the text, described for users. */
  problems: string[];
}

/** Error for a text that is not a readable table. The message states the reason for users. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

const separators = [',', ';', '\t', '|'];
const SAMPLE_CHARACTERS = 65_536;
const SAMPLE_RECORDS = 50;
export const MAX_ROWS = 50_000;
export const MAX_COLUMNS = 100;

/**
 * Reads CSV (RFC 4180) and its variants: separated by comma, semicolon, tab or bar, lines ended by CRLF, LF or CR,
 * quoted cells with separators and line breaks in them, a byte order mark. Blank lines are skipped; a row that is too
 * short or too long is fixed and counted among the problems.
 * @throws {CsvError} if there are no rows or too many columns
 */
export function parseCsv(text: string): Csv {
  const clean = text.replace(/^\uFEFF/, '');
  const separator = detectSeparator(clean);
  const { records, openQuoteLine, truncated } = readRecords(clean, separator, MAX_ROWS + 1);
  const [first, ...others] = records;
  if (first === undefined) throw new CsvError('The CSV is empty.');
  const widest = Math.max(first.length, commonWidth(records));
  if (widest > MAX_COLUMNS) throw new CsvError(`The CSV has more than ${MAX_COLUMNS} columns, the most I can read.`);
  const hasHeader = isHeader(first, others);
  const rows = hasHeader ? others : records.slice(0, MAX_ROWS);
  if (rows.length === 0) throw new CsvError('The CSV has a header but no rows.');

  const width = hasHeader ? widthUnder(first.length, rows) : commonWidth(rows);
  const { fixed, count } = fixRows(rows, width);
  const problems: string[] = [];
  if (truncated) problems.push(`Only the first ${MAX_ROWS.toLocaleString('en-US')} rows were read.`);
  if (count > 0)
    problems.push(`${count} ${count === 1 ? 'row has' : 'rows have'} more or fewer cells than the header.`);
  if (openQuoteLine !== null) problems.push(`A quote that opens in line ${openQuoteLine} is never closed.`);
  return { separator, hasHeader, columns: nameColumns(hasHeader ? first : [], width), rows: fixed, problems };
}

interface Records {
  records: string[][];
  openQuoteLine: number | null;
  /** Number of cells with text after their closing quote: a sign of a wrong separator. */
  strays: number;
  truncated: boolean;
}

/** Splits a text into records and cells. Quotes count only at the start of a cell. */
function readRecords(text: string, separator: string, limit: number): Records {
  const records: string[][] = [];
  let record: string[] = [];
  let line = 1;
  let openQuoteLine: number | null = null;
  let strays = 0;
  let at = 0;
  while (at < text.length && records.length < limit) {
    const cell = text[at] === '"' ? readQuoted(text, at) : { value: '', end: at };
    if (cell === null) openQuoteLine ??= line;
    const { value, end } = cell ?? { value: text.slice(at + 1), end: text.length };
    const stop = endOfCell(text, end, separator);
    if (cell !== null && text[at] === '"' && stop > end) strays += 1;
    // One cell above the limit is enough to detect too many columns.
    if (record.length <= MAX_COLUMNS) record.push(value + text.slice(end, stop).trim());
    if (text[at] === '"') line += text.slice(at, stop).split('\n').length - 1;
    at = stop + 1;
    if (text[stop] === separator && stop < text.length) {
      if (at === text.length) record.push('');
      continue;
    }
    if (text[stop] === '\r' && text[at] === '\n') at += 1;
    line += 1;
    if (record.some((content) => content !== '')) records.push(record);
    record = [];
  }
  if (record.some((content) => content !== '')) records.push(record);
  return { records, openQuoteLine, strays, truncated: at < text.length };
}

/** Reads a quoted cell from its opening quote; two quotes are one. Null if it is never closed. */
function readQuoted(text: string, start: number): { value: string; end: number } | null {
  let value = '';
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return null;
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}

function endOfCell(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

/** Returns the separator with which most of the first records have the same number of cells, and more than one. */
function detectSeparator(text: string): string {
  const cut = text.length > SAMPLE_CHARACTERS ? text.lastIndexOf('\n', SAMPLE_CHARACTERS) : -1;
  const sample = cut > 0 ? text.slice(0, cut) : text.slice(0, SAMPLE_CHARACTERS);
  let best = { separator: ',', agreement: 0, width: 1 };
  for (const separator of separators) {
    const { records, strays } = readRecords(sample, separator, SAMPLE_RECORDS);
    const width = commonWidth(records);
    const agreement = (records.filter(({ length }) => length === width).length - strays) / records.length;
    const better = agreement > best.agreement || (agreement === best.agreement && width > best.width);
    if (width > 1 && better) best = { separator, agreement, width };
  }
  return best.separator;
}

function commonWidth(records: string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || b - a)[0]?.[0] ?? 0;
}

/** Returns the header's width, or a greater one on which most rows agree: then some columns have no name. */
function widthUnder(header: number, rows: string[][]): number {
  const common = commonWidth(rows);
  const agreeing = rows.filter(({ length }) => length === common).length;
  return common > header && agreeing > rows.length / 2 ? common : header;
}

/**
 * Detects a header: the first record is one if its cells are distinct names, not values, and none is repeated below in
 * its column.
 */
function isHeader(first: string[], others: string[][]): boolean {
  const names = first.map((cell) => cell.trim().toLowerCase());
  const given = names.filter(Boolean);
  if (given.length === 0 || new Set(given).size < given.length) return false;
  return names.every((name, column) => {
    const below = others.slice(0, SAMPLE_RECORDS).map((row) => row[column]?.trim().toLowerCase() ?? '');
    return name === '' || (!below.includes(name) && !isValue(name, below));
  });
}

/** Detects a value: a number or a date. A year may be a name, unless the column contains years. */
function isValue(cell: string, below: string[]): boolean {
  if (parseYear(cell) !== null) return below.every((other) => parseYear(other) !== null);
  return looksNumeric(cell) || parseDate(cell) !== null;
}

function fixRows(rows: string[][], width: number): { fixed: string[][]; count: number } {
  let count = 0;
  const fixed = rows.map((row) => {
    if (row.length === width) return row;
    count += 1;
    return Array.from({ length: width }, (_, column) => row[column] ?? '');
  });
  return { fixed, count };
}

/** Gives every column a unique name: empty names are replaced by numbers, repeated ones get a counter. */
function nameColumns(header: string[], width: number): string[] {
  const names: string[] = [];
  for (let column = 0; column < width; column += 1) {
    const base = header[column]?.trim() || `Column ${column + 1}`;
    let name = base;
    for (let copy = 2; names.includes(name); copy += 1) name = `${base} (${copy})`;
    names.push(name);
  }
  return names;
}
