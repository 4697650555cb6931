const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A date such as "Nov 20, 2026", in UTC so that server and browser render the same text. */
export function formatDate(iso: string): string {
  return dayFormat.format(new Date(iso));
}

/** A date and time such as "Nov 20, 2026, 15:04:05 UTC". */
export function formatTime(iso: string): string {
  return `${timeFormat.format(new Date(iso))} UTC`;
}
