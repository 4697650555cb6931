import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { SettingsOverview } from '@/components/account/settings/settings-page';
import { routes } from '@/components/routes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.settingsFrame');
  return { title: t('settings') };
}

/** The list of groups, from which a phone opens each and returns. */
export default async function SettingsOverviewPage(): Promise<ReactNode> {
  await signedIn(routes.settings);
  return (
    <div className="page-x py-8 md:py-12">
      <div className="max-w-2xl">
        <SettingsOverview />
      </div>
    </div>
  );
}
