import type { ReactNode } from 'react';
import type { ReviewView } from '@/lib/reviews/schema';
import { formatDate } from '../../ui/format-date';
import { ReportLink } from '../report-link';
import { ReplyForm } from './reply-form';
import { Stars } from './stars';

export interface ReviewListProps {
  reviews: ReviewView[];
  slug: string;
  publisher: string;
  /** This person answers for the agent. */
  mayReply: boolean;
}

/** Reviews one below the other, each with the publisher's reply. */
export function ReviewList({ reviews, slug, publisher, mayReply }: ReviewListProps): ReactNode {
  return (
    <ol className="divide-y divide-line">
      {reviews.map((review) => (
        <li className="py-5 first:pt-0" key={review.id}>
          <article aria-label={`Review by ${review.author}`}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Stars value={review.stars} />
              <bdi className="font-medium">{review.author}</bdi>
              <ReviewDate review={review} />
              <span className="ms-auto">
                <ReportLink id={review.id} kind="review" />
              </span>
            </p>
            <p className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
              {review.text}
            </p>
            {review.reply ? (
              <div className="mt-3 max-w-prose border-s-2 border-line-strong ps-4 text-sm">
                <p className="text-muted">
                  <bdi className="font-medium text-ink">{publisher}</bdi> replied on{' '}
                  <time dateTime={review.reply.at}>{formatDate(review.reply.at)}</time>
                </p>
                <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
                  {review.reply.text}
                </p>
              </div>
            ) : null}
            {mayReply ? <ReplyForm reply={review.reply?.text ?? ''} reviewId={review.id} slug={slug} /> : null}
          </article>
        </li>
      ))}
    </ol>
  );
}

function ReviewDate({ review: { createdAt, updatedAt } }: { review: ReviewView }): ReactNode {
  return (
    <span className="text-muted">
      <time dateTime={createdAt}>{formatDate(createdAt)}</time>
      {updatedAt === createdAt ? null : (
        <>
          , changed <time dateTime={updatedAt}>{formatDate(updatedAt)}</time>
        </>
      )}
    </span>
  );
}
