const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: 'min2' });
const large = new Intl.NumberFormat('en', { maximumFractionDigits: 4, useGrouping: 'min2' });

/** A number for people: whole numbers in full, fractions to four places, small ones to six digits. Years stay ungrouped. */
export function numberText(value: number): string {
  return (Math.abs(value) < 1 ? small : large).format(value);
}
