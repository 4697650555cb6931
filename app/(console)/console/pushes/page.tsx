import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { UndeliveredList } from '@/components/console/undelivered-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listUndeliveredPushes } from '@/lib/console';

export const metadata: Metadata = { title: 'Undelivered pushes' };

export default async function PushesPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.pushes);
  return (
    <>
      <PageHeader
        lead="Updates of your tasks that their receiver did not take. What a task says is never lost: get the task instead."
        title="Undelivered pushes"
      />
      <UndeliveredList pushes={await listUndeliveredPushes({ ctx })} />
    </>
  );
}
