import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { DeleteAccount, ExportData } from '@/components/account/settings/account-data';
import { RetentionList } from '@/components/account/settings/retention-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getRetention } from '@/lib/account';
import { getProfile, listPasskeys } from '@/lib/identity';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.ownData');
  return { title: t('title') };
}

export default async function OwnDataPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.ownData');
  const { ctx, email } = await signedIn(routes.ownData);
  const [{ hasPassword }, passkeys] = await Promise.all([getProfile({ ctx }), listPasskeys({ ctx })]);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <div className="max-w-2xl space-y-10">
        <ExportData hasPasskey={passkeys.length > 0} />
        <RetentionList retention={getRetention()} />
        <DeleteAccount email={email} hasPassword={hasPassword} />
      </div>
    </>
  );
}
