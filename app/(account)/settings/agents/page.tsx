import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { GrantList } from '@/components/account/access/grant-list';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listGrants } from '@/lib/tokens';
import type { PageQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.connectedAgents');
  return { title: t('title') };
}

export default async function ConnectedAgentsPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.connectedAgents');
  const { ctx } = await signedIn(routes.connectedAgents);
  const list = pageOfList(routes.connectedAgents, await listGrants({ ctx }), {
    query: await searchParams,
    textOf: ({ agent }) => `${agent.name} ${agent.slug}`,
  });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <SearchableList label={t('search')} list={list}>
        <GrantList grants={list.shown} />
      </SearchableList>
    </>
  );
}
