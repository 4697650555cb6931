import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentOverview } from '@/components/console/agent-overview';
import { AgentTabs } from '@/components/console/agent-tabs';
import { CallList } from '@/components/console/call-list';
import { CardReview } from '@/components/console/card-review';
import { ConnectAgent } from '@/components/console/connect-agent';
import { ConsoleSection } from '@/components/console/console-section';
import { ManageAgent } from '@/components/console/manage-agent';
import { ProbeLog } from '@/components/console/probe-log';
import { PublishChecklist } from '@/components/console/publish-checklist';
import { PageHeader } from '@/components/shell/page-header';
import { agentLogPath, agentPath, newChatPath, ownAgentPath, routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { getAgentConsole, getPublishingChecklist } from '@/lib/console';
import { siteOrigin } from '@/lib/http/guard/middleware-helpers';
import { getPresence } from '@/lib/hub';
import { getMerchant } from '@/lib/payments';
import { listProbes } from '@/lib/probes';
import { listApps } from '@/lib/tokens';

/** The maximum number of failed checks on this page. */
const SHOWN_PROBES = 5;

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('agent.titleOf', await params) };
}

export default async function OwnAgentPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const { ctx } = await signedIn(ownAgentPath(slug));
  const call = { ctx, input: { slug } };
  const found = await getAgentConsole(call);
  if (!found) notFound();
  const { agent, failures, failing, review } = found;
  const listed = agent.status !== 'withdrawn';
  const [apps, checklist, probes, merchant, presence] = await Promise.all([
    listApps({ ctx }),
    getPublishingChecklist(call),
    listed ? listProbes({ ctx, input: { slug, failed: true, limit: SHOWN_PROBES } }) : [],
    listed && agent.role === 'owner' ? getMerchant(call) : null,
    listed ? getPresence(call) : null,
  ]);
  return (
    <>
      <PageHeader
        actions={
          listed ? (
            <>
              <LinkButton href={agentPath(slug)}>{t('agent.seePage')}</LinkButton>
              <LinkButton href={newChatPath(slug)}>{t('agent.try')}</LinkButton>
            </>
          ) : null
        }
        crumbs={[{ href: routes.console, text: t('crumbs.agents') }]}
        title={<bdi>{agent.name}</bdi>}
      />
      <AgentTabs slug={slug} />
      {presence ? (
        <section aria-labelledby="connect-title" className="mb-8" id="connect">
          <h2 className="sr-only" id="connect-title">
            {t('agent.connect')}
          </h2>
          <ConnectAgent
            command={`npx ${siteOrigin()}/packages/parley.tgz --api-url ${siteOrigin()} serve ./agent.ts --agent ${slug}`}
            presence={presence}
            slug={slug}
          />
        </section>
      ) : null}
      <AgentOverview agent={agent} failing={failing} />
      {review ? (
        <ConsoleSection id="card" lead={t('agent.newCardLead')} title={t('agent.newCard')}>
          <CardReview review={review} slug={slug} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="checklist" title={t('agent.checklist')}>
        <PublishChecklist agent={agent} checklist={checklist} />
      </ConsoleSection>
      <ConsoleSection id="failures" lead={t('agent.failuresLead')} title={t('agent.failures')}>
        <CallList calls={failures} empty={t('agent.noFailures')} />
        <LinkButton className="mt-4" href={agentLogPath(slug)} size="sm">
          {t('agent.seeCalls')}
        </LinkButton>
      </ConsoleSection>
      {listed ? (
        <ConsoleSection id="probes" lead={t('agent.probesLead')} title={t('agent.probes')}>
          <ProbeLog probes={probes} />
        </ConsoleSection>
      ) : null}
      {listed && agent.role !== 'viewer' ? (
        <ManageAgent apps={apps.map(({ id, name }) => ({ id, name }))} found={found} merchant={merchant} />
      ) : null}
    </>
  );
}
