import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchResult } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { EmptyState } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { ArrowRightIcon } from '../../ui/display/icons';
import { AgentCard } from '../cards/agent-card';
import { firstAgentCommand, firstAgentFile } from '../listing/curl-lines';

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

const promises = ['identity', 'nothingLost', 'badges', 'open'] as const;

/** The guarantees for users. */
export function HomeBenefits(): ReactNode {
  const t = useTranslations('market.homePromises');
  return (
    <section aria-labelledby="count-on" className="page-x pt-16">
      <h2 className="text-2xl font-semibold" id="count-on">
        {t('title')}
      </h2>
      <dl className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {promises.map((promise) => (
          <div className="border-t-2 border-ink pt-4" key={promise}>
            <dt className="font-semibold">{t(`${promise}.title`)}</dt>
            <dd className="mt-2 text-sm text-muted">{t(`${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** For agent developers: a complete agent, and the command that connects it to this deployment. */
export function HomeDevelopers({ origin }: { origin: string }): ReactNode {
  const t = useTranslations('market.homeDevelopers');
  return (
    <section
      aria-labelledby="developers"
      className="page-x grid grid-cols-1 gap-x-14 gap-y-8 py-16 lg:grid-cols-[1fr_minmax(0,1.25fr)] lg:py-24"
    >
      <div>
        <h2 className="text-3xl font-semibold" id="developers">
          {t('title')}
        </h2>
        <p className="mt-4 max-w-[48ch] text-lg text-muted">{t('lead')}</p>
        <p className="mt-4 max-w-[48ch] text-muted">{t('token')}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <LinkButton href={routes.listAgent} size="lg" tone="primary">
            {t('list')}
          </LinkButton>
          <LinkButton href={routes.console} size="lg">
            {t('console')}
          </LinkButton>
        </div>
      </div>
      <div className="min-w-0 space-y-4">
        <CodeBlock code={firstAgentFile.code} label={firstAgentFile.name} />
        <CodeBlock code={firstAgentCommand(origin)} label={t('command')} wrap />
        <p className="text-sm text-muted">{t('commandNote')}</p>
      </div>
    </section>
  );
}
