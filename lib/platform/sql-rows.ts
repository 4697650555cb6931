/** Names and SQL types of the columns of rows that a statement gets as parameters. */
export type Columns = Record<string, string>;

/**
 * A SELECT of the rows that {@link parametersOf} hands over from `$1` on: many as one array for each column, one alone as
 * plain values, which costs the database half as much. Statements of both kinds need names of their own.
 */
export function rowsSql(columns: Columns, many: boolean): string {
  const all = Object.entries(columns);
  if (!many) return `SELECT ${all.map(([name, type], at) => `$${at + 1}::${type} AS ${name}`)}`;
  return `SELECT * FROM unnest(${all.map(([, type], at) => `$${at + 1}::${type}[]`)}) AS r(${Object.keys(columns)})`;
}

/** The parameters for rows whose values stand in the order of their columns. */
export function parametersOf([first = [], ...others]: Value[][]): (Value | string)[] {
  if (others.length === 0) return first;
  return first.map((value, at) => arrayOf([value, ...others.map((row) => row[at] ?? null)]));
}

type Value = string | number | boolean | null;

/** A column's values as an array of PostgreSQL. The driver writes arrays too, with two regular expressions for each value. */
export function arrayOf(values: Value[]): string {
  return `{${values.map(elementOf)}}`;
}

function elementOf(value: Value): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  return `"${value.includes('"') || value.includes('\\') ? value.replace(/["\\]/g, '\\$&') : value}"`;
}
