import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { AgentStateList } from '@/components/console/agents/agent-state-list';
import { FigureTiles } from '@/components/console/frame/figure-tiles';
import { RangeSwitch } from '@/components/console/frame/range-switch';
import { ListSearch } from '@/components/forms/paged-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { ConsoleSection, EmptyState } from '@/components/ui/display/card';
import { getOverview, listAgentStates } from '@/lib/console';
import { agentListQuerySchema } from '@/lib/console/schema-agents';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('agents.metaTitle') };
}

export default async function ConsolePage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, query, here, hrefOf } = readListQuery(routes.console, agentListQuerySchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [overview, agents] = await Promise.all([
    getOverview({ ctx, input: { range: filter.range } }),
    listAgentStates({ ctx, input: filter }),
  ]);
  const actions = (
    <>
      <LinkButton href={routes.listAgent} tone="primary">
        {t('agents.list')}
      </LinkButton>
      <LinkButton href={routes.importAgents}>{t('agents.import')}</LinkButton>
    </>
  );
  if (agents.total === 0) {
    return (
      <>
        <PageHeader title={t('agents.title')} />
        <EmptyState action={actions} title={t('agents.empty')}>
          {t('agents.emptyHint')}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader actions={actions} lead={t('agents.compared', { range: overview.range })} title={t('agents.title')} />
      <div className="mb-4">
        <RangeSwitch chosen={overview.range} hrefOf={(range) => rangeHref(query, range)} />
      </div>
      <FigureTiles overview={overview} />
      <ConsoleSection id="agents" lead={t('agents.lead')} title={t('agents.yours', { count: agents.total })}>
        <div className="space-y-4">
          <ListSearch
            keep={{ range: filter.range }}
            label={t('agents.search')}
            path={routes.console}
            placeholder={t('agents.searchHint')}
            value={filter.q}
          />
          {filter.q ? (
            <p className="text-sm text-muted" role="status">
              {t('agents.matching', { count: agents.matching })}
            </p>
          ) : null}
          {agents.items.length > 0 ? (
            <AgentStateList states={agents.items} />
          ) : (
            <EmptyState level={3} title={t('agents.noMatch')}>
              {t('agents.noMatchHint')}
            </EmptyState>
          )}
          <Pagination
            firstHref={filter.cursor ? hrefOf(null) : null}
            label={t('agents.pagination')}
            nextHref={agents.nextCursor ? hrefOf(agents.nextCursor) : null}
          />
        </div>
      </ConsoleSection>
    </>
  );
}

function rangeHref(query: URLSearchParams, range: string): string {
  const next = new URLSearchParams(query);
  next.set('range', range);
  return `${routes.console}?${next}`;
}
