import type { ReactNode } from 'react';

/** In UTC, so that server and browser render the same text. */
const momentFormat = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** A date and time; `at` is ISO 8601. */
export function DateTime({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{momentFormat.format(new Date(at))} UTC</time>;
}
