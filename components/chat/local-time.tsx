'use client';

import { type ReactNode, useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** A time of day in the reader's time zone; before hydration in UTC, as the server rendered it. */
export function LocalTime({ iso }: { iso: string }): ReactNode {
  const text = useSyncExternalStore(
    never,
    () => format(iso),
    () => `${format(iso, 'UTC')} UTC`,
  );
  return <time dateTime={iso}>{text}</time>;
}

function format(iso: string, timeZone?: string): string {
  return new Date(iso).toLocaleTimeString('en-GB', { timeZone });
}
