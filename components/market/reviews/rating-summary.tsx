import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ReviewSummary } from '@/lib/reviews/schema';
import { useFormat } from '../../ui/display/format';
import { Stars } from './stars';

/** A summary of the reviews: mean, count, and distribution of stars. */
export function RatingSummary({ summary }: { summary: ReviewSummary }): ReactNode {
  const t = useTranslations('market.ratingSummary');
  const tValue = useTranslations('market.ratingValue');
  const format = useFormat();
  const { count, average, distribution } = summary;
  if (average === null) return null;
  const rows = distribution.map((number, index) => ({ stars: index + 1, number })).reverse();
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-5 rounded-lg border border-line bg-surface p-5">
      <div>
        <p className="text-3xl font-semibold tabular-nums">
          {format.rating(average)}
          <span aria-hidden="true" className="text-base font-normal text-muted">
            {tValue('scale')}
          </span>
        </p>
        <p className="mt-1">
          <Stars value={average} />
        </p>
        <p className="mt-1 text-sm text-muted">{t('reviews', { count, number: format.number(count) })}</p>
      </div>
      <dl className="min-w-56 flex-1 space-y-1.5 text-sm">
        {rows.map(({ stars, number }) => (
          <div className="grid grid-cols-[4rem_1fr_2.5rem] items-center gap-3" key={stars}>
            <dt className="text-muted">{t('stars', { count: stars })}</dt>
            <dd aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-star" style={{ width: `${(number / count) * 100}%` }} />
            </dd>
            <dd className="text-end tabular-nums">{format.number(number)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
