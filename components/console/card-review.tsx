import type { ReactNode } from 'react';
import type { CardChange, CardReview as Review } from '@/lib/catalog/schema';
import { Alert } from '../ui/alert';
import { Card } from '../ui/card';
import { formatTime } from '../ui/format-date';
import { AcceptCard } from './accept-card';
import { DifferenceList } from './difference-list';
import { Literal } from './fact-list';
import { KeepCard } from './keep-card';

interface CardReviewProps {
  slug: string;
  review: Review;
}

/** A newer card that does not go live by itself: why, what is different in it, and the button that takes it. */
export function CardReview({ slug, review }: CardReviewProps): ReactNode {
  const { digest, fetchedAt, reasons, differences } = review;
  return (
    <div className="space-y-5">
      <Alert title="This card waits for your word" tone="warn">
        <ul className="space-y-1">
          {reasons.map((reason) => (
            <li key={reason.what}>{textOf(reason)}</li>
          ))}
        </ul>
        <p className="mt-2">Until you accept it, the listed card stays and calls go where they went.</p>
      </Alert>
      <Card>
        <DifferenceList differences={differences} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 text-sm">
          <p className="min-w-0 text-muted">
            Fetched <time dateTime={fetchedAt}>{formatTime(fetchedAt)}</time>, SHA-256{' '}
            <Literal>{digest.slice(0, 16)}…</Literal>
          </p>
          <span className="flex flex-wrap gap-2">
            <KeepCard digest={digest} slug={slug} />
            <AcceptCard digest={digest} slug={slug} />
          </span>
        </div>
      </Card>
    </div>
  );
}

function textOf(reason: CardChange): ReactNode {
  if (reason.what === 'asked') return 'You asked to see every changed card before it goes live.';
  if (reason.what === 'host') {
    return (
      <>
        Calls would go to <Literal>{reason.found.join(', ')}</Literal>; they go to{' '}
        <Literal>{reason.expected.join(', ')}</Literal>.
      </>
    );
  }
  return reason.found.state === 'verified'
    ? 'Another key signs it than the listed one.'
    : 'The listed card has a good signature; this one has none.';
}
