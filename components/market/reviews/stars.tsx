import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

const star = 'M8 1.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L8 12l-4.2 2.2.8-4.7L1.2 6.2l4.7-.7z';

/** A number of stars out of five, with a text alternative. */
export function Stars({ value, size = 16 }: { value: number; size?: number }): ReactNode {
  const t = useTranslations('market.stars');
  const accessibleLabel = t('label', { stars: Number.isInteger(value) ? String(value) : value.toFixed(1) });
  return (
    <span aria-label={accessibleLabel} className="inline-flex gap-0.5 align-[-0.15em]" role="img">
      {[1, 2, 3, 4, 5].map((position) => (
        <svg aria-hidden="true" height={size} key={position} viewBox="0 0 16 16" width={size}>
          <path className={position <= Math.round(value) ? 'fill-warn' : 'fill-line-strong'} d={star} />
        </svg>
      ))}
    </span>
  );
}
