import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { RankingSummary } from '@/lib/discovery/schema-rankings';
import { useFormat } from '../ui/display/format';
import { RatingValue } from './rating-value';

interface StandingProps {
  standing: RankingSummary;
}

/** An agent's mean rating and the number of reviews; hidden without reviews. */
export function CardRating({ standing: { rating } }: StandingProps): ReactNode {
  const t = useTranslations('market.standingLine');
  const format = useFormat();
  if (!rating) return null;
  return (
    <span className="text-muted">
      {t.rich('rating', {
        value: () => <RatingValue average={rating.average} />,
        number: format.number(rating.count),
      })}
    </span>
  );
}

/** An agent's score, usage and success rate in one line, as far as known. */
export function StandingLine({ standing }: StandingProps): ReactNode {
  const t = useTranslations('market.standingLine');
  const tDemo = useTranslations('market.demoBadge');
  const format = useFormat();
  const { users, success, score, hasDemoData } = standing;
  if (score === null && users === 0 && success === null && !hasDemoData) return null;
  return (
    <p className="mt-1 mb-2.5 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {score === null ? null : <span title={t('scoreMeans')}>{t('score', { score: String(score) })}</span>}
      {users > 0 ? <span>{t('users', { count: users })}</span> : null}
      {success === null ? null : (
        <span title={t('successMeans')}>{t('success', { share: format.percent(success) })}</span>
      )}
      {hasDemoData ? <span title={tDemo('means')}>{tDemo('name')}</span> : null}
    </p>
  );
}
