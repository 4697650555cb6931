import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { withQuery } from '../settings-routes';
import { Button, LinkButton } from '../ui/controls/button';
import { Pagination } from '../ui/controls/pagination';
import { EmptyNote } from '../ui/display/empty-note';
import { Field } from './field';
import { Input } from './inputs';

interface SearchableListProps {
  list: ListPage<unknown>;
  /** Label of the search, such as "Search agents". */
  label: string;
  /** The list itself, displayed unless a search finds nothing. */
  children: ReactNode;
}

/** A settings list with pages and, if it is long, a search. The search is in the URL. */
export function SearchableList({ list, label, children }: SearchableListProps): ReactNode {
  const t = useTranslations('account.searchableList');
  const { name, path, q, shown, searchable, firstHref, nextHref } = list;
  return (
    <div className="space-y-6">
      {searchable || q ? (
        <search>
          <form action={path} className="flex flex-wrap items-end gap-3">
            <Field className="w-full sm:w-72" id={`${name}-search`} label={label} required>
              {({ required: _, ...control }) => (
                <Input
                  {...control}
                  autoComplete="off"
                  defaultValue={q}
                  maxLength={100}
                  name={`${name}-q`}
                  type="search"
                />
              )}
            </Field>
            <Button type="submit">{t('search')}</Button>
          </form>
        </search>
      ) : null}
      {q && shown.length === 0 ? (
        <EmptyNote action={<LinkButton href={path}>{t('clear')}</LinkButton>} title={t('noMatch', { q })}>
          {t('noMatchHint')}
        </EmptyNote>
      ) : (
        children
      )}
      <Pagination firstHref={firstHref} label={t('pagination')} nextHref={nextHref} />
    </div>
  );
}

/** Maximum rows of a settings list per page. */
const pageSize = 25;
/** Minimum length of a list with a search. */
const searchFrom = 10;

/** The part of a list that a page displays. */
interface ListPage<Item> {
  /** Prefix of the list's parameters in the query, because a page can have several lists. */
  name: string;
  path: string;
  shown: Item[];
  /** The search; empty if there is none. */
  q: string;
  /** True if the list is long enough for a search. */
  searchable: boolean;
  firstHref: string | null;
  nextHref: string | null;
}

interface ListOptions<Item> {
  /** Prefix of the list's parameters in the query of the page, such as `tokens` for `tokens-q` and `tokens-page`. */
  name: string;
  query: Record<string, string | string[] | undefined>;
  textOf: (item: Item) => string;
}

/**
 * Returns the page of a list that `query` requests. An item matches if its text contains every word of the search.
 * Pages after the last one and invalid ones are the first.
 */
export function pageOfList<Item>(
  path: string,
  items: readonly Item[],
  { name, query, textOf }: ListOptions<Item>,
): ListPage<Item> {
  const [search, pageNumber] = [query[`${name}-q`], query[`${name}-page`]];
  const q = typeof search === 'string' ? search.trim() : '';
  const words = q.toLowerCase().split(/\s+/);
  const found = items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const asked = Number(pageNumber);
  const page = Number.isInteger(asked) && asked >= 1 && asked <= pages ? asked : 1;
  const hrefOf = (to: number): string =>
    withQuery(path, { ...(q ? { [`${name}-q`]: q } : {}), ...(to > 1 ? { [`${name}-page`]: String(to) } : {}) });
  return {
    name,
    path,
    shown: found.slice((page - 1) * pageSize, page * pageSize),
    q,
    searchable: items.length > searchFrom,
    firstHref: page > 1 ? hrefOf(1) : null,
    nextHref: page < pages ? hrefOf(page + 1) : null,
  };
}
