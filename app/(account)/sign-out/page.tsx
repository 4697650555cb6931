import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { SignOutForm } from '@/components/account/sign-in/sign-out';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.signOut');
  return { title: t('title') };
}

export default async function SignOutPage(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.signOut');
  const { actor } = await pageContext();
  if (actor.kind !== 'user') redirect('/');
  return (
    <AccountFrame lead={t('lead')} title={t('title')}>
      <p>
        {t.rich('who', {
          email: actor.email,
          address: (chunks) => <strong className="font-semibold break-all">{chunks}</strong>,
        })}
      </p>
      <SignOutForm />
    </AccountFrame>
  );
}
