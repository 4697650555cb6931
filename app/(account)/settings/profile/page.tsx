import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ProfileForm } from '@/components/account/settings/profile-form';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.profile');
  return { title: t('title') };
}

export default async function ProfilePage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.profile');
  const { name, email } = await signedIn(routes.profile);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <ProfileForm email={email} name={name} />
    </>
  );
}
