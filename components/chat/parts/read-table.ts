import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';

export interface TableColumn {
  label: string;
  numeric: boolean;
}

/** A cell. Numbers are formatted when they are displayed. */
export type TableCell = string | number;

export interface TableView {
  title: string | null;
  columns: TableColumn[];
  rows: TableCell[][];
}

const MAX_COLUMNS = 50;

/**
 * Returns a table in the format of Parley's example agents: `{kind: 'table', title?, columns: [{key, label?, type?}],
 * rows: [{…}]}`. A column may be a plain name, and a row an array. Null for all other data.
 */
export function readTable(data: JsonValue): TableView | null {
  if (!isObject(data) || !Array.isArray(data.columns) || !Array.isArray(data.rows)) return null;
  const columns = data.columns.slice(0, MAX_COLUMNS).map(readColumn);
  if (columns.length === 0 || columns.includes(null)) return null;
  const validColumns = columns.filter((column) => column !== null);
  const rows = data.rows.map((row) => validColumns.map(({ key }, index) => cellOf(row, { key, index })));
  return {
    title: nonEmptyString(data.title) ?? null,
    columns: validColumns.map(({ label, type, key }, index) => ({
      label,
      numeric: type === 'number' || (type === undefined && isNumeric(data.rows, { key, index })),
    })),
    rows: rows.map((row) => row.map(toCell)),
  };
}

interface Column {
  key: string;
  label: string;
  type: string | undefined;
}

interface Cell {
  key: string;
  index: number;
}

function readColumn(column: JsonValue): Column | null {
  if (typeof column === 'string') return { key: column, label: column, type: undefined };
  if (!isObject(column)) return null;
  const key = nonEmptyString(column.key) ?? nonEmptyString(column.name) ?? nonEmptyString(column.label);
  return key ? { key, label: nonEmptyString(column.label) ?? key, type: nonEmptyString(column.type) } : null;
}

function cellOf(row: JsonValue, { key, index }: Cell): JsonValue | undefined {
  if (Array.isArray(row)) return row[index];
  return isObject(row) && Object.hasOwn(row, key) ? row[key] : undefined;
}

function isNumeric(rows: JsonValue | undefined, cell: Cell): boolean {
  if (!Array.isArray(rows)) return false;
  const values = rows.map((row) => cellOf(row, cell)).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

function toCell(value: JsonValue | undefined): TableCell {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
