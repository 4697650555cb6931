'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { DateTime } from '../ui/display/date-time';
import { announce } from '../ui/overlays/announcer';
import { timeLeft } from './time-left';

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

  const moment = (): ReactNode => <DateTime at={new Date(expiresAt).toISOString()} />;
  return (
    <p className="text-xs text-muted">
      {now === null || expired
        ? t.rich(expired ? 'expired' : 'validUntil', { moment })
        : t.rich('validFor', {
            moment,
            left: timeLeft(expiresAt - now, tLeft),
            span: (chunks) => <span className="tabular-nums">{chunks}</span>,
          })}
    </p>
  );
}
