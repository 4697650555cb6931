type Cell = string | number | boolean | null;

/**
 * Rows as CSV (RFC 4180), the header first, each made when it is asked for. What a spreadsheet would take for a formula is
 * text by an apostrophe in front of it.
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

/** Rows as one JSON list, each made when it is asked for. */
export async function* jsonArray(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '[';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}

/** An answer that a browser keeps as a file. */
export function fileResponse(body: ReadableStream<Uint8Array>, name: string): Response {
  const type = name.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
  return new Response(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });
}
