import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ReceiverList } from '@/components/account/access/receiver-list';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listPushReceivers } from '@/lib/tasks';
import type { PageQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.pushReceivers');
  return { title: t('title') };
}

export default async function PushReceiversPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.pushReceivers');
  const { ctx } = await signedIn(routes.pushReceivers);
  const { items } = await listPushReceivers({ ctx });
  const list = pageOfList(routes.pushReceivers, items, {
    query: await searchParams,
    textOf: ({ host, taskId, agent, credential }) =>
      `${host} ${taskId} ${agent?.name ?? ''} ${agent?.slug ?? ''} ${credential.name ?? ''}`,
  });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <SearchableList label={t('search')} list={list}>
        <ReceiverList receivers={list.shown} />
      </SearchableList>
      <p className="mt-6 text-sm text-muted">
        {t.rich('failed', {
          link: (chunks) => (
            <Link className="text-link" href={routes.pushes} prefetch={false}>
              {chunks}
            </Link>
          ),
        })}
      </p>
    </>
  );
}
