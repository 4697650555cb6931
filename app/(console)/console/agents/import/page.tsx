import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ImportAgents } from '@/components/console/import/import-agents';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('importAgents.title') };
}

export default async function ImportAgentsPage(): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  await signedIn(routes.importAgents);
  return (
    <>
      <PageHeader
        crumbs={[{ href: routes.console, text: t('crumbs.agents') }]}
        lead={t('importAgents.lead')}
        title={t('importAgents.title')}
      />
      <ImportAgents />
    </>
  );
}
