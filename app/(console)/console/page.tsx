import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AgentStateList } from '@/components/console/agent-state-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { LinkButton } from '@/components/ui/link-button';
import { listAgentStates } from '@/lib/console';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('agents.title') };
}

export default async function AgentsPage(): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { ctx } = await signedIn(routes.console);
  const states = await listAgentStates({ ctx });
  return (
    <>
      <PageHeader
        actions={
          states.length > 0 ? (
            <>
              <LinkButton href={routes.importAgents}>{t('agents.import')}</LinkButton>
              <LinkButton href={routes.listAgent} tone="primary">
                {t('agents.list')}
              </LinkButton>
            </>
          ) : null
        }
        lead={t('agents.lead')}
        title={t('agents.title')}
      />
      <AgentStateList states={states} />
    </>
  );
}
