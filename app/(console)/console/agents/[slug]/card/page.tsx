import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { CardReview } from '@/components/console/card/card-review';
import { FaultList } from '@/components/console/card/fault-list';
import { RefreshCard } from '@/components/console/card/refresh-card';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { CardHistory } from '@/components/market/listing/card-history';
import { agentCardPath } from '@/components/routes';
import { Alert } from '@/components/ui/display/alert';
import { ConsoleSection } from '@/components/ui/display/card';
import { getAgent, getAgentForMember, getPendingCard, listCardVersions } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('card.titleOf', await params) };
}

export default async function CardPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const { ctx } = await signedIn(agentCardPath(slug));
  const agent = await getAgentForMember({ ctx, input: { slug } });
  if (!agent) notFound();
  const header = (
    <>
      <TabHeader lead={t('card.lead')} title={t('card.title')} />
    </>
  );
  if (agent.status === 'withdrawn') {
    return (
      <>
        {header}
        <Alert>{t('card.withdrawn')}</Alert>
      </>
    );
  }
  const call = { ctx, input: { slug } };
  const [review, versions, { warnings = [] }] = await Promise.all([
    getPendingCard(call),
    listCardVersions(call),
    getAgent(call),
  ]);
  const mayChange = agent.role !== 'viewer';
  return (
    <>
      {header}
      {review ? <CardReview review={review} slug={slug} /> : null}
      <FaultList faults={warnings.map((warning) => ({ ...warning, edits: null }))} kind="warning" />
      {mayChange && agent.connection === 'hub' ? <Alert>{t('card.connects')}</Alert> : null}
      {mayChange && agent.connection !== 'hub' ? <RefreshCard slug={slug} /> : null}
      <ConsoleSection id="versions" lead={t('card.versionsLead')} title={t('card.versions')}>
        <CardHistory versions={versions} />
      </ConsoleSection>
    </>
  );
}
