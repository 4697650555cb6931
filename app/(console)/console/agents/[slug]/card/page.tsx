import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentTabs } from '@/components/console/agent-tabs';
import { CardReview } from '@/components/console/card-review';
import { ConsoleSection } from '@/components/console/console-section';
import { HoldCards } from '@/components/console/hold-cards';
import { RefreshCard } from '@/components/console/refresh-card';
import { VersionList } from '@/components/console/version-list';
import { PageHeader } from '@/components/shell/page-header';
import { agentCardPath, ownAgentPath, routes } from '@/components/shell/routes';
import { Alert } from '@/components/ui/alert';
import { getManagedAgent, listVersions, reviewCard } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Card of ${(await params).slug}` };
}

export default async function CardPage({ params }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const { ctx } = await signedIn(agentCardPath(slug));
  const agent = await getManagedAgent({ ctx, input: { slug } });
  if (!agent) notFound();
  const header = (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: ownAgentPath(slug), text: slug },
        ]}
        lead="What your agent serves, what is listed of it, and what was new each time."
        title="Card"
      />
      <AgentTabs slug={slug} />
    </>
  );
  if (agent.status === 'withdrawn') {
    return (
      <>
        {header}
        <Alert>This agent is withdrawn. Bring it back to change its card.</Alert>
      </>
    );
  }
  const call = { ctx, input: { slug } };
  const [review, versions] = await Promise.all([reviewCard(call), listVersions(call)]);
  const mayChange = agent.role !== 'viewer';
  return (
    <>
      {header}
      {review ? <CardReview review={review} slug={slug} /> : null}
      {mayChange ? (
        <>
          <RefreshCard slug={slug} />
          <HoldCards holds={agent.holdsCards} slug={slug} />
        </>
      ) : null}
      <ConsoleSection id="versions" lead="The latest twenty, the newest first." title="Versions">
        <VersionList versions={versions} />
      </ConsoleSection>
    </>
  );
}
