import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchHelp, SearchQuery } from '@/lib/discovery/schema';
import { newChatPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { catalogHref, countFilters, noFilters, readCatalogQuery } from '../listing/catalog-url';
import { describeQuery, savedQueryOf } from '../saved/describe-query';
import { SaveSearch } from '../saved/save-search';

export interface NoFitHelpProps {
  query: SearchQuery;
  help: SearchHelp;
  /** True if the nearest matches are displayed. */
  hasResults: boolean;
  signedIn: boolean;
}

/** Suggestions for a search without results: the concierge, a saved search, and tags. */
export function NoFitHelp({ query, help, hasResults, signedIn }: NoFitHelpProps): ReactNode {
  const t = useTranslations('market.noFitHelp');
  const words = useTranslations('market');
  const saved = savedQueryOf(query);
  const { tags, concierge } = help;
  return (
    <section aria-labelledby="no-fit-help" className="mt-12 border-t border-line pt-8">
      <h2 className="text-lg font-semibold" id="no-fit-help">
        {t('title')}
      </h2>
      {concierge ? (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
          <LinkButton href={newChatPath(concierge, query.q)} tone="primary">
            {t('askConcierge')}
          </LinkButton>
          <p className="max-w-prose text-sm text-muted">{t('conciergeMeans')}</p>
        </div>
      ) : null}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        <SaveSearch
          description={describeQuery(saved, words)}
          href={catalogHref(query)}
          query={saved}
          signedIn={signedIn}
        />
        <p className="max-w-prose text-sm text-muted">{t('saveMeans')}</p>
      </div>
      {hasResults && countFilters(query) > 0 ? (
        <LinkButton className="mt-4" href={catalogHref(query, noFilters)}>
          {t('withoutFilters')}
        </LinkButton>
      ) : null}
      {tags.length > 0 ? (
        <nav aria-label={t('tags')} className="mt-6">
          <p aria-hidden="true" className="text-sm text-muted">
            {t('tags')}
          </p>
          <ul className="mt-2 flex flex-wrap gap-2">
            {tags.map((tag) => (
              <li key={tag}>
                <LinkButton className="max-w-full" href={catalogHref(readCatalogQuery({ tag }))} size="sm">
                  <bdi className="truncate">{tag}</bdi>
                </LinkButton>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </section>
  );
}
