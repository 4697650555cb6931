import { useNow, useTimeZone } from 'next-intl';
import { useMemo, useSyncExternalStore } from 'react';
import { onMinute } from '../ui/display/date-time';

/** The reader's clock. */
export interface Clock {
  /** To the minute, ms since 1970. */
  now: number;
  /** IANA name, such as "Europe/Rome". */
  timeZone: string;
}

/** The reader's clock, to the minute. Until hydration the server's time, in the server's time zone. */
export function useClock(): Clock {
  const known = useTimeZone() ?? 'UTC';
  const start = useNow().getTime();
  const timeZone = useSyncExternalStore(never, browserZone, () => known);
  const now = useSyncExternalStore(onMinute, currentMinute, () => start);
  return useMemo(() => ({ now: Math.max(now, start), timeZone }), [now, start, timeZone]);
}

const never = (): (() => void) => () => undefined;

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const currentMinute = (): number => Math.floor(Date.now() / 60_000) * 60_000;
