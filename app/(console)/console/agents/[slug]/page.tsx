import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentSettings } from '@/components/console/agent-settings';
import { FailureTable } from '@/components/console/failure-table';
import { PageHeader } from '@/components/shell/page-header';
import { agentPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { getOwnAgent } from '@/lib/console';
import { listApps } from '@/lib/tokens';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `${(await params).slug} in your console` };
}

export default async function OwnAgentPage({ params }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const { ctx } = await signedIn(ownAgentPath(slug));
  const found = await getOwnAgent({ ctx, input: { slug } });
  if (!found) notFound();
  const apps = (await listApps({ ctx })).map(({ id, name }) => ({ id, name }));
  return (
    <>
      <PageHeader
        actions={<LinkButton href={agentPath(slug)}>See its page</LinkButton>}
        crumbs={[{ href: routes.console, text: 'Your agents' }]}
        title={<bdi>{found.agent.name}</bdi>}
      />
      <AgentSettings agent={found.agent} apps={apps} />
      <FailureTable failures={found.failures} />
    </>
  );
}
