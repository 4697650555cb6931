import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ReviewView } from '@/lib/reviews/schema';
import { useFormat } from '../../../ui/display/format';
import { DemoBadge } from '../../listing/health-badge';
import { ReportLink } from '../../listing/links';
import { Stars } from '../../listing/stars';
import { ReplyForm } from './reply-form';

export interface ReviewListProps {
  reviews: ReviewView[];
  slug: string;
  publisher: string;
  /** True if this user represents the publisher. */
  mayReply: boolean;
}

/** Reviews, each with the publisher's reply. */
export function ReviewList({ reviews, slug, publisher, mayReply }: ReviewListProps): ReactNode {
  const t = useTranslations('market.reviewList');
  return (
    <ol className="divide-y divide-line">
      {reviews.map((review) => (
        <li className="py-5 first:pt-0" key={review.id}>
          <article aria-label={t('by', { author: review.author })}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Stars value={review.stars} />
              <bdi className="font-medium">{review.author}</bdi>
              {review.isDemo ? <DemoBadge /> : null}
              <ReviewDate review={review} />
              <span className="ms-auto">
                <ReportLink id={review.id} kind="review" />
              </span>
            </p>
            <p className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
              {review.text}
            </p>
            {review.reply ? <Reply publisher={publisher} reply={review.reply} /> : null}
            {mayReply ? <ReplyForm reply={review.reply?.text ?? ''} reviewId={review.id} slug={slug} /> : null}
          </article>
        </li>
      ))}
    </ol>
  );
}

function Reply({ publisher, reply }: { publisher: string; reply: NonNullable<ReviewView['reply']> }): ReactNode {
  const t = useTranslations('market.reviewList');
  const format = useFormat();
  return (
    <div className="mt-3 max-w-prose border-s-2 border-line-strong ps-4 text-sm">
      <p className="text-muted">
        {t.rich('replied', {
          publisher: () => <bdi className="font-medium text-ink">{publisher}</bdi>,
          date: () => <time dateTime={reply.at}>{format.date(reply.at)}</time>,
        })}
      </p>
      <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {reply.text}
      </p>
    </div>
  );
}

function ReviewDate({ review: { createdAt, updatedAt } }: { review: ReviewView }): ReactNode {
  const t = useTranslations('market.reviewList');
  const format = useFormat();
  const created = (): ReactNode => <time dateTime={createdAt}>{format.date(createdAt)}</time>;
  const updated = (): ReactNode => <time dateTime={updatedAt}>{format.date(updatedAt)}</time>;
  return (
    <span className="text-muted">{updatedAt === createdAt ? created() : t.rich('changed', { created, updated })}</span>
  );
}
