import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '../ui/controls/button';
import { Pagination } from '../ui/controls/pagination';
import { EmptyState } from '../ui/display/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import type { ListPage } from './list-page';

export interface SearchableListProps {
  list: ListPage<unknown>;
  /** Label of the search, such as "Search agents". */
  label: string;
  /** The list itself; shown unless a search finds nothing. */
  children: ReactNode;
}

/** A settings list with a search once it is long, and pages. The search is in the URL. */
export function SearchableList({ list, label, children }: SearchableListProps): ReactNode {
  const t = useTranslations('account.searchableList');
  const { path, q, shown, searchable, firstHref, nextHref } = list;
  return (
    <div className="space-y-6">
      {searchable || q ? (
        <search>
          <form action={path} className="flex flex-wrap items-end gap-3">
            <Field className="w-full sm:w-72" id="list-search" label={label} required>
              {({ required: _, ...control }) => (
                <Input {...control} autoComplete="off" defaultValue={q} maxLength={100} name="q" type="search" />
              )}
            </Field>
            <Button type="submit">{t('search')}</Button>
          </form>
        </search>
      ) : null}
      {q && shown.length === 0 ? (
        <EmptyState action={<LinkButton href={path}>{t('clear')}</LinkButton>} title={t('noMatch', { q })}>
          {t('noMatchHint')}
        </EmptyState>
      ) : (
        children
      )}
      <Pagination firstHref={firstHref} label={t('pagination')} nextHref={nextHref} />
    </div>
  );
}
