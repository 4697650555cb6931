import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentOverview } from '@/components/console/agent-overview';
import { AgentSettings } from '@/components/console/agent-settings';
import { CallList } from '@/components/console/call-list';
import { CardReview } from '@/components/console/card-review';
import { ConsoleSection } from '@/components/console/console-section';
import { CredentialSettings } from '@/components/console/credential-settings';
import { MerchantForm } from '@/components/console/merchant-form';
import { Ownership } from '@/components/console/ownership';
import { WithdrawAgent } from '@/components/console/withdraw-agent';
import { PageHeader } from '@/components/shell/page-header';
import { agentLogPath, agentPath, newChatPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { getOwnAgent } from '@/lib/console';
import { getMerchant } from '@/lib/payments';
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
  const { agent, failures, failing, review, credential, ownership } = found;
  const apps = (await listApps({ ctx })).map(({ id, name }) => ({ id, name }));
  const listed = agent.status !== 'withdrawn';
  const merchant = listed ? await getMerchant({ ctx, input: { slug } }) : null;
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
      <AgentOverview agent={agent} failing={failing} />
      {review ? (
        <ConsoleSection id="card" lead="Your agent serves another card than the listed one." title="New card">
          <CardReview review={review} slug={slug} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="failures" lead="The latest, newest first." title="Failed calls">
        <CallList
          calls={failures}
          empty="No call to this agent has failed. When one does, it stands here with the reason."
        />
        <LinkButton className="mt-4" href={agentLogPath(slug, false)} size="sm">
          See all calls
        </LinkButton>
      </ConsoleSection>
      {listed ? (
        <>
          <ConsoleSection id="listing" title="Listing">
            <AgentSettings agent={agent} apps={apps} />
          </ConsoleSection>
          {ownership ? (
            <ConsoleSection id="ownership" title="Verified owner">
              <Ownership ownership={ownership} slug={slug} />
            </ConsoleSection>
          ) : null}
          <ConsoleSection
            id="credential"
            lead="Parley’s own token always says who is calling. If your agent also wants a credential of its own, store it here: it is kept encrypted and sent with each call."
            title="Credential for calls"
          >
            <CredentialSettings credential={credential} slug={slug} />
          </ConsoleSection>
          {merchant ? (
            <ConsoleSection
              id="selling"
              lead="People pay the carts of your agent when they are signed. Say here whose signature counts."
              title="Selling"
            >
              <MerchantForm key={merchant.signing} merchant={merchant} slug={slug} />
            </ConsoleSection>
          ) : null}
          <ConsoleSection id="withdraw" lead="Take it off Parley. You can list it again later." title="Withdraw">
            <WithdrawAgent name={agent.name} slug={slug} />
          </ConsoleSection>
        </>
      ) : null}
    </>
  );
}
