'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { announce } from '../ui/announcer';
import { timeLeft } from './time-left';

const clock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const utcClock = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/**
 * An offer's remaining time. The countdown is silent; only the expiry is announced, and only if it happens while the
 * page is open.
 */
export function OfferExpiry({ expiresAt, now }: { expiresAt: number; now: number | null }): ReactNode {
  const t = useTranslations('payments.offerExpiry');
  const tLeft = useTranslations('payments.timeLeft');
  const expired = now !== null && now >= expiresAt;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (expired && wasOpen.current) announce(t('over'));
    wasOpen.current = !expired;
  }, [expired, t]);

  const moment = now === null ? `${utcClock.format(expiresAt)} UTC` : clock.format(expiresAt);
  const time = (chunks: ReactNode): ReactNode => <time dateTime={new Date(expiresAt).toISOString()}>{chunks}</time>;
  return (
    <p className="text-xs text-muted">
      {now === null || expired
        ? t.rich(expired ? 'expired' : 'validUntil', { moment, time })
        : t.rich('validFor', {
            moment,
            time,
            left: timeLeft(expiresAt - now, tLeft),
            span: (chunks) => <span className="tabular-nums">{chunks}</span>,
          })}
    </p>
  );
}
