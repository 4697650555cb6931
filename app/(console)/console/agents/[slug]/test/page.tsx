import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentTabs } from '@/components/console/agent-tabs';
import { TestConsole } from '@/components/console/test-console';
import { PageHeader } from '@/components/shell/page-header';
import { agentTestPath, ownAgentPath, routes } from '@/components/shell/routes';
import { Alert } from '@/components/ui/alert';
import { getManagedAgent } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<{ replay?: string | string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Test ${(await params).slug}` };
}

export default async function TestPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const given = (await searchParams).replay;
  const replay = typeof given === 'string' ? given : undefined;
  const { ctx } = await signedIn(agentTestPath(slug, replay));
  const agent = await getManagedAgent({ ctx, input: { slug } });
  if (!agent) notFound();
  const closed = agent.status === 'withdrawn' || agent.status === 'suspended';
  return (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: ownAgentPath(slug), text: slug },
        ]}
        lead="One message over the same path as everybody’s: a token from Parley, the gateway, your agent, and what it was told about the caller."
        title={replay ? 'Repeat a call' : 'Test'}
      />
      <AgentTabs slug={slug} />
      {closed || agent.role === 'viewer' ? (
        <Alert>
          {closed
            ? `This agent is ${agent.status}: nobody can call it.`
            : 'Viewers of a team cannot call from the console.'}
        </Alert>
      ) : (
        <TestConsole key={replay} replay={replay ?? null} slug={slug} />
      )}
    </>
  );
}
