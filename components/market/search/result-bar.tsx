import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type SearchPage, type SearchQuery, type Sort, sorts } from '@/lib/discovery/schema';
import { LinkPending } from '../../ui/controls/link-pending';
import { useFormat } from '../../ui/display/format';
import { catalogHref } from '../listing/catalog-url';

export interface ResultBarProps {
  query: SearchQuery;
  page: SearchPage;
}

/** The number of agents, or the statement that nothing fits, and their order. */
export function ResultBar({ query, page }: ResultBarProps): ReactNode {
  const t = useTranslations('market.resultBar');
  const current = query.q === '' && query.sort === 'relevance' ? 'best' : query.sort;
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2
        aria-live="polite"
        className={page.isWeak ? 'min-w-0 text-lg font-semibold break-words' : 'text-sm text-muted'}
        id="results"
      >
        {page.isWeak ? <NothingFits q={query.q} /> : <Count page={page} query={query} />}
      </h2>
      <nav aria-label={t('order')} className="-mx-2.5 flex flex-wrap items-center gap-0.5 text-sm">
        {ordersOf(query).map((sort) => (
          <Link
            aria-current={current === sort ? 'true' : undefined}
            className={clsx(
              'inline-flex min-h-8 items-center rounded-md px-2.5 touch:min-h-11',
              current === sort ? 'bg-sunken font-medium text-ink' : 'text-muted hover:bg-sunken hover:text-ink',
            )}
            href={catalogHref(query, { sort: query.q === '' && sort === 'best' ? 'relevance' : sort })}
            key={sort}
            prefetch={false}
            scroll={false}
          >
            {t(sort)}
            <LinkPending />
          </Link>
        ))}
      </nav>
    </div>
  );
}

function NothingFits({ q }: { q: string }): ReactNode {
  const t = useTranslations('market.resultBar');
  return t.rich('nothingFits', { query: q, words: (chunks) => <bdi>{chunks}</bdi> });
}

/** The number of agents, without the closest ones that complete a short list. */
function Count({ query, page: { items, nextCursor, total, totalIsCapped } }: ResultBarProps): ReactNode {
  const t = useTranslations('market.resultBar');
  const format = useFormat();
  if (totalIsCapped) return t('moreThan', { number: format.number(total) });
  const isWhole = !nextCursor && !query.cursor;
  return t('count', { count: isWhole ? items.filter(({ fit }) => fit !== 'closest').length : total });
}

/** Returns the orders. Without words, all agents match equally, and the best score comes first. */
function ordersOf({ q }: SearchQuery): Sort[] {
  return sorts.filter((sort) => q !== '' || sort !== 'relevance');
}
