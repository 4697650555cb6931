import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AccountFrame } from '@/components/account/account-frame';
import { LinkMailForm } from '@/components/account/link-mail-form';
import { routes } from '@/components/shell/routes';
import { withNext } from '@/lib/identity/schema';
import { type PageQuery, readQuery } from '../page-query';

export const metadata: Metadata = { title: 'Set a new password' };

export default async function ForgotPage({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { next, value } = await readQuery(searchParams);
  return (
    <AccountFrame
      footer={
        <>
          Remembered it?{' '}
          <Link className="text-link" href={withNext(routes.signIn, next)}>
            Sign in by password
          </Link>
        </>
      }
      lead="We send a link to your e-mail address. It works once and for 20 minutes."
      title="Set a new password"
    >
      <LinkMailForm error={value('error')} next={next} path="/api/auth/reset" sentPage="/forgot/sent" />
    </AccountFrame>
  );
}
