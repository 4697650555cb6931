import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchResult } from '@/lib/discovery/schema';
import { routes } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { EmptyState } from '../ui/display/card';
import { ArrowRightIcon } from '../ui/display/icons';
import { AgentCard } from './agent-card';

/** The agents with the best score. */
export function HomeAgents({ agents }: { agents: SearchResult[] }): ReactNode {
  const t = useTranslations('market.homeAgents');
  return (
    <section aria-labelledby="top-agents" className="page-x pb-16">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-2xl font-semibold" id="top-agents">
          {t('title')}
        </h2>
        {agents.length > 0 ? (
          <Link
            className="text-link inline-flex min-h-8 items-center gap-1.5 text-sm touch:min-h-11"
            href={routes.catalog}
          >
            {t('browseAll')} <ArrowRightIcon size={15} />
          </Link>
        ) : null}
      </div>
      {agents.length > 0 ? (
        <ul className={clsx('mt-6 grid grid-cols-1 gap-4 sm:grid-cols-2', agents.length > 2 && 'lg:grid-cols-3')}>
          {agents.map((agent) => (
            <li key={agent.slug}>
              <AgentCard agent={agent} level={3} standing={agent.standing} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          action={
            <LinkButton href={routes.listAgent} tone="primary">
              {t('list')}
            </LinkButton>
          }
          className="mt-6"
          level={3}
          title={t('empty')}
        >
          {t('emptyHow')}
        </EmptyState>
      )}
    </section>
  );
}
