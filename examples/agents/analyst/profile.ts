import type { Csv } from './csv';
import { detectNumberFormat, isMissing, type NumberFormat, parseDate, parseNumber, parseYear } from './numbers';
import { correlate, describeNumbers, type NumberStatistics } from './statistics';

export type ColumnType = 'number' | 'date' | 'text' | 'empty';

export interface ColumnProfile {
  name: string;
  type: ColumnType;
  /** Non-empty cells. */
  count: number;
  missing: number;
  /** Number of cells in a number or date column that could not be parsed; they also count as missing. */
  unreadable: number;
  distinct: number;
  /** The most frequent values, the most frequent first. */
  top: { value: string; count: number }[];
  numbers: NumberStatistics | null;
  range: { from: string; to: string } | null;
}

export interface Relation {
  a: string;
  b: string;
  /** Pearson's r, from -1 to 1. */
  r: number;
  /** Rows that have both values. */
  pairs: number;
}

export interface Profile {
  rows: number;
  duplicateRows: number;
  columns: ColumnProfile[];
  /** The two most correlated numeric columns; null if there are fewer than two. */
  related: Relation | null;
}

/** A column's parsed cells: numbers, dates or text, null for missing ones. In row order. */
export interface ReadColumn {
  profile: ColumnProfile;
  numbers: (number | null)[] | null;
  texts: (string | null)[];
}

/** The share of cells that determines a column's type. */
const ENOUGH = 0.9;
const TOP_VALUES = 5;
const MAX_CORRELATED = 30;
/** Rows used to detect the number format. */
const FORMAT_ROWS = 500;

/** Profiles a table column by column. It yields after each step, so that a long run can be paused or aborted. */
export function* profileTable(csv: Csv): Generator<undefined, { profile: Profile; columns: ReadColumn[] }> {
  const format = detectNumberFormat(csv.rows.slice(0, FORMAT_ROWS).flat(), csv.separator);
  yield;
  const columns: ReadColumn[] = [];
  for (const [index, name] of csv.columns.entries()) {
    const cells = csv.rows.map((row) => row[index] ?? '');
    columns.push(readColumn({ name, cells }, format));
    yield;
  }
  const related = yield* findRelation(columns);
  const profile = {
    rows: csv.rows.length,
    duplicateRows: csv.rows.length - new Set(csv.rows.map((row) => JSON.stringify(row))).size,
    columns: columns.map((column) => column.profile),
    related,
  };
  return { profile, columns };
}

function readColumn({ name, cells }: { name: string; cells: string[] }, format: NumberFormat): ReadColumn {
  const texts = cells.map((cell) => (isMissing(cell) ? null : cell.trim()));
  const present = texts.filter((text) => text !== null);
  const asDates = readAs(texts, /\byears?\b/i.test(name.replace(/_/g, ' ')) ? parseYear : parseDate);
  if (asDates) return { profile: profileDates(name, asDates, present.length), numbers: null, texts: asDates };
  const asNumbers = readAs(texts, (text) => parseNumber(text, format));
  if (asNumbers) return { profile: profileNumbers(name, asNumbers, present.length), numbers: asNumbers, texts };
  const type = present.length === 0 ? 'empty' : 'text';
  return { profile: { ...countValues(name, texts), type }, numbers: null, texts };
}

function readAs<Value>(texts: (string | null)[], parse: (text: string) => Value | null): (Value | null)[] | null {
  const values = texts.map((text) => (text === null ? null : parse(text)));
  const read = values.filter((value) => value !== null).length;
  const present = texts.filter((text) => text !== null).length;
  return read > 0 && read >= present * ENOUGH ? values : null;
}

function profileNumbers(name: string, values: (number | null)[], present: number): ColumnProfile {
  const counted = countValues(
    name,
    values.map((value) => (value === null ? null : String(value))),
  );
  const numbers = describeNumbers(values.filter((value) => value !== null));
  return { ...counted, type: 'number', unreadable: present - counted.count, numbers };
}

function profileDates(name: string, values: (string | null)[], present: number): ColumnProfile {
  const counted = countValues(name, values);
  const sorted = values.filter((value) => value !== null).sort();
  const range = { from: sorted[0] ?? '', to: sorted.at(-1) ?? '' };
  return { ...counted, type: 'date', unreadable: present - counted.count, range };
}

function countValues(name: string, values: (string | null)[]): ColumnProfile {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const top = mostFrequent(counts);
  const count = values.filter((value) => value !== null).length;
  const missing = values.length - count;
  return { name, type: 'text', count, missing, unreadable: 0, distinct: counts.size, top, numbers: null, range: null };
}

/** Returns the most frequent first; ties in alphabetical order. */
function mostFrequent(counts: Map<string, number>): { value: string; count: number }[] {
  const top: { value: string; count: number }[] = [];
  for (const [value, count] of counts) {
    const last = top[TOP_VALUES - 1];
    if (last && (count < last.count || (count === last.count && value > last.value))) continue;
    top.push({ value, count });
    top.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).splice(TOP_VALUES);
  }
  return top;
}

/** Finds the pair of numeric columns with the strongest correlation, positive or negative. */
function* findRelation(columns: ReadColumn[]): Generator<undefined, Relation | null> {
  const numeric = columns.filter(({ numbers }) => numbers !== null).slice(0, MAX_CORRELATED);
  let best: Relation | null = null;
  for (const [index, a] of numeric.entries()) {
    for (const b of numeric.slice(index + 1)) {
      const found = correlate(a.numbers ?? [], b.numbers ?? []);
      if (found && Math.abs(found.r) > Math.abs(best?.r ?? 0))
        best = { a: a.profile.name, b: b.profile.name, ...found };
      yield;
    }
  }
  return best;
}
