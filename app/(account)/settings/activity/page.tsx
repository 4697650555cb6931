import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { codeOf } from '@/app/code-of';
import { signedIn } from '@/app/signed-in';
import { ActivityList } from '@/components/account/activity-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { Pagination } from '@/components/ui/pagination';
import { listActivity } from '@/lib/account';
import type { ActivityPage } from '@/lib/account/schema';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.activity');
  return { title: t('title') };
}

export default async function ActivitySettings({
  searchParams,
}: {
  searchParams: Promise<{ before?: string | string[] }>;
}): Promise<ReactNode> {
  const t = await getTranslations('account.pages.activity');
  const { ctx } = await signedIn(routes.activity);
  const { before } = await searchParams;
  const cursor = typeof before === 'string' ? before : null;
  const { items, nextCursor } = await readPage(ctx, cursor);
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

/** One page; the first one for an invalid cursor. */
async function readPage(
  ctx: Awaited<ReturnType<typeof signedIn>>['ctx'],
  cursor: string | null,
): Promise<ActivityPage> {
  try {
    return await listActivity({ ctx, input: { cursor } });
  } catch (error) {
    if (cursor && codeOf(error) === 'invalid_request') redirect(routes.activity);
    throw error;
  }
}
