import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { ProviderButtons } from '@/components/account/sign-in/provider-buttons';
import { SignInForm } from '@/components/account/sign-in/sign-in-form';
import { Alert } from '@/components/ui/display/alert';
import { listProviders } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.signIn');
  return { title: t('title') };
}

export default async function SignInPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.signIn');
  const { next, value } = await readQuery(searchParams);
  const { actor } = await pageContext();
  const reason = value('reason');
  // A signed-in user who is about to pay signs in again.
  if (actor.kind === 'user' && reason !== 'pay') redirect(next);
  return (
    <AccountFrame
      footer={t.rich('otherWay', {
        link: (chunks) => (
          <Link className="text-link" href={withNext('/sign-up', next, reason === 'send' ? { reason } : {})}>
            {chunks}
          </Link>
        ),
      })}
      title={t('title')}
    >
      {reason === 'pay' ? <Alert>{t('forPaying')}</Alert> : null}
      {reason === 'send' ? <Alert>{t('forSending')}</Alert> : null}
      <SignInForm error={value('error')} next={next} reason={reason} />
      <ProviderButtons next={next} providers={listProviders()} />
    </AccountFrame>
  );
}
