import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/sign-in/account-frame';
import { LinkMailForm } from '@/components/account/sign-in/link-mail-form';
import { routes } from '@/components/routes';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.forgot');
  return { title: t('title') };
}

export default async function ForgotPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.forgot');
  const { next, value } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={t.rich('otherWay', {
        link: (chunks) => (
          <Link className="text-link" href={withNext(routes.signIn, next)}>
            {chunks}
          </Link>
        ),
      })}
      lead={t('lead')}
      title={t('title')}
    >
      <LinkMailForm error={value('error')} next={next} path="/api/auth/reset" sentPage="/forgot/sent" />
    </AccountFrame>
  );
}
