import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentStateList } from '@/components/console/agent-state-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { listAgentStates } from '@/lib/console';

export const metadata: Metadata = { title: 'Your agents' };

export default async function AgentsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.console);
  const states = await listAgentStates({ ctx });
  return (
    <>
      <PageHeader
        actions={
          states.length > 0 ? (
            <LinkButton href={routes.listAgent} tone="primary">
              List an agent
            </LinkButton>
          ) : null
        }
        lead="What you have listed, how it stands, and what went wrong last."
        title="Your agents"
      />
      <AgentStateList states={states} />
    </>
  );
}
