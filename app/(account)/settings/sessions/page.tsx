import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { SessionList } from '@/components/account/session-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listSessions } from '@/lib/identity';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.sessions);
  return (
    <>
      <PageHeader lead="The browsers in which you are signed in. End one that you do not know." title="Sessions" />
      <SessionList sessions={await listSessions({ ctx })} />
    </>
  );
}
