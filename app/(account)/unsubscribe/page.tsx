import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { routes } from '@/components/routes';
import { Button } from '@/components/ui/controls/button';
import { Alert } from '@/components/ui/display/alert';
import { describeUnsubscription } from '@/lib/identity';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.unsubscribe');
  return { title: t('title') };
}

/** The target of the link in an email. Unsubscribing requires a click, because email scanners open links. */
export default async function UnsubscribePage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.unsubscribe');
  const { value } = await readQuery(searchParams);
  const token = value('token') ?? '';
  const subscription = describeUnsubscription(token);
  const tNotices = await getTranslations('account.notices');
  const kind = subscription ? tNotices(`${subscription.kind}.label`) : '';
  return (
    <AccountFrame
      footer={
        <Link className="text-link" href={routes.notifications}>
          {t('choose')}
        </Link>
      }
      title={t('title')}
    >
      {subscription === null ? (
        <Alert title={t('notOurs')} tone="warn">
          {t('notOursHint')}
        </Alert>
      ) : value('done') ? (
        <Alert title={t('done')} tone="good">
          {t('doneHint', { kind })}
        </Alert>
      ) : (
        <form
          action={`/api/notifications/unsubscribe?${new URLSearchParams({ token })}`}
          className="space-y-5"
          method="post"
        >
          <p>{t.rich('ask', { kind, name: (chunks) => <span className="font-medium">{chunks}</span> })}</p>
          <Button className="w-full" tone="primary" type="submit">
            {t('submit')}
          </Button>
        </form>
      )}
    </AccountFrame>
  );
}
