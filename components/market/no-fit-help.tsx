import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchHelp, SearchQuery } from '@/lib/discovery/schema';
import { newChatPath } from '../shell/routes';
import { LinkButton } from '../ui/link-button';
import { AgentCard } from './agent-card';
import { catalogHref, countFilters, readCatalogQuery } from './catalog-url';
import { describeQuery, savedQueryOf } from './saved/describe-query';
import { SaveSearch } from './saved/save-search';

export interface NoFitHelpProps {
  query: SearchQuery;
  help: SearchHelp;
  hasResults: boolean;
  signedIn: boolean;
}

/** Ways on from a search that nothing fits: the concierge, tags, and the agents with the best score. */
export function NoFitHelp({ query, help, hasResults, signedIn }: NoFitHelpProps): ReactNode {
  const t = useTranslations('market.noFitHelp');
  const words = useTranslations('market');
  const saved = savedQueryOf(query);
  const { tags, best, concierge } = help;
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
      {hasResults || countFilters(query) > 0 ? null : <BestAgents agents={best} />}
    </section>
  );
}

/** The agents with the best score, where a search found none. */
function BestAgents({ agents }: { agents: SearchHelp['best'] }): ReactNode {
  const t = useTranslations('market.noFitHelp');
  return (
    <>
      <h3 className="mt-8 text-sm text-muted">{t('best')}</h3>
      <ul className="mt-3 grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {agents.map((agent) => (
          <li key={agent.slug}>
            <AgentCard agent={agent} level={3} standing={agent.standing} />
          </li>
        ))}
      </ul>
    </>
  );
}
