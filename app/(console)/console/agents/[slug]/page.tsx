import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { AgentOverview, AgentStateNotes, PublishChecklist } from '@/components/console/agents/agent-overview';
import { ConnectAgent } from '@/components/console/agents/connect-agent';
import { CallList, ProbeLog } from '@/components/console/calls/call-list';
import { CardReview } from '@/components/console/card/card-review';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { FigureTiles } from '@/components/console/frame/figure-tiles';
import { RangeSwitch } from '@/components/console/frame/range-switch';
import { agentLogPath, ownAgentPath } from '@/components/routes';
import { LinkButton } from '@/components/ui/controls/button';
import { ConsoleSection } from '@/components/ui/display/card';
import { getAgentConsole, getOverview, getPublishingChecklist } from '@/lib/console';
import { overviewQuerySchema } from '@/lib/console/schema-agents';
import { getPresence } from '@/lib/hub';
import { siteOrigin } from '@/lib/pages/site';
import { listProbes } from '@/lib/probes';

/** Maximum failed checks on this page. */
const SHOWN_PROBES = 5;

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: ListQuery;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('agent.titleOf', await params) };
}

export default async function OwnAgentPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const path = ownAgentPath(slug);
  const { filter, here } = readListQuery(path, overviewQuerySchema.pick({ range: true }), await searchParams);
  const { ctx } = await signedIn(here);
  const call = { ctx, input: { slug } };
  const found = await getAgentConsole(call);
  if (!found) notFound();
  const { agent, failures, failing, review } = found;
  const listed = agent.status !== 'withdrawn';
  const [overview, checklist, probes, presence] = await Promise.all([
    fromReplica(() => getOverview({ ctx, input: { range: filter.range, agent: slug } })),
    getPublishingChecklist(call),
    listed ? listProbes({ ctx, input: { slug, failed: true, limit: SHOWN_PROBES } }) : [],
    listed ? getPresence(call) : null,
  ]);
  return (
    <>
      <AgentStateNotes agent={agent} failing={failing} />
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
      {review ? (
        <div className="mb-12">
          <ConsoleSection id="card" lead={t('agent.newCardLead')} title={t('agent.newCard')}>
            <CardReview review={review} slug={slug} />
          </ConsoleSection>
        </div>
      ) : null}
      <TabHeader
        actions={<RangeSwitch chosen={overview.range} hrefOf={(range) => `${path}?range=${range}`} />}
        lead={t('agents.compared', { range: overview.range })}
        title={t('agent.figures')}
      />
      <FigureTiles overview={overview} />
      <ConsoleSection id="checklist" title={t('agent.checklist')}>
        <PublishChecklist agent={agent} checklist={checklist} />
      </ConsoleSection>
      <ConsoleSection id="failures" lead={t('agent.failuresLead')} title={t('agent.failures')}>
        <CallList calls={failures} empty={t('agent.noFailures')} slug={slug} />
        <LinkButton className="mt-4" href={agentLogPath(slug)} size="sm">
          {t('agent.seeCalls')}
        </LinkButton>
      </ConsoleSection>
      {listed ? (
        <ConsoleSection id="probes" lead={t('agent.probesLead')} title={t('agent.probes')}>
          <ProbeLog probes={probes} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="facts" title={t('agent.facts')}>
        <AgentOverview agent={agent} />
      </ConsoleSection>
    </>
  );
}
