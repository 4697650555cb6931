import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import { numberText } from './number-text';

export interface TableColumn {
  label: string;
  numeric: boolean;
}

export interface TableView {
  title: string | null;
  columns: TableColumn[];
  rows: string[][];
}

const MOST_COLUMNS = 50;

/**
 * A table in the form that Parley's agents publish: `{kind: 'table', title?, columns: [{key, label?, type?}], rows: [{…}]}`;
 * a column may be its name alone, a row a list. Null for anything else.
 */
export function readTable(data: JsonValue): TableView | null {
  if (!isObject(data) || !Array.isArray(data.columns) || !Array.isArray(data.rows)) return null;
  const columns = data.columns.slice(0, MOST_COLUMNS).map(readColumn);
  if (columns.length === 0 || columns.includes(null)) return null;
  const known = columns.filter((column) => column !== null);
  const rows = data.rows.map((row) => known.map(({ key }, place) => cellOf(row, { key, place })));
  return {
    title: nonEmptyString(data.title) ?? null,
    columns: known.map(({ label, type, key }, place) => ({
      label,
      numeric: type === 'number' || (type === undefined && isNumeric(data.rows, { key, place })),
    })),
    rows: rows.map((row) => row.map(toText)),
  };
}

interface Column {
  key: string;
  label: string;
  type: string | undefined;
}

interface Cell {
  key: string;
  place: number;
}

function readColumn(column: JsonValue): Column | null {
  if (typeof column === 'string') return { key: column, label: column, type: undefined };
  if (!isObject(column)) return null;
  const key = nonEmptyString(column.key) ?? nonEmptyString(column.name) ?? nonEmptyString(column.label);
  return key ? { key, label: nonEmptyString(column.label) ?? key, type: nonEmptyString(column.type) } : null;
}

function cellOf(row: JsonValue, { key, place }: Cell): JsonValue | undefined {
  if (Array.isArray(row)) return row[place];
  return isObject(row) && Object.hasOwn(row, key) ? row[key] : undefined;
}

function isNumeric(rows: JsonValue | undefined, cell: Cell): boolean {
  if (!Array.isArray(rows)) return false;
  const values = rows.map((row) => cellOf(row, cell)).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function toText(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
