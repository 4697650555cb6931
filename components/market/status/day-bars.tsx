import clsx from 'clsx';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { StatusDay } from '@/lib/status/schema';
import { formatOf } from '../../ui/display/format';
import { useUptimeText } from './use-uptime-text';

/** Number of days shown on phones, where 90 bars would be too thin to distinguish. */
const phoneDays = 30;

/** One bar per day; decorative, because the text has the same data. */
export function DayBars({ days }: { days: StatusDay[] }): ReactNode {
  const t = useTranslations('market.statusScreen');
  const percent = useUptimeText();
  const utc = formatOf(useLocale(), 'UTC');
  return (
    <div aria-hidden="true" className="mt-4">
      <div className="flex h-8 gap-0.5">
        {days.map(({ day, uptime }, at) => {
          const date = utc.date(day);
          return (
            <span
              className={clsx(
                'min-w-0 flex-1 rounded-xs',
                colorOf(uptime),
                at < days.length - phoneDays && 'max-sm:hidden',
              )}
              key={day}
              title={
                uptime === null ? t('dayNone', { day: date }) : t('dayShare', { day: date, share: percent(uptime) })
              }
            />
          );
        })}
      </div>
      <p className="mt-1.5 flex justify-between text-xs text-muted">
        <span className="sm:hidden">{t('daysAgo', { count: Math.min(phoneDays, days.length) })}</span>
        <span className="max-sm:hidden">{t('daysAgo', { count: days.length })}</span>
        <span>{t('today')}</span>
      </p>
    </div>
  );
}

function colorOf(uptime: number | null): string {
  if (uptime === null) return 'bg-line';
  if (uptime >= 0.999) return 'bg-good';
  return uptime >= 0.9 ? 'bg-warn' : 'bg-danger';
}
