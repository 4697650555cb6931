import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { TabHeader } from '@/components/console/frame/agent-tabs';
import { AgentChecks } from '@/components/console/test/agent-checks';
import { TestConsole } from '@/components/console/test/test-console';
import { agentTestPath } from '@/components/routes';
import { Alert } from '@/components/ui/display/alert';
import { ConsoleSection } from '@/components/ui/display/card';
import { getAgentForMember } from '@/lib/catalog';

interface PageProps {
  params: Promise<{ slug: string }>;
  searchParams: Promise<{ replay?: string | string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('test.titleOf', await params) };
}

export default async function TestPage({ params, searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { slug } = await params;
  const given = (await searchParams).replay;
  const replay = typeof given === 'string' ? given : undefined;
  const { ctx } = await signedIn(agentTestPath(slug, replay));
  const agent = await getAgentForMember({ ctx, input: { slug } });
  if (!agent) notFound();
  const closed = agent.status === 'withdrawn' || agent.status === 'suspended' ? agent.status : null;
  return (
    <>
      <TabHeader lead={t('test.lead')} title={t(replay ? 'test.repeatTitle' : 'test.title')} />
      {closed || agent.role === 'viewer' ? (
        <Alert>{t(closed ? `test.${closed}` : 'test.viewer')}</Alert>
      ) : (
        <>
          <TestConsole key={replay} replay={replay ?? null} slug={slug} />
          {replay ? null : (
            <ConsoleSection id="checks" lead={t('test.checksLead')} title={t('test.checks')}>
              <AgentChecks slug={slug} />
            </ConsoleSection>
          )}
        </>
      )}
    </>
  );
}
