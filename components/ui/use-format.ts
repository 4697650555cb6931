import { useLocale, useTimeZone } from 'next-intl';
import { type Format, formatOf } from './format';

/**
 * The reader's formats, on the server and in the browser. The time zone is known from the second page on; until then it
 * is UTC (use `DateTime` for a single time).
 */
export function useFormat(): Format {
  return formatOf(useLocale(), useTimeZone() ?? 'UTC');
}
