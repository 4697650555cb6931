import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { noticeTexts } from '@/components/account/notice-texts';
import { routes } from '@/components/shell/routes';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { describeUnsubscription } from '@/lib/identity';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Unsubscribe' };

/** Where the link in a mail leads: one click, since programs that look at links in mails click on nothing. */
export default async function UnsubscribePage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const subscription = describeUnsubscription(token);
  const { label } = subscription ? noticeTexts[subscription.kind] : { label: '' };
  return (
    <AccountFrame
      footer={
        <Link className="text-link" href={routes.notifications}>
          Choose which mails you get
        </Link>
      }
      title="Unsubscribe"
    >
      {subscription === null ? (
        <Alert title="This link is not one of ours" tone="warn">
          It may have been cut off. Copy it whole from the mail, or choose in your settings.
        </Alert>
      ) : value('done') ? (
        <Alert title="Done" tone="good">
          No more mails of the kind “{label}”. You can switch them on again in your settings.
        </Alert>
      ) : (
        <form
          action={`/api/notifications/unsubscribe?${new URLSearchParams({ token })}`}
          className="space-y-5"
          method="post"
        >
          <p>
            Stop mails of the kind “<span className="font-medium">{label}</span>”? Others go on.
          </p>
          <Button className="w-full" tone="primary" type="submit">
            Stop these mails
          </Button>
        </form>
      )}
    </AccountFrame>
  );
}
