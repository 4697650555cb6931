/** Longest formula in running text, in UTF-16 units. */
export const LONGEST_FORMULA = 1_500;

/** A number at the start, and then what stands behind a price: a unit, a range, words. */
const price = /^[\d.,]+(?:\s*[-–—/%]|\s*[a-z]{2,}|\s+\p{L}|\s*$)/iu;
const operator = /[\\^_=<>+*{}]/;

/**
 * True for what stands between two single dollar signs when it is a formula and not, as in "$5 and $10", prices: the
 * signs touch the formula, no letter or digit follows, and it does not read like an amount with words after it.
 */
export function isDollarMath(text: string, next: number | null): boolean {
  if (/^\s|\s$/.test(text) || text === '' || text.includes('`')) return false;
  if (next !== null && next > 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(next)) && next < 0x2e80) return false;
  return operator.test(text) || !price.test(text) || /^\d+(?:\.\d+)?$/.test(text);
}

/** True for what stands between `\(` and `\)` or `\[` and `\]` when it is a formula and not text in escaped brackets. */
export function isBracketMath(text: string): boolean {
  const trimmed = text.trim();
  return /[\\^_=<>+|{}]|\s[-*/]\s/.test(trimmed) || /^[\p{L}∀-⋿]{1,2}$/u.test(trimmed);
}
