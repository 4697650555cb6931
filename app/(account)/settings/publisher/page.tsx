import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { PublisherForm } from '@/components/account/settings/publisher-form';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getOwnPublisher } from '@/lib/catalog';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.publisher');
  return { title: t('title') };
}

export default async function PublisherSettingsPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.publisher');
  const { ctx, name } = await signedIn(routes.publisher);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <PublisherForm accountName={name} profile={await getOwnPublisher({ ctx })} />
    </>
  );
}
