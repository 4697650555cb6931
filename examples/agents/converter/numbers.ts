/** A number at the start of a text, and its length in characters. */
export interface ReadNumber {
  value: number;
  length: number;
}

const words: Record<string, number> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  twenty: 20,
  fifty: 50,
  hundred: 100,
  'a hundred': 100,
  'a thousand': 1_000,
  'a million': 1_000_000,
  half: 0.5,
  'half a': 0.5,
  'half an': 0.5,
  'a dozen': 12,
};

const wordPattern = new RegExp(
  `^(?:${Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .join('|')})(?![\\p{L}\\d])`,
  'iu',
);
/** A sign, groups of thousands, decimals and a power of ten. */
const digits = /^([-−+]?)(\d{1,3}(?:[,'’\u00a0\u202f ]\d{3})+(?!\d)|\d+)?([.,]\d+)?(?:e([-+]?\d{1,2}))?/i;
const fraction = /^(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)(?![\d/])/;
const vulgar: Record<string, number> = { '½': 0.5, '¼': 0.25, '¾': 0.75, '⅓': 1 / 3, '⅔': 2 / 3 };

/**
 * Reads a number in digits (`1,200.5`, `1 200,5`, `-3`, `2e6`), as a fraction (`3 1/2`, `½`) or in words (`two`). A
 * comma before exactly three digits separates thousands. Null if the text does not start with a number.
 */
export function readNumber(text: string): ReadNumber | null {
  const mixed = /^(\d*)\s*([½¼¾⅓⅔])/.exec(text);
  if (mixed) return { value: Number(mixed[1] || 0) + (vulgar[mixed[2] ?? ''] ?? 0), length: mixed[0].length };
  const parts = fraction.exec(text);
  if (parts && Number(parts[3]) !== 0) {
    const [all, whole = '0', top, bottom] = parts;
    return { value: Number(whole) + Number(top) / Number(bottom), length: all.length };
  }
  const word = wordPattern.exec(text);
  if (word) return { value: words[word[0].toLowerCase()] ?? 0, length: word[0].length };
  return readDigits(text);
}

function readDigits(text: string): ReadNumber | null {
  const found = digits.exec(text);
  if (!found || (found[2] === undefined && found[3] === undefined)) return null;
  const [all, sign = '', whole = '0', decimals = '', power = '0'] = found;
  const value = Number(`${whole.replace(/\D/g, '')}${decimals.replace(',', '.')}e${power}`);
  if (!Number.isFinite(value)) return null;
  return { value: sign === '-' || sign === '−' ? -value : value, length: all.length };
}

const formats = new Map<number, Intl.NumberFormat>();

/** Formats a result for users: six significant digits, or every digit of a whole number. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-6 || size >= 1e15)) return value.toExponential(5).replace(/\.?0+e/, 'e');
  const decimals = Number.isInteger(value) || size === 0 ? 0 : Math.max(0, 5 - Math.floor(Math.log10(size)));
  const maximumFractionDigits = Math.min(decimals, 12);
  const format = formats.get(maximumFractionDigits) ?? new Intl.NumberFormat('en-US', { maximumFractionDigits });
  formats.set(maximumFractionDigits, format);
  return format.format(value);
}
