import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ActivityList } from '@/components/account/activity-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { Pagination } from '@/components/ui/pagination';
import { listActivity } from '@/lib/account';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.activity');
  return { title: t('title') };
}

export default async function ActivityPage({
  searchParams,
}: {
  searchParams: Promise<{ before?: string | string[] }>;
}): Promise<ReactNode> {
  const t = await getTranslations('account.pages.activity');
  const { ctx } = await signedIn(routes.activity);
  const { before } = await searchParams;
  // An invalid cursor returns the first page.
  const cursor = typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? before : null;
  const { items, nextCursor } = await listActivity({ ctx, input: { cursor } });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <div className="space-y-6">
        <ActivityList entries={items} />
        <Pagination
          firstHref={cursor ? routes.activity : null}
          label={t('pagination')}
          nextHref={nextCursor ? `${routes.activity}?before=${nextCursor}` : null}
        />
      </div>
    </>
  );
}
