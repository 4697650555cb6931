import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { AgentTabs } from '@/components/console/agent-tabs';
import { CallFilter } from '@/components/console/call-filter';
import { CallTable } from '@/components/console/call-table';
import { TrafficCharts } from '@/components/console/traffic-charts';
import { ExportLinks } from '@/components/payments/export-links';
import { PageHeader } from '@/components/shell/page-header';
import { agentLogPath, ownAgentPath, routes } from '@/components/shell/routes';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { Pagination } from '@/components/ui/pagination';
import { getStats, listCalls } from '@/lib/console';
import { callQuerySchema } from '@/lib/console/schema';

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: ListQuery;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('calls.titleOf', await params) };
}

export default async function AgentLogPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const path = agentLogPath(slug);
  const { filter, query, here, hrefOf } = readListQuery(path, callQuerySchema, await searchParams);
  const { ctx } = await signedIn(here);
  const call = { ctx, input: { ...filter, slug } };
  const [log, stats] = await orNotFound(Promise.all([listCalls(call), getStats(call)]));
  return (
    <>
      <PageHeader
        actions={
          log.total > 0 ? <ExportLinks api={`/api/agents/${slug}/calls`} formats={['csv']} query={query} /> : null
        }
        crumbs={[
          { href: routes.console, text: t('crumbs.agents') },
          { href: ownAgentPath(slug), text: slug },
        ]}
        lead={t('calls.lead')}
        title={t('calls.title')}
      />
      <AgentTabs slug={slug} />
      <div className="space-y-6">
        <CallFilter choices={log.choices} chosen={{ ...filter, cursor: undefined }} path={path} />
        {log.total > 0 ? <TrafficCharts stats={stats} /> : null}
        <p className="text-sm text-muted" role="status">
          {t('calls.sum', { total: log.total, failed: log.failed })}
        </p>
        {log.items.length > 0 ? (
          <CallTable calls={log.items} slug={slug} />
        ) : (
          <EmptyState
            action={query.size > 0 ? <LinkButton href={path}>{t('calls.showAll')}</LinkButton> : null}
            title={t(query.size > 0 ? 'calls.noMatch' : 'calls.empty')}
          >
            {t(query.size > 0 ? 'calls.noMatchHint' : 'calls.emptyHint')}
          </EmptyState>
        )}
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label={t('calls.pagination')}
          nextHref={log.nextCursor ? hrefOf(log.nextCursor) : null}
        />
      </div>
    </>
  );
}
