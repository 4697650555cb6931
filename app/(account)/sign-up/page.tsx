import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { ProviderButtons } from '@/components/account/sign-in/provider-buttons';
import { SignUpForm } from '@/components/account/sign-in/sign-up-form';
import { Alert } from '@/components/ui/display/alert';
import { listProviders } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.signUp');
  return { title: t('title') };
}

export default async function SignUpPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.signUp');
  const { next, value } = await readQuery(searchParams);
  const { actor } = await pageContext();
  if (actor.kind === 'user') redirect(next);
  const reason = value('reason');
  return (
    <AccountFrame
      footer={t.rich('otherWay', {
        link: (chunks) => (
          <Link className="text-link" href={withNext('/sign-in', next, reason === 'send' ? { reason } : {})}>
            {chunks}
          </Link>
        ),
      })}
      lead={t('lead')}
      title={t('title')}
    >
      {reason === 'send' ? <Alert>{t('forSending')}</Alert> : null}
      <SignUpForm error={value('error')} next={next} />
      <ProviderButtons next={next} providers={listProviders()} />
    </AccountFrame>
  );
}
