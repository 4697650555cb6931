import type { Locale } from './locale';

/** Cookie with the IANA time zone of the browser. */
export const timeZoneCookie = 'parley-zone';

/** The time zone of a cookie; UTC if there is none or it is unknown. */
export function timeZoneOf(value: string | undefined): string {
  if (value === undefined || value.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(value) }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/**
 * The page's language with the reader's region, for numbers and dates: `en-GB` for a page in English and
 * `Accept-Language: de, en-GB`.
 */
export function regionalLocale(locale: Locale, acceptLanguage: string | null): string {
  const tags = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((tag) => tag.split(';')[0]?.trim() ?? '');
  const regional = tags.find((tag) => new RegExp(`^${locale}-[A-Z]{2}$`).test(tag));
  return regional ?? locale;
}
