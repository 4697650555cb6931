import { type CompleteResponse, respond } from './respond';
import { lastValues, type QueryReader } from './routes/json-route';

type Cell = string | number | boolean | null;

/**
 * Yields rows as CSV (RFC 4180) with a header line, on demand. An apostrophe prevents spreadsheets from evaluating
 * cells as formulas.
 */
export async function* csvRows<Row>(
  rows: AsyncIterable<Row>,
  columns: Record<string, (row: Row) => Cell>,
): AsyncGenerator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`;
  for await (const row of rows)
    yield `${Object.values(columns)
      .map((read) => cellText(read(row)))
      .join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[\s]*[=+\-@]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Yields rows as one JSON array, on demand. */
export async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}

/** Reads a list's filter, and the first `format`, which requests the list as a file. */
export const readListQuery: QueryReader = (parameters) => ({
  ...lastValues(parameters),
  format: parameters.get('format') ?? undefined,
});

/** Returns a response that browsers save as a file. Its chunks are produced as the client reads them. */
export function fileResponse(chunks: AsyncGenerator<string>, name: string): CompleteResponse {
  const type = name.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
  return respond(200, chunks, { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` });
}
