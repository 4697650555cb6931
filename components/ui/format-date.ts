const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A day such as "Nov 20, 2026", in UTC so that server and browser write the same. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso));
}

/** A moment such as "Nov 20, 2026, 15:04:05 UTC". */
export function formatTime(iso: string): string {
  return `${timeFormat.format(new Date(iso))} UTC`;
}
