import clsx from 'clsx';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { LinkPending } from '../ui/link-pending';
import { catalogueHref } from './catalogue-url';

const orders = [
  { sort: 'relevance', text: 'Best match' },
  { sort: 'newest', text: 'Newest' },
  { sort: 'name', text: 'Name' },
] as const;

export interface ResultBarProps {
  query: SearchQuery;
  page: SearchPage;
}

/** How many agents there are and in which order they stand. */
export function ResultBar({ query, page }: ResultBarProps): ReactNode {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 aria-live="polite" className="text-sm text-muted" id="results">
        {resultCount(page)}
      </h2>
      <nav aria-label="Order" className="flex items-center gap-0.5 text-sm">
        {orders.map(({ sort, text }) => (
          <Link
            aria-current={query.sort === sort ? 'true' : undefined}
            className={clsx(
              'inline-flex min-h-8 items-center rounded-md px-2.5 touch:min-h-11',
              query.sort === sort ? 'bg-sunken font-medium text-ink' : 'text-muted hover:bg-sunken hover:text-ink',
            )}
            href={catalogueHref(query, { sort })}
            key={sort}
            prefetch={false}
            scroll={false}
          >
            {text}
            <LinkPending />
          </Link>
        ))}
      </nav>
    </div>
  );
}

function resultCount({ total, totalIsCapped }: SearchPage): string {
  const number = new Intl.NumberFormat('en').format(total);
  if (totalIsCapped) return `More than ${number} agents`;
  return total === 1 ? '1 agent' : `${number} agents`;
}
