import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AccountFrame, MailSent } from '@/components/account/sign-in/account-frame';
import { isSmtpConfigured } from '@/lib/identity';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.forgotSent');
  return { title: t('title') };
}

export default async function ForgotSentPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.forgotSent');
  const { next } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={t.rich('again', {
        link: (chunks) => (
          <Link className="text-link" href={withNext('/forgot', next)}>
            {chunks}
          </Link>
        ),
      })}
      title={t('title')}
    >
      <MailSent mailsAreSent={isSmtpConfigured()}>{t('text')}</MailSent>
    </AccountFrame>
  );
}
