/** Cookie with the IANA time zone of the browser. */
export const timeZoneCookie = 'parley-zone';

/** Returns the time zone of a cookie; UTC if there is none or it is unknown. */
export function timeZoneOf(value: string | undefined): string {
  if (value === undefined || value.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(value) }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
