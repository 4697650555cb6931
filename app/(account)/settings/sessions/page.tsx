import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { SessionList } from '@/components/account/access/session-list';
import { TokenList } from '@/components/account/access/token-list';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listSessions } from '@/lib/identity';
import { listAccessTokens } from '@/lib/tokens';
import type { PageQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.sessions');
  return { title: t('title') };
}

export default async function SessionsPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.sessions');
  const { ctx } = await signedIn(routes.sessions);
  const devices = (await listAccessTokens({ ctx })).filter(({ kind }) => kind === 'device');
  const sessions = await listSessions({ ctx });
  const list = pageOfList(routes.sessions, sessions, {
    query: await searchParams,
    textOf: ({ device, address }) => `${device} ${address}`,
  });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <SearchableList label={t('search')} list={list}>
        <SessionList devices={devices.length} sessions={list.shown} total={sessions.length} />
      </SearchableList>
      {devices.length > 0 ? (
        <section aria-labelledby="devices" className="mt-10">
          <h2 className="mb-4 text-xl font-semibold" id="devices">
            {t('devices')}
          </h2>
          <TokenList tokens={devices} />
        </section>
      ) : null}
    </>
  );
}
