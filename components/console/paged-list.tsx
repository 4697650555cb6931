import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Pagination } from '../ui/controls/pagination';
import { EmptyState } from '../ui/display/card';
import { ListSearch } from './list-search';

interface PagedListProps {
  path: string;
  /** Label of the search. */
  label: string;
  placeholder?: string;
  q: string | undefined;
  page: { total: number; matching: number; firstHref: string | null; nextHref: string | null };
  /** Up to this many items, no search is offered. */
  searchFrom: number;
  children: ReactNode;
}

/** A list with a search and pages. A short list has neither. */
export function PagedList({ path, label, placeholder, q, page, searchFrom, children }: PagedListProps): ReactNode {
  const t = useTranslations('console.pagedList');
  return (
    <div className="space-y-4">
      {page.total > searchFrom || q ? (
        <ListSearch label={label} path={path} placeholder={placeholder} value={q} />
      ) : null}
      {q ? (
        <p className="text-sm text-muted" role="status">
          {t('matching', { count: page.matching })}
        </p>
      ) : null}
      {page.matching === 0 && q ? (
        <EmptyState level={3} title={t('noMatch')}>
          {t('noMatchHint')}
        </EmptyState>
      ) : (
        children
      )}
      <Pagination firstHref={page.firstHref} label={t('pagination')} nextHref={page.nextHref} />
    </div>
  );
}
