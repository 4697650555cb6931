import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '../ui/controls/button';
import { Pagination } from '../ui/controls/pagination';
import { EmptyState } from '../ui/display/card';
import { Input } from './inputs';

interface PagedListProps {
  path: string;
  /** Label of the search. */
  label: string;
  placeholder?: string;
  q: string | undefined;
  page: { total: number; matching: number; firstHref: string | null; nextHref: string | null };
  /** Maximum number of items without a search. */
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

interface ListSearchProps {
  /** The list's page. The form is submitted by GET, so that every search has a URL. */
  path: string;
  label: string;
  placeholder?: string;
  value: string | undefined;
  /** Other parameters of the page, which a search preserves. */
  keep?: Record<string, string | undefined>;
}

/** A search in a list of the console. */
export function ListSearch({ path, label, placeholder, value, keep = {} }: ListSearchProps): ReactNode {
  const t = useTranslations('console.listSearch');
  const kept = Object.entries(keep).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(kept).toString();
  return (
    <search className="min-w-0 flex-1 basis-72">
      <form action={path} className="flex max-w-xl gap-2">
        {kept.map(([name, text]) => (
          <input key={name} name={name} type="hidden" value={text} />
        ))}
        <Input
          aria-label={label}
          autoComplete="off"
          className="min-w-0 flex-1"
          defaultValue={value ?? ''}
          key={value ?? ''}
          maxLength={100}
          name="q"
          placeholder={placeholder}
          type="search"
        />
        <Button type="submit">{t('search')}</Button>
        {value ? (
          <LinkButton href={query ? `${path}?${query}` : path} tone="quiet">
            {t('clear')}
          </LinkButton>
        ) : null}
      </form>
    </search>
  );
}
