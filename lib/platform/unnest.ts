/** Names and SQL types of the columns of rows that a statement gets as parameters. */
export type Columns = Record<string, 'uuid' | 'text' | 'int' | 'timestamptz' | 'json'>;

type Value = string | number | null;

/**
 * A SELECT of the rows that {@link encodeParams} hands over from `$1` on: many as one array for each column, one alone as
 * plain values, which costs the database half as much. Statements of both kinds need names of their own.
 */
export function selectUnnest(columns: Columns, many: boolean): string {
  const all = Object.entries(columns);
  if (!many) return `SELECT ${all.map(([name, type], at) => `$${at + 1}::${type} AS ${name}`)}`;
  const arrays = all.map(([, type], at) => (type === 'json' ? jsonLinesSql(at + 1) : `$${at + 1}::${type}[]`));
  return `SELECT * FROM unnest(${arrays}) AS r(${Object.keys(columns)})`;
}

/** The JSON texts of a parameter that holds one in each line, which has no line breaks of its own; an empty one is NULL. */
function jsonLinesSql(parameter: number): string {
  return `string_to_array($${parameter}, chr(10), '')::json[]`;
}

/** The parameters for rows whose values stand in the order of their columns; JSON comes as text. */
export function encodeParams(columns: Columns, rows: Value[][]): (string | null)[] {
  const types = Object.values(columns);
  const [first = [], ...others] = rows;
  if (others.length === 0) return first.map((value) => (typeof value === 'number' ? String(value) : value));
  return types.map((type, at) => {
    if (type === 'json') return rows.map((row) => row[at]).join('\n');
    const isText = type === 'text';
    let text = '{';
    for (const row of rows) {
      const value = row[at] ?? null;
      if (text.length > 1) text += ',';
      text += isText ? encodeElement(value) : (value ?? 'NULL');
    }
    return `${text}}`;
  });
}

/** A column's texts as an array of PostgreSQL. The driver writes arrays too, with two regular expressions for each value. */
export function encodeArray(values: (Value | boolean)[]): string {
  return `{${values.map(encodeElement)}}`;
}

function encodeElement(value: Value | boolean): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  return `"${value.includes('"') || value.includes('\\') ? value.replace(/["\\]/g, '\\$&') : value}"`;
}
