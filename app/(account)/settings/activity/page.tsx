import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ActivityFilter, ActivityList } from '@/components/account/settings/activity-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Pagination } from '@/components/ui/controls/pagination';
import { listActivity } from '@/lib/account';
import { type ActivityPage, type ActivityTopic, activityTopics } from '@/lib/account/schema';
import { hasCode } from '@/lib/pages/site';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.activity');
  return { title: t('title') };
}

export default async function ActivitySettings({
  searchParams,
}: {
  searchParams: Promise<{ before?: string | string[]; topic?: string | string[] }>;
}): Promise<ReactNode> {
  const t = await getTranslations('account.pages.activity');
  const { ctx } = await signedIn(routes.activity);
  const { before, topic: asked } = await searchParams;
  const topic = activityTopics.find((one) => one === asked);
  const cursor = typeof before === 'string' ? before : null;
  const { items, nextCursor } = await readPage(ctx, { cursor, topic });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <div className="space-y-6">
        <ActivityFilter topic={topic} />
        <ActivityList entries={items} isFiltered={topic !== undefined} />
        <Pagination
          firstHref={cursor ? hrefOf(topic) : null}
          label={t('pagination')}
          nextHref={nextCursor ? hrefOf(topic, nextCursor) : null}
        />
      </div>
    </>
  );
}

function hrefOf(topic: ActivityTopic | undefined, before?: string): string {
  const query = new URLSearchParams({ ...(topic ? { topic } : {}), ...(before ? { before } : {}) });
  return query.size > 0 ? `${routes.activity}?${query}` : routes.activity;
}

/** Reads one page, which is the first one for an invalid cursor. */
async function readPage(
  ctx: Awaited<ReturnType<typeof signedIn>>['ctx'],
  { cursor, topic }: { cursor: string | null; topic: ActivityTopic | undefined },
): Promise<ActivityPage> {
  try {
    return await listActivity({ ctx, input: { cursor, topic } });
  } catch (error) {
    if (cursor && hasCode(error, 'invalid_request')) redirect(hrefOf(topic));
    throw error;
  }
}
