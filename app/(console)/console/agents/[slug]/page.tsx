import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentOverview } from '@/components/console/agent-overview';
import { AgentTabs } from '@/components/console/agent-tabs';
import { CallList } from '@/components/console/call-list';
import { CardReview } from '@/components/console/card-review';
import { ConsoleSection } from '@/components/console/console-section';
import { ManageAgent } from '@/components/console/manage-agent';
import { ProbeLog } from '@/components/console/probe-log';
import { PublishChecklist } from '@/components/console/publish-checklist';
import { PageHeader } from '@/components/shell/page-header';
import { agentLogPath, agentPath, newChatPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { checkPublishing, getOwnAgent } from '@/lib/console';
import { getMerchant } from '@/lib/payments';
import { listProbes } from '@/lib/probes';
import { listApps } from '@/lib/tokens';

/** Failed checks on this page. */
const shownProbes = 5;

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `${(await params).slug} in your console` };
}

export default async function OwnAgentPage({ params }: PageProps): Promise<ReactNode> {
  const { slug } = await params;
  const { ctx } = await signedIn(ownAgentPath(slug));
  const call = { ctx, input: { slug } };
  const found = await getOwnAgent(call);
  if (!found) notFound();
  const { agent, failures, failing, review } = found;
  const listed = agent.status !== 'withdrawn';
  const [apps, checklist, probes, merchant] = await Promise.all([
    listApps({ ctx }),
    checkPublishing(call),
    listed ? listProbes({ ctx, input: { slug, failed: true, limit: shownProbes } }) : [],
    listed && agent.role === 'owner' ? getMerchant(call) : null,
  ]);
  return (
    <>
      <PageHeader
        actions={
          listed ? (
            <>
              <LinkButton href={agentPath(slug)}>See its page</LinkButton>
              <LinkButton href={newChatPath(slug)}>Try it</LinkButton>
            </>
          ) : null
        }
        crumbs={[{ href: routes.console, text: 'Your agents' }]}
        title={<bdi>{agent.name}</bdi>}
      />
      <AgentTabs slug={slug} />
      <AgentOverview agent={agent} failing={failing} />
      {review ? (
        <ConsoleSection id="card" lead="Your agent serves another card than the listed one." title="New card">
          <CardReview review={review} slug={slug} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="checklist" title="Publish checklist">
        <PublishChecklist checklist={checklist} slug={slug} />
      </ConsoleSection>
      <ConsoleSection id="failures" lead="The latest, newest first." title="Failed calls">
        <CallList
          calls={failures}
          empty="No call to this agent has failed. When one does, it stands here with the reason."
        />
        <LinkButton className="mt-4" href={agentLogPath(slug)} size="sm">
          See all calls
        </LinkButton>
      </ConsoleSection>
      {listed ? (
        <ConsoleSection
          id="probes"
          lead="What people see of its health comes from these. A failed one shows what went over the wire."
          title="Checks by Parley"
        >
          <ProbeLog probes={probes} />
        </ConsoleSection>
      ) : null}
      {listed && agent.role !== 'viewer' ? (
        <ManageAgent apps={apps.map(({ id, name }) => ({ id, name }))} found={found} merchant={merchant} />
      ) : null}
    </>
  );
}
