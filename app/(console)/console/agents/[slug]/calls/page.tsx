import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { CallList } from '@/components/console/call-list';
import { PageHeader } from '@/components/shell/page-header';
import { agentLogPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { getAgentLog } from '@/lib/console';

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<{ show?: string | string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Calls of ${(await params).slug}` };
}

export default async function AgentLogPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const failed = (await searchParams).show === 'failed';
  const { ctx } = await signedIn(agentLogPath(slug, failed));
  const found = await getAgentLog({ ctx, input: { slug, failed } });
  if (!found) notFound();
  return (
    <>
      <PageHeader
        actions={
          <LinkButton href={agentLogPath(slug, !failed)}>
            {failed ? 'Show all calls' : 'Show failed calls alone'}
          </LinkButton>
        }
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: ownAgentPath(slug), text: found.agent.name },
        ]}
        lead="The latest hundred of each kind of the last week. Secrets are masked."
        title={failed ? 'Failed calls' : 'Calls'}
      />
      <CallList
        calls={found.calls}
        empty={failed ? 'No call to this agent has failed.' : 'Nobody has called this agent yet.'}
      />
    </>
  );
}
