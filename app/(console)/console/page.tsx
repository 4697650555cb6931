import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { AgentStateList } from '@/components/console/agents/agent-state-list';
import { LatestCalls, NextSteps } from '@/components/console/agents/first-calls';
import { FigureTiles } from '@/components/console/frame/figure-tiles';
import { RangeSwitch } from '@/components/console/frame/range-switch';
import { ListSearch } from '@/components/forms/paged-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { ConsoleSection, EmptyState } from '@/components/ui/display/card';
import { getOverview, getPublishingChecklist, listAgentStates, listLatestCalls } from '@/lib/console';
import type { AgentCallView } from '@/lib/console/schema';
import { type AgentState, agentListQuerySchema, type Overview } from '@/lib/console/schema-agents';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('agents.metaTitle') };
}

export default async function ConsolePage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, query, here, hrefOf } = readListQuery(routes.console, agentListQuerySchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [overview, agents, calls] = await fromReplica(() =>
    Promise.all([
      getOverview({ ctx, input: { range: filter.range } }),
      listAgentStates({ ctx, input: filter }),
      listLatestCalls({ ctx }),
    ]),
  );
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
      <PageHeader
        actions={actions}
        lead={hasFigures(overview) ? t('agents.compared', { range: overview.range }) : null}
        title={t('agents.title')}
      />
      {hasFigures(overview) || filter.range ? (
        <div className="mb-4">
          <RangeSwitch chosen={overview.range} hrefOf={(range) => rangeHref(query, range)} />
        </div>
      ) : null}
      {hasFigures(overview) ? <FigureTiles overview={overview} /> : null}
      <Start calls={calls} ctx={ctx} overview={overview} states={agents.items} />
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

/** Number of calls up to which the overview shows the next steps. */
const newUpTo = 20;

interface StartProps {
  ctx: Awaited<ReturnType<typeof signedIn>>['ctx'];
  overview: Overview;
  states: AgentState[];
  calls: AgentCallView[];
}

/** The latest calls and, while there are few, the next steps with the first agent of the page. */
async function Start({ ctx, overview, states, calls }: StartProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages.agents');
  const first = states.find(({ agent }) => agent.status === 'active');
  const isNew = overview.current.calls <= newUpTo && first !== undefined;
  const checklist = isNew ? await getPublishingChecklist({ ctx, input: { slug: first.agent.slug } }) : null;
  return (
    <>
      {calls.length > 0 ? (
        <ConsoleSection id="latest" lead={t('latestLead')} title={t('latest')}>
          <LatestCalls calls={calls} />
        </ConsoleSection>
      ) : null}
      {checklist && first ? (
        <ConsoleSection id="next" title={t('next')}>
          <NextSteps checklist={checklist} state={first} />
        </ConsoleSection>
      ) : null}
    </>
  );
}

/** Returns true if a figure of the period or the one before is not empty. */
function hasFigures({ current, previous, sales }: Overview): boolean {
  const sold = [...(sales?.current ?? []), ...(sales?.previous ?? [])];
  return current.calls + previous.calls + sold.length > 0;
}

function rangeHref(query: URLSearchParams, range: string): string {
  const next = new URLSearchParams(query);
  next.set('range', range);
  return `${routes.console}?${next}`;
}
