import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { type Format, useFormat } from '../../../ui/display/format';

const height = 44;
const step = 10;
const bar = 7;
const shownDays = 30;
/** Width of one unit, in pixels: thirty days are as wide as a text. */
const stretch = 1.92;

/** One bar per probed day, full if every probe succeeded. The table below contains the same data. */
export function UptimeChart({ history }: { history: AgentRanking['history'] }): ReactNode {
  const t = useTranslations('market.uptimeChart');
  const format = useFormat();
  const days = history.slice(-shownDays);
  const width = days.length * step;
  return (
    <svg
      aria-label={t('label', { count: days.length, worst: worstOf(days, format) })}
      className="h-11 max-w-full"
      preserveAspectRatio="none"
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width * stretch}
    >
      {days.map(({ day }, at) => (
        <rect className="fill-sunken" height={height} key={day} rx="1.5" width={bar} x={at * step} y="0" />
      ))}
      {days.map(({ day, good, checks }, at) => {
        const share = good / checks;
        const tall = Math.max(share * height, 2);
        return (
          <rect
            className={share === 1 ? 'fill-good' : share >= 0.9 ? 'fill-warn' : 'fill-danger'}
            height={tall}
            key={day}
            rx="1.5"
            width={bar}
            x={at * step}
            y={height - tall}
          >
            <title>
              {t('day', { day, share: format.percent(share), count: checks, checks: format.number(checks) })}
            </title>
          </rect>
        );
      })}
    </svg>
  );
}

function worstOf(days: AgentRanking['history'], format: Format): string {
  return format.percent(Math.min(1, ...days.map(({ good, checks }) => good / checks)));
}
