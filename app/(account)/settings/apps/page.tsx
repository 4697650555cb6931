import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ConnectionList } from '@/components/account/access/connection-list';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listConnections } from '@/lib/tokens';
import type { PageQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.connectedApps');
  return { title: t('title') };
}

export default async function ConnectedAppsPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.connectedApps');
  const { ctx } = await signedIn(routes.connectedApps);
  const list = pageOfList(routes.connectedApps, await listConnections({ ctx }), {
    query: await searchParams,
    textOf: ({ clientName, clientHost, resourceName }) => `${clientName} ${clientHost ?? ''} ${resourceName}`,
  });
  return (
    <>
      <PageHeader
        lead={t.rich('lead', {
          link: (chunks) => (
            <Link className="text-link" href={routes.connectDocs}>
              {chunks}
            </Link>
          ),
        })}
        title={t('title')}
      />
      <SearchableList label={t('search')} list={list}>
        <ConnectionList connections={list.shown} />
      </SearchableList>
    </>
  );
}
