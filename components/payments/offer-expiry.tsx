'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from '../ui/announcer';
import { timeLeft } from './time-left';

const clock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const utcClock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** How long an offer holds. It counts down in silence; only its end is said, and only to who watched it come. */
export function OfferExpiry({ expiresAt, now }: { expiresAt: number; now: number | null }): ReactNode {
  const expired = now !== null && now >= expiresAt;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (expired && wasOpen.current) announce('The offer has expired.');
    wasOpen.current = !expired;
  }, [expired]);

  const moment = now === null ? `${utcClock.format(expiresAt)} UTC` : clock.format(expiresAt);
  return (
    <p className="text-xs text-muted">
      {expired ? 'Expired' : 'Valid until'} <time dateTime={new Date(expiresAt).toISOString()}>{moment}</time>
      {now === null || expired ? null : (
        <>
          , <span className="tabular-nums">{timeLeft(expiresAt - now)}</span> left
        </>
      )}
    </p>
  );
}
