import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentStateNotes } from '@/components/console/agents/agent-overview';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { ManageAgent } from '@/components/console/settings/manage-agent';
import { agentSettingsPath } from '@/components/routes';
import { Alert } from '@/components/ui/display/alert';
import { countGuestMessages } from '@/lib/chat';
import { getAgentConsole } from '@/lib/console';
import { getMerchant, listFees } from '@/lib/payments';
import { listApps } from '@/lib/tokens';

interface PageProps {
  params: Promise<{ slug: string }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('settings.titleOf', await params) };
}

export default async function AgentSettingsPage({ params }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const { ctx } = await signedIn(agentSettingsPath(slug));
  const call = { ctx, input: { slug } };
  const found = await getAgentConsole(call);
  if (!found) notFound();
  const { agent } = found;
  const header = <TabHeader lead={t('settings.lead')} title={t('settings.title')} />;
  if (agent.status === 'withdrawn') {
    return (
      <>
        {header}
        <AgentStateNotes agent={agent} failing={null} />
      </>
    );
  }
  if (agent.role === 'viewer') {
    return (
      <>
        {header}
        <Alert>{t('settings.viewer')}</Alert>
      </>
    );
  }
  const [apps, merchant, guestMessages, fees] = await Promise.all([
    listApps({ ctx }),
    agent.role === 'owner' ? getMerchant(call) : null,
    countGuestMessages(call),
    listFees({ ctx }),
  ]);
  return (
    <>
      {header}
      <ManageAgent
        apps={apps.map(({ id, name }) => ({ id, name }))}
        fees={fees}
        found={found}
        guestMessages={guestMessages}
        merchant={merchant}
      />
    </>
  );
}
