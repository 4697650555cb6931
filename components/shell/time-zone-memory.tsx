'use client';

import { useTimeZone } from 'next-intl';
import { useEffect } from 'react';
import { timeZoneCookie } from '../texts/time-zone';

const YEAR_SECONDS = 31_536_000;

/** Stores the browser's time zone, so that the server renders the next page's times in it. */
export function TimeZoneMemory(): null {
  const known = useTimeZone();
  useEffect(() => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (zone === known) return;
    const secure = window.location.protocol === 'https:' ? '; secure' : '';
    document.cookie = `${timeZoneCookie}=${encodeURIComponent(zone)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  }, [known]);
  return null;
}
