import type { ReactNode } from 'react';
import type { StandingSummary } from '@/lib/discovery/schema';

const number = new Intl.NumberFormat('en');

/** Rating, use and score of an agent in one line; nothing while nothing is known. */
export function StandingLine({ standing }: { standing: StandingSummary }): ReactNode {
  const { rating, users, score } = standing;
  if (score === null && !rating && users === 0) return null;
  return (
    <p className="mb-2.5 flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {rating ? (
        <span>
          <span aria-hidden="true">★ </span>
          <span className="font-medium text-ink">{rating.average.toFixed(1)}</span>
          <span className="sr-only"> of 5 stars,</span> ({number.format(rating.count)})
        </span>
      ) : null}
      {users > 0 ? <span>{users === 1 ? '1 user' : `${number.format(users)} users`}</span> : null}
      {score === null ? null : <span>Score {score}</span>}
    </p>
  );
}
