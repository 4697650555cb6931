import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../ui/display/format';

export interface Change {
  current: number | null;
  previous: number | null;
  /** `share`: the difference in percentage points; else the change in percent. */
  kind?: 'share';
  /** The direction that is an improvement; `none` if there is none. */
  better: 'up' | 'down' | 'none';
}

/** The change of a figure since the previous period. */
export function ChangeNote({ change }: { change: Change }): ReactNode {
  const t = useTranslations('console.changeNote');
  const format = useFormat();
  const { current, previous, kind, better } = change;
  if (current === null || previous === null || (current === 0 && previous === 0)) return null;
  if (previous === 0 && kind === undefined) return <span className="text-muted">{t('new')}</span>;
  const difference = kind === 'share' ? (current - previous) * 100 : ((current - previous) / previous) * 100;
  const rounded = Math.abs(difference) < 10 ? Math.round(difference * 10) / 10 : Math.round(difference);
  if (rounded === 0) return <span className="text-muted">{t('same')}</span>;
  const direction = rounded > 0 ? 'up' : 'down';
  const tone = better === 'none' ? 'text-muted' : direction === better ? 'text-good' : 'text-danger';
  const amount = format.number(Math.abs(rounded), { maximumFractionDigits: 1 });
  return (
    <span className={`${tone} tabular-nums`}>
      <span aria-hidden="true">{direction === 'up' ? '↑' : '↓'} </span>
      <span className="sr-only">{t(direction)} </span>
      {t(kind === 'share' ? 'points' : 'percent', { amount })}
    </span>
  );
}
