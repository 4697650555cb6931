import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ActivityList } from '@/components/account/activity-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { Pagination } from '@/components/ui/pagination';
import { listActivity } from '@/lib/account';

export const metadata: Metadata = { title: 'Activity' };

export default async function ActivityPage({
  searchParams,
}: {
  searchParams: Promise<{ before?: string | string[] }>;
}): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.activity);
  const { before } = await searchParams;
  // What nobody was given is the first page.
  const cursor = typeof before === 'string' && /^[1-9]\d{0,14}$/.test(before) ? before : null;
  const { items, nextCursor } = await listActivity({ ctx, input: { cursor } });
  return (
    <>
      <PageHeader
        lead="What happened to your account, newest first. The log behind it can only grow: nobody can change or remove an entry unseen."
        title="Activity"
      />
      <div className="space-y-6">
        <ActivityList entries={items} />
        <Pagination
          firstHref={cursor ? routes.activity : null}
          label="Pages of your activity"
          nextHref={nextCursor ? `${routes.activity}?before=${nextCursor}` : null}
        />
      </div>
    </>
  );
}
