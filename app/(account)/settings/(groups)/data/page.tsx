import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { DeleteAccount, ExportData } from '@/components/account/settings/account-data';
import { RetentionList } from '@/components/account/settings/retention-list';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage } from '@/components/account/settings/settings-page';
import { getRetention } from '@/lib/account';
import { getProfile, listPasskeys } from '@/lib/identity';
import { settingsMetadata } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('data');
}

export default async function DataSettings(): Promise<ReactNode> {
  const { ctx, email } = await signedIn(settingsPath('data'));
  const [{ hasPassword }, passkeys] = await Promise.all([getProfile({ ctx }), listPasskeys({ ctx })]);
  return (
    <SettingsPage group="data">
      <ExportData hasPasskey={passkeys.length > 0} />
      <RetentionList retention={getRetention()} />
      <DeleteAccount email={email} hasPassword={hasPassword} />
    </SettingsPage>
  );
}
