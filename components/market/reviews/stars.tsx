import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../../ui/display/format';
import { starPath } from '../star-icon';

/** A number of stars out of five, with a text alternative. */
export function Stars({ value, size = 16 }: { value: number; size?: number }): ReactNode {
  const t = useTranslations('market.stars');
  const format = useFormat();
  const accessibleLabel = t('label', { stars: Number.isInteger(value) ? String(value) : format.rating(value) });
  return (
    <span aria-label={accessibleLabel} className="inline-flex gap-0.5 align-[-0.15em]" role="img">
      {[1, 2, 3, 4, 5].map((position) => (
        <svg aria-hidden="true" height={size} key={position} viewBox="0 0 16 16" width={size}>
          <path className={position <= Math.round(value) ? 'fill-star' : 'fill-line'} d={starPath} />
        </svg>
      ))}
    </span>
  );
}
