import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { RankingSummary } from '@/lib/discovery/schema-rankings';

const number = new Intl.NumberFormat('en');

/** An agent's rating, usage and score in one line; nothing if all are unknown. */
export function RatingSummaryLine({ standing }: { standing: RankingSummary }): ReactNode {
  const t = useTranslations('market.standingLine');
  const { rating, users, score } = standing;
  if (score === null && !rating && users === 0) return null;
  return (
    <p className="mb-2.5 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {rating ? (
        <span>
          {t.rich('rating', {
            star: (chunks) => <span aria-hidden="true">{chunks}</span>,
            average: () => <span className="font-medium text-ink">{rating.average.toFixed(1)}</span>,
            hidden: (chunks) => <span className="sr-only">{chunks}</span>,
            number: number.format(rating.count),
          })}
        </span>
      ) : null}
      {users > 0 ? <span>{t('users', { count: users })}</span> : null}
      {score === null ? null : <span>{t('score', { score: String(score) })}</span>}
    </p>
  );
}
