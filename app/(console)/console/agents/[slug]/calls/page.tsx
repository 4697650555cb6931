import type { Metadata } from 'next';
import { getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { CallFilter, CallFilterChips, CallPresets, callLogHref } from '@/components/console/calls/call-filter';
import { CallTable } from '@/components/console/calls/call-table';
import { TrafficCharts } from '@/components/console/calls/traffic-charts';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { ExportLinks } from '@/components/forms/filter-form';
import { ListSearch } from '@/components/forms/paged-list';
import { agentLogPath } from '@/components/routes';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { Alert } from '@/components/ui/display/alert';
import { EmptyState } from '@/components/ui/display/card';
import { getRetention } from '@/lib/account';
import { getStats, listCalls } from '@/lib/console';
import { type CallQuery, callQuerySchema } from '@/lib/console/schema';

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
  const zone = filter.zone ?? (filter.from || filter.to ? 'UTC' : await getTimeZone());
  const call = { ctx, input: { ...filter, zone, slug } };
  const [log, stats] = await orNotFound(fromReplica(() => Promise.all([listCalls(call), getStats(call)])));
  return (
    <>
      <TabHeader
        actions={
          log.total > 0 ? <ExportLinks api={`/api/agents/${slug}/calls`} formats={['csv']} query={query} /> : null
        }
        lead={t('calls.lead', { days: getRetention().calls ?? 0 })}
        title={t('calls.title')}
      />
      <div className="space-y-6">
        <div className="space-y-3">
          <div className="flex flex-wrap items-start justify-between gap-3">
            <CallPresets chosen={filter} path={path} />
            <ListSearch
              keep={keepOf(filter)}
              label={t('calls.search')}
              path={path}
              placeholder={t('calls.searchHint')}
              value={filter.q}
            />
          </div>
          <CallFilter choices={log.choices} chosen={{ ...filter, zone, cursor: undefined }} path={path} />
          <CallFilterChips chosen={filter} path={path} />
        </div>
        {log.total > 0 ? (
          <TrafficCharts failedHref={callLogHref(path, { ...filter, status: 'failed' })} stats={stats} />
        ) : null}
        <p className="text-sm text-muted" role="status">
          {t('calls.sum', { total: log.total, failed: log.failed })}
        </p>
        {log.missing > 0 ? (
          <Alert title={t('calls.sampled')} tone="info">
            {t('calls.sampledText', { missing: log.missing })}
          </Alert>
        ) : null}
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

/** Returns the filter without the search and the page. */
function keepOf({ q: _, cursor: __, limit: ___, ...rest }: CallQuery): Record<string, string | undefined> {
  return rest;
}
