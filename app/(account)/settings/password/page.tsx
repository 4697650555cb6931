import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { PasswordForm } from '@/components/account/settings/password-form';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getProfile } from '@/lib/identity';
import { type PageQuery, readQuery } from '../../page-query';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('account.pages.password');
  return { title: t('title') };
}

export default async function PasswordPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const t = await getTranslations('account.pages.password');
  const { ctx, email } = await signedIn(routes.password);
  const { hasPassword } = await getProfile({ ctx });
  const { value } = await readQuery(searchParams);
  return (
    <>
      <PageHeader
        lead={
          hasPassword
            ? t.rich('lead', {
                link: (chunks) => (
                  <Link className="text-link" href={routes.forgot}>
                    {chunks}
                  </Link>
                ),
              })
            : t('leadWithout')
        }
        title={t('title')}
      />
      <PasswordForm email={email} error={value('error')} hasPassword={hasPassword} />
    </>
  );
}
