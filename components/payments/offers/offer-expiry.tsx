'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { DateTime } from '../../ui/display/date-time';
import { announce } from '../../ui/overlays/announcer';

/**
 * Returns the current time in whole seconds (milliseconds since 1970), updated every second until `end`. Null on the
 * server, where the time of display is unknown.
 */
export function useCountdown(end: number): number | null {
  const subscribe = useCallback(
    (tick: () => void) => {
      if (Date.now() >= end) return () => undefined;
      const timer = setInterval(() => {
        tick();
        if (Date.now() >= end) clearInterval(timer);
      }, 1_000);
      return () => clearInterval(timer);
    },
    [end],
  );
  return useSyncExternalStore(
    subscribe,
    () => (Date.now() >= end ? end : Math.floor(Date.now() / 1_000) * 1_000),
    () => null,
  );
}

/**
 * An offer's remaining time. The countdown is not announced; only the expiry is, if it occurs while the page is open.
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

type TimeTexts = ReturnType<typeof useTranslations<'payments.timeLeft'>>;

/**
 * Formats a duration in its two largest units, in whole minutes if it is at least one minute: "3 days 4 hours",
 * "14 minutes", "32 seconds". `ms` is positive.
 */
export function timeLeft(ms: number, t: TimeTexts): string {
  const seconds = Math.ceil(ms / 1_000);
  const units = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3_600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds < 60 ? seconds : 0, 'second'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const [large = '', small] = units
    .slice(Math.max(0, first), first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => t(unit, { count, amount: String(count) }));
  return small === undefined ? large : t('both', { large, small });
}
