import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../ui/display/format';
import { StarIcon } from './star-icon';

/** A mean rating with its scale: "★ 4.5/5". */
export function RatingValue({ average }: { average: number }): ReactNode {
  const t = useTranslations('market.ratingValue');
  const format = useFormat();
  return (
    <span className="whitespace-nowrap">
      <StarIcon />
      <span className="font-medium text-ink">{format.rating(average)}</span>
      <span aria-hidden="true" className="font-normal text-muted">
        {t('scale')}
      </span>
      <span className="sr-only"> {t('means')}</span>
    </span>
  );
}
