import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useFormat } from '../../ui/display/format';

/** A number of stars out of five, with a text alternative. */
export function Stars({ value }: { value: number }): ReactNode {
  const t = useTranslations('market.stars');
  const format = useFormat();
  const accessibleLabel = t('label', { stars: Number.isInteger(value) ? String(value) : format.rating(value) });
  return (
    <span aria-label={accessibleLabel} className="inline-flex gap-0.5 align-[-0.15em]" role="img">
      {[1, 2, 3, 4, 5].map((position) => (
        <svg aria-hidden="true" height="16" key={position} viewBox="0 0 16 16" width="16">
          <path className={position <= Math.round(value) ? 'fill-star' : 'fill-line'} d={starPath} />
        </svg>
      ))}
    </span>
  );
}

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

const starPath = 'M8 1.2l2.1 4.3 4.7.7-3.4 3.3.8 4.7L8 12l-4.2 2.2.8-4.7L1.2 6.2l4.7-.7z';

/** One star before a rating, as large as its text. A drawing, because not every font has the character. Decorative. */
function StarIcon(): ReactNode {
  return (
    <svg
      aria-hidden="true"
      className="me-0.5 inline-block size-[0.9em] fill-star align-[-0.05em]"
      focusable="false"
      viewBox="0 0 16 16"
    >
      <path d={starPath} />
    </svg>
  );
}
