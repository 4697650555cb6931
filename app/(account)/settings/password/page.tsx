import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { PasswordForm } from '@/components/account/password-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { getProfile } from '@/lib/identity';
import { type PageQuery, readQuery } from '../../page-query';

export const metadata: Metadata = { title: 'Password' };

export default async function PasswordPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { ctx, email } = await signedIn(routes.password);
  const { hasPassword } = await getProfile({ ctx });
  const { value } = await readQuery(searchParams);
  return (
    <>
      <PageHeader
        lead={
          hasPassword ? (
            <>
              Changing it signs out every other browser. Forgot it?{' '}
              <Link className="text-link" href={routes.forgot}>
                Set a new one by mail
              </Link>
              .
            </>
          ) : (
            'You sign in through a provider. With a password you can sign in here too.'
          )
        }
        title="Password"
      />
      <PasswordForm email={email} error={value('error')} hasPassword={hasPassword} />
    </>
  );
}
