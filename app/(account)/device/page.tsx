import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { DeviceSignIn } from '@/components/account/authorize/device-sign-in';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { authorizationPaths } from '@/components/routes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.device');
  return { title: t('title') };
}

export default async function DevicePage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.device');
  const { email } = await signedIn(authorizationPaths.device);
  return (
    <AccountFrame
      lead={t.rich('lead', {
        email,
        address: (chunks) => <bdi className="font-medium break-words text-ink">{chunks}</bdi>,
      })}
      title={t('title')}
    >
      <DeviceSignIn />
    </AccountFrame>
  );
}
