'use client';

import { useLocale, useNow, useTimeZone } from 'next-intl';
import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { type DateStyle, formatOf } from './format';

interface DateTimeProps {
  /** ISO 8601. */
  at: string;
  /** The style. `relative` ("5 minutes ago") is updated while the page is open. */
  show?: DateStyle | 'relative';
}

/**
 * A time in the reader's language and time zone, with the full time on hover. Hydrates with the server-rendered text.
 */
export function DateTime({ at, show = 'moment' }: DateTimeProps): ReactNode {
  const locale = useLocale();
  const { now, timeZone } = useClock(show === 'relative');
  const format = formatOf(locale, timeZone);
  return (
    <time dateTime={at} suppressHydrationWarning title={show === 'full' ? undefined : format.date(at, 'full')}>
      {show === 'relative' ? format.relative(at, now) : format.date(at, show)}
    </time>
  );
}

/** The reader's clock. */
export interface Clock {
  /** The current time to the minute, milliseconds since 1970. */
  now: number;
  /** IANA name, such as "Europe/Rome". */
  timeZone: string;
}

/**
 * Returns the reader's clock, to the minute. Without `runs`, it is not updated. Until hydration, it is the server's
 * time in the server's time zone.
 */
export function useClock(runs = true): Clock {
  const known = useTimeZone() ?? 'UTC';
  const start = useNow().getTime();
  const timeZone = useSyncExternalStore(never, browserZone, () => known);
  const now = useSyncExternalStore(runs ? onMinute : never, currentMinute, () => start);
  return useMemo(() => ({ now: Math.max(now, start), timeZone }), [now, start, timeZone]);
}

const never = (): (() => void) => () => undefined;

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const currentMinute = (): number => Math.floor(Date.now() / 60_000) * 60_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `listener` every minute until the returned function is called. All listeners share one timer. */
function onMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const call of listeners) call();
  }, 60_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
