import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { NotificationForm } from '@/components/account/settings/notification-form';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listNotificationPreferences } from '@/lib/identity';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.notifications');
  return { title: t('title') };
}

export default async function NotificationsPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.notifications');
  const { ctx, email } = await signedIn(routes.notifications);
  return (
    <>
      <PageHeader
        lead={t.rich('lead', {
          email,
          address: (chunks) => <span className="break-words text-ink">{chunks}</span>,
        })}
        title={t('title')}
      />
      <NotificationForm choices={await listNotificationPreferences({ ctx })} />
    </>
  );
}
