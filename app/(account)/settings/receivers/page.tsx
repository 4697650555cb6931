import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ReceiverList } from '@/components/account/receiver-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listPushReceivers } from '@/lib/gateway';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.pushReceivers');
  return { title: t('title') };
}

export default async function PushReceiversPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.pushReceivers');
  const { ctx } = await signedIn(routes.pushReceivers);
  const { items } = await listPushReceivers({ ctx });
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <ReceiverList receivers={items} />
    </>
  );
}
