import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../protocol/json';

/** Of a table or a chart what is drawn of it, and no member that its reader never sees. Null when it is none. */
export function pickRenderedData(view: 'table' | 'chart', data: JsonValue): JsonValue | null {
  if (!isObject(data)) return null;
  return view === 'table' ? tableOf(data) : chartOf(data);
}

function tableOf({ title, columns, rows }: JsonObject): JsonValue | null {
  if (!Array.isArray(columns) || !Array.isArray(rows)) return null;
  const keys = columns.map(keyOf);
  const renderedRows = rows.map((row) => {
    if (Array.isArray(row)) return row.slice(0, columns.length);
    return isObject(row) ? pick(row, keys) : null;
  });
  const heads = columns.map((column) => (isObject(column) ? pick(column, ['key', 'name', 'label', 'type']) : column));
  return { kind: 'table', ...pick({ title }, ['title']), columns: heads, rows: renderedRows };
}

function keyOf(column: JsonValue): string {
  if (!isObject(column)) return nonEmptyString(column) ?? '';
  return nonEmptyString(column.key) ?? nonEmptyString(column.name) ?? nonEmptyString(column.label) ?? '';
}

function chartOf({ type, title, x, series }: JsonObject): JsonValue | null {
  if (!isObject(x) || !Array.isArray(series)) return null;
  const renderedSeries = series.map((item) => (isObject(item) ? pick(item, ['name', 'values']) : null));
  return {
    kind: 'chart',
    ...pick({ type, title }, ['type', 'title']),
    x: pick(x, ['label', 'values']),
    series: renderedSeries,
  };
}

function pick(value: JsonObject, names: string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(value, name) ? [[name, value[name]]] : [])));
}
