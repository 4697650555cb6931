const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day such as "Nov 20, 2026", in UTC so that server and browser write the same. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso));
}
