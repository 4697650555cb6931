import { useLocale } from 'next-intl';
import { useCallback } from 'react';

export type FormatNumber = (value: number) => string;

/** An agent's numbers as the reader's language and region write them. */
export function useFormatNumber(): FormatNumber {
  const locale = useLocale();
  return useCallback((value) => formatNumber(locale, value), [locale]);
}

/**
 * A human-readable number in a language (BCP 47): integers in full, fractions to four digits, numbers below 1 to six
 * significant digits. Years stay ungrouped.
 */
export function formatNumber(locale: string, value: number): string {
  const { small, large } = formatsOf(locale);
  return (Math.abs(value) < 1 ? small : large).format(value);
}

const formats = new Map<string, { small: Intl.NumberFormat; large: Intl.NumberFormat }>();

/** Charts format many numbers, and creating a format takes far longer than using it. */
function formatsOf(locale: string): { small: Intl.NumberFormat; large: Intl.NumberFormat } {
  const known = formats.get(locale);
  if (known) return known;
  const made = {
    small: new Intl.NumberFormat(locale, { maximumSignificantDigits: 6, useGrouping: 'min2' }),
    large: new Intl.NumberFormat(locale, { maximumFractionDigits: 4, useGrouping: 'min2' }),
  };
  formats.set(locale, made);
  return made;
}
