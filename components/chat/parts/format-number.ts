const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: 'min2' });
const large = new Intl.NumberFormat('en', { maximumFractionDigits: 4, useGrouping: 'min2' });

/**
 * A human-readable number: integers in full, fractions to four digits, numbers below 1 to six significant digits. Years
 * stay ungrouped.
 */
export function formatNumber(value: number): string {
  return (Math.abs(value) < 1 ? small : large).format(value);
}
