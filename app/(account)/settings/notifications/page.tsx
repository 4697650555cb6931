import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { NoticeForm } from '@/components/account/notice-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listNoticeChoices } from '@/lib/identity';

export const metadata: Metadata = { title: 'Notifications' };

export default async function NotificationsPage(): Promise<ReactNode> {
  const { ctx, email } = await signedIn(routes.notifications);
  return (
    <>
      <PageHeader
        lead={
          <>
            What Parley writes to <span className="break-words text-ink">{email}</span> about.
          </>
        }
        title="Notifications"
      />
      <NoticeForm choices={await listNoticeChoices({ ctx })} />
    </>
  );
}
