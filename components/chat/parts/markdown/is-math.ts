/** Maximum length of an inline formula, UTF-16 units. */
export const MAX_FORMULA_LENGTH = 1_500;

/** A leading number followed by what may follow a price: a unit, a range, words. */
const price = /^[\d.,]+(?:\s*[-–—/%]|\s*[a-z]{2,}|\s+\p{L}|\s*$)/iu;
const operator = /[\\^_=<>+*{}]/;

/**
 * True if the text between two single dollar signs is a formula, in contrast to prices such as "$5 and $10": the signs
 * touch the text, no letter or digit follows, and the text is not an amount with words.
 */
export function isDollarMath(text: string, next: number | null): boolean {
  if (/^\s|\s$/.test(text) || text === '' || text.includes('`')) return false;
  if (next !== null && next > 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(next)) && next < 0x2e80) return false;
  return operator.test(text) || !price.test(text) || /^\d+(?:\.\d+)?$/.test(text);
}

/** True if the text between `\(` and `\)` or `\[` and `\]` is a formula and not text in escaped brackets. */
export function isBracketMath(text: string): boolean {
  const trimmed = text.trim();
  return /[\\^_=<>+|{}]|\s[-*/]\s/.test(trimmed) || /^[\p{L}∀-⋿]{1,2}$/u.test(trimmed);
}
