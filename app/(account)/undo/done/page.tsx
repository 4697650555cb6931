import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { LinkButton } from '@/components/ui/controls/button';
import { Alert } from '@/components/ui/display/alert';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.undo');
  return { title: t('done') };
}

export default async function UndonePage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.undo');
  return (
    <AccountFrame title={t('done')}>
      <Alert title={t('doneTitle')} tone="good">
        {t('doneHint')}
      </Alert>
      <LinkButton href="/forgot" tone="primary">
        {t('newPassword')}
      </LinkButton>
    </AccountFrame>
  );
}
