import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { GrantList } from '@/components/account/grant-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listGrants } from '@/lib/tokens';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.connectedAgents');
  return { title: t('title') };
}

export default async function ConnectedAgentsPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.connectedAgents');
  const { ctx } = await signedIn(routes.connectedAgents);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <GrantList grants={await listGrants({ ctx })} />
    </>
  );
}
