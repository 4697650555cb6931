import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { GrantList } from '@/components/account/grant-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listGrants } from '@/lib/tokens';

export const metadata: Metadata = { title: 'Connected agents' };

export default async function ConnectedAgentsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.connectedAgents);
  return (
    <>
      <PageHeader
        lead="The agents that you have used. Each sees what you write to it and an id of you; what more it may see and do, you say here."
        title="Connected agents"
      />
      <GrantList grants={await listGrants({ ctx })} />
    </>
  );
}
