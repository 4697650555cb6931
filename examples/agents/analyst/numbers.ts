/** Number format of a file: `1,234.5` has a decimal point, `1.234,5` a decimal comma. */
export type NumberFormat = 'point' | 'comma';

const exponent = String.raw`(?:e[-+]?\d{1,3})?`;
const patterns: Record<NumberFormat, RegExp> = {
  point: new RegExp(String.raw`^[-+]?(?:\d{1,3}(?:[, '’\u00a0\u202f]\d{3})+|\d+)?(?:\.\d+)?${exponent}$`, 'i'),
  comma: new RegExp(String.raw`^[-+]?(?:\d{1,3}(?:[. '’\u00a0\u202f]\d{3})+|\d+)?(?:,\d+)?${exponent}$`, 'i'),
};

const missing = new Set(['', 'na', 'n/a', '#n/a', 'nan', 'null', 'nil', 'none', '-', '–', '—', '?', '.']);

/** Returns true for an empty cell and for common placeholders. */
export function isMissing(cell: string): boolean {
  return missing.has(cell.trim().toLowerCase());
}

/**
 * Reads a number with thousands separators, a currency sign, a percent sign (which is dropped), or in parentheses for a
 * negative one. Null for all other text, and for codes such as `007`.
 */
export function parseNumber(cell: string, format: NumberFormat): number | null {
  if (/^-?(?:0|[1-9]\d*)$/.test(cell)) return Number(cell);
  const bare = bareNumber(cell);
  if (!/\d/.test(bare) || !patterns[format].test(bare) || /^[-+]?0\d/.test(bare)) return null;
  const plain =
    format === 'point'
      ? bare.replace(/[, '’\u00a0\u202f]/g, '')
      : bare.replace(/[. '’\u00a0\u202f]/g, '').replace(',', '.');
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

function bareNumber(cell: string): string {
  const text = cell.trim().replace(/\u2212/g, '-');
  const inParentheses = /^\((.+)\)$/.exec(text);
  const signed = inParentheses ? `-${inParentheses[1]}` : text;
  return signed
    .replace(/^([-+]?)\s*[€$£¥]\s*/, '$1')
    .replace(/\s*(?:[€$£¥%]|eur|usd|gbp)$/i, '')
    .trim();
}

export function looksNumeric(cell: string): boolean {
  return parseNumber(cell, 'point') !== null || parseNumber(cell, 'comma') !== null;
}

/** Detects the format from unambiguous cells, or from the file's separator if there are none. */
export function detectNumberFormat(cells: Iterable<string>, separator: string): NumberFormat {
  let votes = 0;
  for (const cell of cells) {
    const point = parseNumber(cell, 'point') !== null;
    const comma = parseNumber(cell, 'comma') !== null;
    if (point !== comma) votes += point ? 1 : -1;
  }
  if (votes !== 0) return votes > 0 ? 'point' : 'comma';
  return separator === ';' ? 'comma' : 'point';
}

/**
 * Formats a number for users: with thousands separators and at most two decimals; four significant digits for small
 * numbers.
 */
export function formatNumber(value: number): string {
  const small = value !== 0 && Math.abs(value) < 1;
  return value.toLocaleString('en-US', small ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 });
}

const isoDate = /^(\d{4})[-/](0[1-9]|1[0-2])(?:[-/](0[1-9]|[12]\d|3[01]))?(?:[T ]\d{2}:\d{2}.*)?$/;
const dottedDate = /^(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(\d{4})$/;

/** Parses a date to `YYYY-MM` or `YYYY-MM-DD`, so that text order is time order; null if it is ambiguous. */
export function parseDate(cell: string): string | null {
  const text = cell.trim();
  const iso = isoDate.exec(text);
  if (iso) return [iso[1], iso[2], iso[3]].filter(Boolean).join('-');
  const dotted = dottedDate.exec(text);
  return dotted ? `${dotted[3]}-${dotted[2]?.padStart(2, '0')}-${dotted[1]?.padStart(2, '0')}` : null;
}

/** Parses a four-digit year, for columns whose name indicates years. */
export function parseYear(cell: string): string | null {
  return /^(?:1[5-9]|20|21)\d{2}$/.test(cell.trim()) ? cell.trim() : null;
}
