import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CardChange, PendingCard as Review } from '@/lib/catalog/schema-cards';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { Literal } from '../../ui/display/fact-list';
import { useFormat } from '../../ui/display/format';
import { ApproveCard, RejectCard } from './card-decision';
import { DifferenceList } from './difference-list';

interface CardReviewProps {
  slug: string;
  review: Review;
}

/** A newer card that requires approval: the reason, its differences, and the buttons. */
export function CardReview({ slug, review }: CardReviewProps): ReactNode {
  const t = useTranslations('console.cardReview');
  const format = useFormat();
  const { digest, fetchedAt, reasons, differences } = review;
  return (
    <div className="space-y-5">
      <Alert title={t('title')} tone="warn">
        <ul className="space-y-1">
          {reasons.map((reason) => (
            <li key={reason.what}>
              <Reason reason={reason} />
            </li>
          ))}
        </ul>
        <p className="mt-2">{t('meanwhile')}</p>
      </Alert>
      <Card>
        <DifferenceList differences={differences} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 text-sm">
          <p className="min-w-0 text-muted">
            {t.rich('fetched', {
              fetched: format.date(fetchedAt, 'moment'),
              time: (fetched) => <time dateTime={fetchedAt}>{fetched}</time>,
              digest: `${digest.slice(0, 16)}…`,
              mono: (start) => <Literal>{start}</Literal>,
            })}
          </p>
          <span className="flex flex-wrap gap-2">
            <RejectCard digest={digest} slug={slug} />
            <ApproveCard digest={digest} slug={slug} />
          </span>
        </div>
      </Card>
    </div>
  );
}

function Reason({ reason }: { reason: CardChange }): ReactNode {
  const t = useTranslations('console.cardReview');
  if (reason.what === 'asked') return t('asked');
  if (reason.what === 'host') {
    return t.rich('host', {
      found: reason.found.join(', '),
      expected: reason.expected.join(', '),
      mono: (hosts) => <Literal>{hosts}</Literal>,
    });
  }
  return t(reason.found.state === 'verified' ? 'otherKey' : 'noSignature');
}
