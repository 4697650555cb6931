import type { ReactNode } from 'react';

/** In UTC, so that server and browser write the same. */
const momentFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A day and its time; `at` is ISO 8601. */
export function Moment({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{momentFormat.format(new Date(at))} UTC</time>;
}
