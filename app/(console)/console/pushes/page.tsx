import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { listPageSchema, pageOfList } from '@/app/list-page';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { RecoverPushes } from '@/components/console/calls/push-actions';
import { FailingPushes, UndeliveredList } from '@/components/console/calls/push-lists';
import { PagedList } from '@/components/forms/paged-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { ConsoleSection } from '@/components/ui/display/card';
import { getPushOverview } from '@/lib/console';

/** Maximum failed deliveries on a page. */
const PAGE_SIZE = 20;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('pushes.title') };
}

export default async function PushesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, here } = readListQuery(routes.pushes, listPageSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { failing, undelivered } = await getPushOverview({ ctx, isComplete: true });
  const page = pageOfList(undelivered, {
    path: routes.pushes,
    filter,
    size: PAGE_SIZE,
    textOf: ({ id, url, taskId, reason, answer }) => [id, url, taskId, reason, answer].join(' '),
  });
  return (
    <>
      <PageHeader lead={t('pushes.lead')} title={t('pushes.title')} />
      {failing.length > 0 ? <FailingPushes receivers={failing} /> : null}
      <ConsoleSection id="undelivered" title={t('pushes.undelivered')}>
        {undelivered.length > 0 ? <RecoverPushes /> : null}
        <PagedList
          label={t('pushes.search')}
          page={page}
          path={routes.pushes}
          placeholder={t('pushes.searchHint')}
          q={filter.q}
          searchFrom={PAGE_SIZE / 2}
        >
          <UndeliveredList pushes={page.items} />
        </PagedList>
      </ConsoleSection>
    </>
  );
}
