import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchHelp, SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { LinkPending } from '../../ui/controls/link-pending';
import { Pagination } from '../../ui/controls/pagination';
import { EmptyState } from '../../ui/display/card';
import { CloseIcon } from '../../ui/display/icons';
import { CompareList } from '../cards/compare-list';
import { catalogHref, countFilters, noFilters, singleFilters } from '../listing/catalog-url';
import { SearchBox } from '../listing/search-box';
import { describeQuery, savedQueryOf } from '../saved/describe-query';
import { SaveSearch } from '../saved/save-search';
import { chosenFilters } from './facet-choices';
import { FacetPanel } from './facet-panel';
import { LiveSearch, RestoreFocus } from './live-search';
import { NoFitHelp } from './no-fit-help';
import { ResultBar } from './result-bar';
import { ResultGroups } from './result-groups';

export interface CatalogViewProps {
  query: SearchQuery;
  page: SearchPage;
  /** Suggestions for a search without results. */
  help: SearchHelp | null;
  signedIn: boolean;
}

/** The catalog: search, filters and results, which consist of links and GET forms. */
export function CatalogView({ query, page, help, signedIn }: CatalogViewProps): ReactNode {
  const t = useTranslations('market.catalogView');
  return (
    <div className="page-x py-8 lg:py-12">
      <h1 className="text-3xl font-semibold">{t('title')}</h1>
      <search>
        <LiveSearch action={routes.catalog} isUnfinished={isUnfinished(query, page)} q={query.q}>
          <SearchBox defaultValue={query.q} />
          <FilterInputs query={query} />
        </LiveSearch>
      </search>
      <div className="mt-8 grid grid-cols-1 items-start gap-x-10 gap-y-5 lg:grid-cols-[13.5rem_minmax(0,1fr)]">
        <FacetPanel facets={page.facets} isCapped={page.totalIsCapped} query={query} />
        <div className="min-w-0">
          <section aria-labelledby="results">
            <ResultBar page={page} query={query} />
            <ChosenFilters help={help} page={page} query={query} signedIn={signedIn} />
            {page.items.length > 0 ? <Results page={page} query={query} /> : <NoResults help={help} query={query} />}
          </section>
          {help?.hasAgents ? (
            <NoFitHelp hasResults={page.items.length > 0} help={help} query={query} signedIn={signedIn} />
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** Returns true if the words were matched literally without a result. After a pause, meanings are compared too. */
function isUnfinished(query: SearchQuery, page: SearchPage): boolean {
  return query.typing !== undefined && page.semantic === 'skipped' && (page.isWeak || page.items.length === 0);
}

/** Hidden inputs that preserve filters and order in a new search, which resets to the first page. */
function FilterInputs({ query }: { query: SearchQuery }): ReactNode {
  return (
    <>
      {query.tag.map((value) => (
        <input key={value} name="tag" type="hidden" value={value} />
      ))}
      {query.capability.map((value) => (
        <input key={value} name="capability" type="hidden" value={value} />
      ))}
      {singleFilters.map((name) =>
        query[name] ? <input key={name} name={name} type="hidden" value={query[name]} /> : null,
      )}
      {query.sort === 'relevance' ? null : <input name="sort" type="hidden" value={query.sort} />}
    </>
  );
}

function ChosenFilters({ query, page, help, signedIn }: CatalogViewProps): ReactNode {
  const t = useTranslations('market');
  const chosen = chosenFilters({ query, facets: page.facets, t });
  // If a search has no results, saving it is one of the suggestions.
  const canSave = help === null && (chosen.length > 0 || query.q !== '');
  if (chosen.length === 0 && !canSave) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <ul aria-label={t('catalogView.chosenFilters')} className="contents empty:hidden">
        {chosen.map(({ text, href }) => (
          <li key={href}>
            <Link
              aria-label={t('catalogView.removeFilter', { filter: text })}
              className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-accent/30 bg-accent-soft px-3 text-sm text-accent hover:border-accent touch:min-h-11"
              href={href}
              prefetch={false}
              scroll={false}
            >
              <bdi>{text}</bdi>
              <CloseIcon size={14} />
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
      {canSave ? (
        <SaveSearch
          description={describeQuery(savedQueryOf(query), t)}
          href={catalogHref(query)}
          query={savedQueryOf(query)}
          signedIn={signedIn}
          size="sm"
        />
      ) : null}
    </div>
  );
}

function Results({ query, page }: Pick<CatalogViewProps, 'query' | 'page'>): ReactNode {
  const t = useTranslations('market.catalogView');
  return (
    <CompareList>
      <RestoreFocus>
        <ResultGroups page={page} query={query} />
      </RestoreFocus>
      <div className="mt-10 empty:hidden">
        <Pagination
          firstHref={query.cursor ? catalogHref(query) : null}
          label={t('pages')}
          nextHref={page.nextCursor ? catalogHref(query, { cursor: page.nextCursor }) : null}
        />
      </div>
    </CompareList>
  );
}

function NoResults({ query, help }: Pick<CatalogViewProps, 'query' | 'help'>): ReactNode {
  const t = useTranslations('market.catalogView');
  const filtered = countFilters(query) > 0;
  if (help?.hasAgents === false) {
    return (
      <EmptyState
        action={
          <LinkButton href={routes.listAgent} tone="primary">
            {t('list')}
          </LinkButton>
        }
        level={3}
        title={t('noneListed')}
      >
        {t('noneListedWhy')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <>
          {filtered && query.q ? (
            <LinkButton href={catalogHref(query, noFilters)}>{t('withoutFilters')}</LinkButton>
          ) : null}
          <LinkButton href={routes.catalog}>{t('showAll')}</LinkButton>
        </>
      }
      level={3}
      title={t('noMatch')}
    >
      {query.q
        ? t.rich(filtered ? 'nothingFoundFiltered' : 'nothingFound', {
            query: query.q,
            words: (chunks) => <bdi>{chunks}</bdi>,
          })
        : t('noneWithFilters')}
    </EmptyState>
  );
}
